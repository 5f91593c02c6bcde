//! Files in memory, and opening them as the command line and the page do.

use std::fs;
use std::path::{Path, PathBuf};

use ropescope_weights::{Checkpoint, CheckpointReader, Error, FileLength, Step};

/// A folder's files by name.
pub type Files = Vec<(String, Vec<u8>)>;

pub fn golden(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(folder)
}

/// The files of a folder.
pub fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Files =
        entries.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

/// How often bytes were asked for, how many, and what came of it.
pub struct Opened {
    pub rounds: usize,
    pub read: u64,
    pub result: Result<Checkpoint, Error>,
}

pub fn open(main: &str, files: &Files) -> Opened {
    let lengths =
        files.iter().map(|(name, bytes)| FileLength { name: name.clone(), length: bytes.len() as u64 }).collect();
    let mut opening = CheckpointReader::new(main, lengths);
    let mut opened = Opened { rounds: 0, read: 0, result: Err(Error::UnknownForm { file: String::new() }) };
    loop {
        let wanted = match opening.step() {
            Ok(Step::Read(wanted)) => wanted,
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
        assert!(!wanted.is_empty() && opened.rounds < 50, "it asks for the same again: {wanted:?}");
        for span in wanted {
            let bytes = files[span.file].1[span.start as usize..span.end as usize].to_vec();
            opened.read += bytes.len() as u64;
            opening.give(span, bytes).unwrap();
        }
    }
}

/// The safetensors file that a checkpoint is.
pub fn whole(checkpoint: &Checkpoint, files: &Files) -> Vec<u8> {
    let mut bytes = checkpoint.header.clone();
    for piece in &checkpoint.pieces {
        bytes.extend(&files[piece.file].1[piece.start as usize..piece.end as usize]);
    }
    assert_eq!(bytes.len() as u64, checkpoint.length());
    bytes
}

/// Why a single file is refused.
pub fn refusal(name: &str, bytes: &[u8]) -> Error {
    open(name, &vec![(name.into(), bytes.to_vec())]).result.expect_err("it was opened")
}
