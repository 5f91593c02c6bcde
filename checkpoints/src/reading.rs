//! What was read of the files so far, and what is still to be read.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::refusal::Refusal;

/// A file by its name, and how many bytes it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLength {
    pub name: String,
    pub length: u64,
}

/// Bytes [start, end) of a file; `file` counts those that [`crate::Opening`] was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub file: usize,
    pub start: u64,
    pub end: u64,
}

/// Why an attempt to make sense of the files ended early.
#[derive(Debug)]
pub enum Stop {
    /// Bytes are missing that [`Reading::wanted`] lists. The attempt is made again with them.
    Wants,
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

pub type Attempt<T> = Result<T, Stop>;

/// The most that is ever asked for at once: a safetensors header has 100 MB at most.
pub const MOST_BYTES: u64 = 100_000_008;

/// The files, and the bytes of them that are known.
#[derive(Debug)]
pub struct Reading {
    files: Vec<FileLength>,
    known: BTreeMap<Span, Vec<u8>>,
    wanted: RefCell<Vec<Span>>,
}

impl Reading {
    pub fn new(files: Vec<FileLength>) -> Self {
        Self { files, known: BTreeMap::new(), wanted: RefCell::default() }
    }

    pub fn file(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.name == name)
    }

    pub fn name(&self, file: usize) -> String {
        self.files.get(file).map(|file| file.name.clone()).unwrap_or_default()
    }

    pub fn length(&self, file: usize) -> u64 {
        self.files.get(file).map_or(0, |file| file.length)
    }

    /// The bytes of one stretch.
    pub fn bytes(&self, span: Span) -> Attempt<&[u8]> {
        self.find(span)?.ok_or(Stop::Wants)
    }

    /// The bytes of many stretches, which are asked for together.
    pub fn all(&self, spans: &[Span]) -> Attempt<Vec<&[u8]>> {
        let mut found = Vec::with_capacity(spans.len());
        for span in spans {
            found.extend(self.find(*span)?);
        }
        if found.len() == spans.len() { Ok(found) } else { Err(Stop::Wants) }
    }

    fn find(&self, span: Span) -> Result<Option<&[u8]>, Refusal> {
        let (found, expected) = (self.length(span.file), span.end);
        if expected > found {
            return Err(Refusal::CutShort { file: self.name(span.file), expected, found });
        }
        if span.end.saturating_sub(span.start) > MOST_BYTES {
            return Err(self.malformed(span.file, "a part of it is longer than the format allows"));
        }
        if span.end <= span.start {
            return Ok(Some(&[]));
        }
        let known = self.known.get(&span).map(Vec::as_slice);
        if known.is_none() {
            self.wanted.borrow_mut().push(span);
        }
        Ok(known)
    }

    /// What the last attempt missed.
    pub fn take_wanted(&self) -> Vec<Span> {
        self.wanted.take()
    }

    /// Bytes that were asked for. Fewer than that are no answer: the file was cut meanwhile.
    pub fn give(&mut self, span: Span, bytes: Vec<u8>) -> Result<(), Refusal> {
        let (expected, found) = (span.end, span.start.saturating_add(bytes.len() as u64));
        if expected != found {
            return Err(Refusal::CutShort { file: self.name(span.file), expected, found });
        }
        self.known.insert(span, bytes);
        Ok(())
    }

    pub fn malformed(&self, file: usize, reason: &str) -> Refusal {
        Refusal::Malformed { file: self.name(file), reason: reason.into() }
    }
}
