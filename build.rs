//! Has the crate built anew when a case is put into the library, or taken out.

fn main() {
    println!("cargo::rerun-if-changed=cases");
}
