//! Has the crate built anew when a file is put into a folder that it carries, or taken out: Cargo sees
//! only changes of files it has read.

fn main() {
    for folder in ["cases", "openapi/examples", "src/http/web"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
