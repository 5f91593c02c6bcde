//! PyTorch's files: zip archives, and the streams of pickles that older versions wrote.

mod archive;
mod cursor;
mod legacy;
mod pickle;
mod state_dict;
mod storage;
mod zip;

use crate::error::{Error, FileForm};
use crate::source_files::{Attempt, FileTensor, SourceFiles, Span};

/// Bytes that identify the form.
const START: u64 = 4;

/// The tensors of the state dict in a file.
pub fn tensors(files: &SourceFiles, file: usize) -> Attempt<Vec<FileTensor>> {
    match files.bytes(Span { file, start: 0, end: START })? {
        b"PK\x03\x04" => archive::tensors(files, file),
        [0x80, ..] => legacy::tensors(files, file),
        _ => Err(Error::OtherWeights { file: files.name(file), what: FileForm::Unknown }.into()),
    }
}
