//! Which build of the program this is.

/// The version of the package.
pub const PACKAGE: &str = env!("CARGO_PKG_VERSION");

/// The commit it was built from, with `.modified` where the sources were not as committed; `debug` where
/// it was built to be tried out, `unknown` where there was no clone to ask.
pub const COMMIT: &str = env!("QILI_COMMIT");

/// Both, as `--version` tells it and as it is kept beside what the program has found.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("QILI_COMMIT"));
