//! Files whose names last.

use std::fs::File;
use std::path::Path;

/// Has the name of a new file last as what is in it does, where folders can be opened as files.
pub fn keep_name(path: &Path) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        folder.sync_all().ok();
    }
}
