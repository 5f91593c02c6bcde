//! From the names of files to one checkpoint, by asking for the bytes that tell of it.

use crate::header::{Checkpoint, Tensor, checkpoint};
use crate::index;
use crate::reading::{Attempt, FileLength, Reading, Span, Stop};
use crate::refusal::Refusal;
use crate::{shard, torch};

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// These bytes are to be given, all of them; none is a tensor's.
    Read(Vec<Span>),
    Done(Checkpoint),
}

/// Weights on their way to be a [`Checkpoint`].
#[derive(Debug)]
pub struct Opening {
    reading: Reading,
    main: String,
}

impl Opening {
    /// Opens `main`, one of `files`: an index (`….index.json`) whose files lie among them, a `.safetensors` file, or PyTorch's.
    pub fn new(main: impl Into<String>, files: Vec<FileLength>) -> Self {
        Self { reading: Reading::new(files), main: main.into() }
    }

    /// Goes on as far as the bytes that were given lead.
    ///
    /// # Errors
    /// Everything that [`Refusal`] tells of.
    pub fn step(&mut self) -> Result<Step, Refusal> {
        let attempt = self.tensors().and_then(|tensors| Ok(checkpoint(tensors, &self.main)?));
        let wanted = self.reading.take_wanted();
        match attempt {
            Ok(checkpoint) => Ok(Step::Done(checkpoint)),
            Err(Stop::Refused(refusal)) => Err(refusal),
            Err(Stop::Wants) => Ok(Step::Read(wanted)),
        }
    }

    /// Gives bytes that [`Step::Read`] asked for.
    ///
    /// # Errors
    /// Fewer or more bytes than were asked for.
    pub fn give(&mut self, span: Span, bytes: Vec<u8>) -> Result<(), Refusal> {
        self.reading.give(span, bytes)
    }

    fn tensors(&self) -> Attempt<Vec<Tensor>> {
        let Some(main) = self.reading.file(&self.main) else {
            let (index, name) = ("the folder".into(), self.main.clone());
            return Err(Refusal::MissingShard { index, name, more: String::new() }.into());
        };
        if self.main.ends_with(".index.json") {
            index::tensors(&self.reading, main)
        } else {
            of_file(&self.reading, main)
        }
    }
}

/// The tensors of one file, by its kind.
pub fn of_file(reading: &Reading, file: usize) -> Attempt<Vec<Tensor>> {
    if reading.name(file).ends_with(".safetensors") {
        shard::tensors(reading, file)
    } else {
        torch::tensors(reading, file)
    }
}
