//! Files in memory, opened as the command line and the page do.

use std::fs;
use std::path::{Path, PathBuf};

use ropescope_weights::{Checkpoint, CheckpointReader, Error, FileLength, Step};

/// A folder's files by name.
pub type Files = Vec<(String, Vec<u8>)>;

pub fn golden(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(folder)
}

pub fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Files =
        entries.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

/// The result of opening files.
pub struct Opened {
    /// Number of requests for bytes.
    pub rounds: usize,
    /// Bytes that were read.
    pub read: u64,
    pub result: Result<Checkpoint, Error>,
}

pub fn open(main: &str, files: &Files) -> Opened {
    let lengths =
        files.iter().map(|(name, bytes)| FileLength { name: name.clone(), length: bytes.len() as u64 }).collect();
    let mut reader = CheckpointReader::new(main, lengths);
    let mut opened = Opened { rounds: 0, read: 0, result: Err(Error::SeveralWeights { names: String::new() }) };
    loop {
        let spans = match reader.step() {
            Ok(Step::Read(spans)) => spans,
            Ok(Step::Done(checkpoint)) => {
                opened.result = Ok(checkpoint);
                return opened;
            }
            Err(refusal) => {
                opened.result = Err(refusal);
                return opened;
            }
        };
        opened.rounds += 1;
        assert!(!spans.is_empty() && opened.rounds < 50, "repeated requests: {spans:?}");
        for span in spans {
            let bytes = files[span.file].1[span.start as usize..span.end as usize].to_vec();
            opened.read += bytes.len() as u64;
            reader.give(span, bytes).unwrap();
        }
    }
}

/// The bytes of a checkpoint's safetensors file.
pub fn assemble(checkpoint: &Checkpoint, files: &Files) -> Vec<u8> {
    let mut bytes = checkpoint.header.clone();
    for piece in &checkpoint.pieces {
        bytes.extend(&files[piece.file].1[piece.start as usize..piece.end as usize]);
    }
    assert_eq!(bytes.len() as u64, checkpoint.length());
    bytes
}

/// Checks an error's code, and words of its message.
pub fn assert_error(error: &Error, code: &str, words: &[&str]) {
    assert_eq!(error.code(), code, "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "{word:?} is not in: {error}");
    }
}

/// The error for a single file.
pub fn refusal(name: &str, bytes: &[u8]) -> Error {
    open(name, &vec![(name.into(), bytes.to_vec())]).result.expect_err("it was opened")
}
