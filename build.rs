//! Has the crate built anew when a file is put into a folder that it carries, or taken out: Cargo sees
//! only changes of files it has read. And tells the crate which commit it is built from.

use std::env;
use std::fs;
use std::process::Command;

/// What a build is made of.
const SOURCES: [&str; 7] = [
    "src",
    "cases",
    "rules",
    "openapi",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
];

fn main() {
    for folder in ["cases", "openapi/examples", "src/http/app", "src/http/web"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    println!("cargo::rerun-if-env-changed=QILI_COMMIT");
    println!("cargo::rustc-env=QILI_COMMIT={}", commit());
}

/// The commit, in a form that may stand behind the `+` of a version.
fn commit() -> String {
    // Whoever builds from something else than a clone knows it better.
    if let Ok(told) = env::var("QILI_COMMIT")
        && !told.is_empty()
        && told
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
    {
        return told;
    }
    // These are made again and again, and would be made anew with each commit.
    if env::var("PROFILE").as_deref() == Ok("debug") {
        return "debug".to_owned();
    }
    from_git()
        .or_else(from_package)
        .unwrap_or_else(|| "unknown".to_owned())
}

fn git(arguments: &[&str]) -> Option<String> {
    let told = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(told.stdout).ok()?;
    told.status.success().then(|| text.trim().to_owned())
}

fn from_git() -> Option<String> {
    // It may lie in a repository that is not its own.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(SOURCES);
    let modified = !git(&status)?.is_empty();
    for path in SOURCES {
        println!("cargo::rerun-if-changed={path}");
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if fs::exists(&path).unwrap_or(false) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    Some(if modified {
        format!("{commit}.modified")
    } else {
        commit
    })
}

/// What `cargo package` writes beside the sources.
fn from_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    let commit = rest.get(..12)?;
    let modified = text.contains("\"dirty\": true");
    commit
        .chars()
        .all(|c| c.is_ascii_hexdigit())
        .then(|| format!("{commit}{}", if modified { ".modified" } else { "" }))
}
