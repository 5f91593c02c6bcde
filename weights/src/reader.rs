//! From a folder's files to one checkpoint, by requesting the bytes that describe it.

use crate::checkpoint::{Checkpoint, merge};
use crate::error::Error;
use crate::source_files::{Attempt, FileLength, FileTensor, SourceFiles, Span, Stop};
use crate::{index, single_file};

/// The next thing that the caller of [`CheckpointReader::step`] has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Read these bytes, all of them, and hand them to [`CheckpointReader::give`]. None of them belong to a tensor.
    Read(Vec<Span>),
    /// Nothing: this is the checkpoint.
    Done(Checkpoint),
}

/// Reads weights of any form; see the crate's documentation. Call [`step`](Self::step) until it is done.
#[derive(Debug)]
pub struct CheckpointReader {
    files: SourceFiles,
    main: String,
}

impl CheckpointReader {
    /// For `main`, one of `files`: an index (`….index.json`) of some of the others, a `.safetensors` file, or one of PyTorch's.
    pub fn new(main: impl Into<String>, files: Vec<FileLength>) -> Self {
        Self { files: SourceFiles::new(files), main: main.into() }
    }

    /// Reads as far as the known bytes lead.
    ///
    /// # Errors
    /// Weights that cannot be read; see [`Error`].
    pub fn step(&mut self) -> Result<Step, Error> {
        let attempt = self.tensors().and_then(|tensors| Ok(merge(tensors, &self.main)?));
        let missing = self.files.take_missing();
        match attempt {
            Ok(checkpoint) => Ok(Step::Done(checkpoint)),
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::NeedsBytes) => Ok(Step::Read(missing)),
        }
    }

    /// Takes the bytes of a span that [`Step::Read`] listed.
    ///
    /// # Errors
    /// Fewer or more bytes than the span has.
    pub fn give(&mut self, span: Span, bytes: Vec<u8>) -> Result<(), Error> {
        self.files.add(span, bytes)
    }

    fn tensors(&self) -> Attempt<Vec<FileTensor>> {
        let Some(main) = self.files.find(&self.main) else {
            let (index, name) = ("the folder".into(), self.main.clone());
            return Err(Error::MissingShard { index, name, others: 0 }.into());
        };
        if self.main.ends_with(".index.json") {
            index::tensors(&self.files, main)
        } else {
            single_file::tensors(&self.files, main)
        }
    }
}
