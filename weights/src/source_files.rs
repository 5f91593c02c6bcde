//! The files of a checkpoint, and the bytes of them that the caller has read so far.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::dtype::Dtype;
use crate::error::{Error, FileDefect};
use crate::safetensors::{MAX_JSON_BYTES, PREFIX};

/// A file's name and length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLength {
    /// Its name without a folder.
    pub name: String,
    /// Its bytes.
    pub length: u64,
}

/// Bytes [start, end) of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The index of the file in the list that [`crate::CheckpointReader`] was made with.
    pub file: usize,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last.
    pub end: u64,
}

/// A tensor in one of the files. The span contains its numbers only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTensor {
    pub name: String,
    pub dtype: Dtype,
    pub shape: Vec<u64>,
    pub span: Span,
}

/// The reason for the early end of an attempt to read the files.
#[derive(Debug)]
pub enum Stop {
    /// Bytes are missing, listed by [`SourceFiles::take_missing`]. The caller tries again once it has read them.
    NeedsBytes,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

/// Readers of all forms assume that all bytes are known. A missing byte ends the attempt, which starts again from the beginning.
pub type Attempt<T> = Result<T, Stop>;

/// The most bytes that are requested at once: the longest header of a safetensors file.
const MAX_BYTES: u64 = PREFIX + MAX_JSON_BYTES;

/// The files, and the spans of them that are in memory.
#[derive(Debug)]
pub struct SourceFiles {
    files: Vec<FileLength>,
    known: BTreeMap<Span, Vec<u8>>,
    missing: RefCell<Vec<Span>>,
}

impl SourceFiles {
    pub fn new(files: Vec<FileLength>) -> Self {
        Self { files, known: BTreeMap::new(), missing: RefCell::default() }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.name == name)
    }

    pub fn name(&self, file: usize) -> String {
        self.files.get(file).map(|file| file.name.clone()).unwrap_or_default()
    }

    pub fn length(&self, file: usize) -> u64 {
        self.files.get(file).map_or(0, |file| file.length)
    }

    pub fn bytes(&self, span: Span) -> Attempt<&[u8]> {
        self.known_bytes(span)?.ok_or(Stop::NeedsBytes)
    }

    /// The bytes of many spans, requested together.
    pub fn all(&self, spans: &[Span]) -> Attempt<Vec<&[u8]>> {
        let mut found = Vec::with_capacity(spans.len());
        for span in spans {
            found.extend(self.known_bytes(*span)?);
        }
        if found.len() == spans.len() { Ok(found) } else { Err(Stop::NeedsBytes) }
    }

    /// Returns `None` and requests the bytes if the caller has not read them.
    fn known_bytes(&self, span: Span) -> Result<Option<&[u8]>, Error> {
        let (found, expected) = (self.length(span.file), span.end);
        if expected > found {
            return Err(Error::Truncated { file: self.name(span.file), expected, found });
        }
        if span.end.saturating_sub(span.start) > MAX_BYTES {
            return Err(self.malformed(span.file, FileDefect::TooLarge));
        }
        if span.end <= span.start {
            return Ok(Some(&[]));
        }
        let known = self.known.get(&span).map(Vec::as_slice);
        if known.is_none() {
            self.missing.borrow_mut().push(span);
        }
        Ok(known)
    }

    /// The spans that the last attempt requested.
    pub fn take_missing(&self) -> Vec<Span> {
        self.missing.take()
    }

    /// Adds the bytes of a requested span. A file that became shorter in the meantime is refused.
    pub fn add(&mut self, span: Span, bytes: Vec<u8>) -> Result<(), Error> {
        let (expected, found) = (span.end, span.start.saturating_add(bytes.len() as u64));
        if expected != found {
            return Err(Error::Truncated { file: self.name(span.file), expected, found });
        }
        self.known.insert(span, bytes);
        Ok(())
    }

    pub fn malformed(&self, file: usize, defect: FileDefect) -> Error {
        Error::MalformedCheckpoint { file: self.name(file), defect }
    }
}
