//! Files that a command reads: only regular files of a bounded size, because a pipe may never end and a large file may fill memory.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::error::Error;

/// The largest JSON file of settings. Label maps make some of them several MB long.
pub const LARGEST_SETTINGS: u64 = 64 << 20;

/// The largest tokenizer file. The largest vocabularies take some 40 MB.
pub const LARGEST_TOKENIZER: u64 = 512 << 20;

/// The longest text. A tokenizer takes about a hundred times as much memory.
pub const LONGEST_TEXT: u64 = 64 << 20;

/// Opens a regular file. Returns it with its length.
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
pub fn read(path: &Path, largest: u64) -> Result<Vec<u8>, Error> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::new();
    if length <= largest {
        // The limit holds even when the file grows meanwhile.
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

/// [`read`] of a file in UTF-8.
pub fn read_utf8(path: &Path, largest: u64) -> Result<String, Error> {
    String::from_utf8(read(path, largest)?).map_err(|_| refused(path, "is not UTF-8 text".into()))
}

/// [`read`] of an optional file: `None` if nothing has its name.
pub fn read_optional(path: &Path, largest: u64) -> Result<Option<Vec<u8>>, Error> {
    if exists(path) { read(path, largest).map(Some) } else { Ok(None) }
}

/// Whether anything has this name, including a broken link.
pub fn exists(path: &Path) -> bool {
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
