//! What a program has said.

#![expect(
    clippy::unwrap_used,
    reason = "test code: what is missing fails the test"
)]

use std::process::Output;

/// Exit status, standard output and standard error.
pub fn told(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (status, text(output.stdout), text(output.stderr))
}
