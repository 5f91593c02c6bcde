//! Files that a command reads: regular files of a bounded size, so that none is waited for and none fills the memory.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::error::Error;

/// The largest file of settings that is read. Label maps make some of them several MB long.
pub const LARGEST_SETTINGS: u64 = 64 << 20;

/// The largest tokenizer that is read: those of the largest vocabularies have some 40 MB.
pub const LARGEST_TOKENIZER: u64 = 512 << 20;

/// The longest text that is read: a tokenizer takes about a hundred times as much memory for it.
pub const LONGEST_TEXT: u64 = 64 << 20;

/// Opens a regular file. Returns its length, too.
///
/// # Errors
/// There is no such file; it is a folder, a pipe or a device; it cannot be opened.
pub fn open(path: &Path) -> Result<(File, u64), Error> {
    let data = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            return Err(refused(
                path,
                "is a link to a file that is not there; put the file there, or remove the link".into(),
            ));
        }
        data => data.map_err(|error| io_error(path, &error))?,
    };
    if !data.is_file() {
        let kind = if data.is_dir() { "a folder" } else { "a pipe or a device" };
        return Err(refused(path, format!("is {kind}, but must be a regular file")));
    }
    let file = File::open(path).map_err(|error| io_error(path, &error))?;
    Ok((file, data.len()))
}

/// Reads a file of at most `largest` bytes.
///
/// # Errors
/// Those of [`open`]; a file that is larger, or that cannot be read.
pub fn read(path: &Path, largest: u64) -> Result<Vec<u8>, Error> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::new();
    if length <= largest {
        // A file may grow while it is read.
        file.take(largest + 1).read_to_end(&mut bytes).map_err(|error| io_error(path, &error))?;
    }
    if length.max(bytes.len() as u64) > largest {
        return Err(refused(
            path,
            format!("is larger than {} MB, the most that is read of such a file", largest >> 20),
        ));
    }
    Ok(bytes)
}

/// The same of a file that a model can do without: `None` where nothing has its name.
///
/// # Errors
/// Those of [`read`].
pub fn read_if_there(path: &Path, largest: u64) -> Result<Option<Vec<u8>>, Error> {
    if is_there(path) { read(path, largest).map(Some) } else { Ok(None) }
}

/// Whether anything has this name, be it a link that leads nowhere.
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

pub fn io_error(path: &Path, error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::FileNotFound { path: path.display().to_string() },
        _ => refused(path, error.to_string()),
    }
}

fn refused(path: &Path, reason: String) -> Error {
    Error::Io { path: path.display().to_string(), reason }
}
