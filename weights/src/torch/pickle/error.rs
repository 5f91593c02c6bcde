//! The errors of reading a pickle.

use crate::error::{Error, FileDefect, FileForm, PickleAction};

/// The reason for which a pickle was not read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PickleError {
    /// The bytes end before the pickle does.
    Ended,
    /// It asks for an action, for the value under this key.
    Call { what: PickleAction, under: Option<String> },
    /// It is a kind of file that is not read.
    Unsupported(FileForm),
    /// It is no pickle of plain data.
    Broken,
    /// It holds or nests more values than any list of tensors.
    TooLarge,
}

impl PickleError {
    /// The error for the file that holds the pickle.
    pub fn in_file(self, file: &str) -> Error {
        let file = file.into();
        match self {
            PickleError::Ended | PickleError::Broken => {
                Error::MalformedCheckpoint { file, defect: FileDefect::BrokenPickle }
            }
            PickleError::TooLarge => Error::MalformedCheckpoint { file, defect: FileDefect::TooLarge },
            PickleError::Call { what, under } => Error::PickleCall { file, what, under },
            PickleError::Unsupported(what) => Error::OtherWeights { file, what },
        }
    }
}
