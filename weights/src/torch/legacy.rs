//! PyTorch's files before 1.6. Five pickles have a magic number, the protocol, the machine that wrote the file, the state dict, and the
//! keys of its storages. The storages follow, each after its number of elements.

use std::collections::BTreeMap;

use super::pickle::{self, MAX_PICKLE_BYTES, Pickle, PickleError, Value};
use super::state_dict;
use super::storage::{big_endian, place};
use crate::error::{Error, FileDefect, FileForm, quoted};
use crate::source_files::{Attempt, FileTensor, SourceFiles, Span, Stop};

const MAGIC: i128 = 0x1950_a86a_20f9_469c_fc6c;
const PROTOCOL: i128 = 1001;

/// Bytes of the first read. Each further read is eight times as long.
const FIRST: u64 = 1 << 16;

/// Bytes of the number of elements before a storage.
const COUNT: u64 = 8;

/// The last two pickles.
struct Pickles<'a> {
    object: Pickle<'a>,
    keys: Vec<&'a str>,
    /// The byte at which the storages begin.
    end: u64,
}

pub fn tensors(files: &SourceFiles, file: usize) -> Attempt<Vec<FileTensor>> {
    let length = files.length(file);
    let mut end = FIRST.min(length);
    let read = loop {
        let bytes = files.bytes(Span { file, start: 0, end })?;
        match pickles(files, file, bytes) {
            Err(Stop::NeedsBytes) if end < length.min(MAX_PICKLE_BYTES) => {
                end = end.saturating_mul(8).min(length).min(MAX_PICKLE_BYTES)
            }
            Err(Stop::NeedsBytes) if end == length => {
                return Err(Error::Truncated { file: files.name(file), expected: length + 1, found: length }.into());
            }
            Err(Stop::NeedsBytes) => {
                return Err(files.malformed(file, FileDefect::TooLarge).into());
            }
            Err(failed) => return Err(failed),
            Ok(read) => break read,
        }
    };
    let views = state_dict::tensors(&read.object, &files.name(file))?;
    let places = places(files, file, &read)?;
    place(files, file, views, |keys| {
        let missing = |key: &str| files.malformed(file, FileDefect::MissingStorage { storage: quoted(key) });
        keys.iter().map(|key| places.get(key).copied().ok_or_else(|| Stop::Failed(missing(key)))).collect()
    })
}

/// Reads the five pickles from the first bytes of the file.
fn pickles<'a>(files: &SourceFiles, file: usize, bytes: &'a [u8]) -> Attempt<Pickles<'a>> {
    let mut at = 0;
    let mut next = || -> Attempt<(Pickle<'a>, u64)> {
        let read = pickle::read(bytes.get(at..).unwrap_or_default()).map_err(|error| match error {
            PickleError::Ended => Stop::NeedsBytes,
            error => Stop::Failed(error.in_file(&files.name(file))),
        })?;
        at += read.end;
        Ok((read, at as u64))
    };
    let unknown = || Stop::Failed(Error::OtherWeights { file: files.name(file), what: FileForm::Unknown });
    for expected in [MAGIC, PROTOCOL] {
        if next()?.0.int() != Some(expected) {
            return Err(unknown());
        }
    }
    let (machine, _) = next()?;
    if machine.entry("little_endian").is_some_and(|value| !matches!(value, Value::Bool(true))) {
        return Err(big_endian(files, file).into());
    }
    let (object, _) = next()?;
    let (listed, end) = next()?;
    let Value::List(keys) = listed.root() else { return Err(unknown()) };
    let keys: Option<Vec<&str>> = keys.iter().map(|key| listed.text(*key)).collect();
    Ok(Pickles { object, keys: keys.ok_or_else(unknown)?, end })
}

/// The span of each storage by its key.
fn places<'a>(files: &SourceFiles, file: usize, read: &Pickles<'a>) -> Attempt<BTreeMap<&'a str, Span>> {
    let sizes = read.object.storages();
    let mut found = BTreeMap::new();
    let mut counts = Vec::with_capacity(read.keys.len());
    let mut at = read.end;
    for key in &read.keys {
        let unused = || files.malformed(file, FileDefect::StorageWithoutTensor { storage: quoted(key) });
        let storage = sizes.get(key).ok_or_else(unused)?;
        let start = at.saturating_add(COUNT);
        counts.push(Span { file, start: at, end: start });
        at = start.saturating_add(storage.bytes());
        if found.insert(*key, Span { file, start, end: at }).is_some() {
            return Err(files.malformed(file, FileDefect::Twice { name: quoted(key) }).into());
        }
    }
    let found_bytes = files.length(file);
    if at > found_bytes {
        return Err(Error::Truncated { file: files.name(file), expected: at, found: found_bytes }.into());
    }
    for (key, bytes) in read.keys.iter().zip(files.all(&counts)?) {
        let count = bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        if count != sizes.get(key).map(|storage| storage.count) {
            return Err(files.malformed(file, FileDefect::StorageLength { storage: quoted(key) }).into());
        }
    }
    Ok(found)
}
