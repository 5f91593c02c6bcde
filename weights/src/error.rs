//! The errors of reading weights. Each message names the file or the tensor and says what to do.

use crate::json::{self, Map, Value};

pub(crate) mod parameters;

pub use parameters::{FileDefect, FileForm, IndexDefect, JsonDefect, PickleAction, TensorDefect, quoted};

/// The reason for which weights are not read. [`Error::code`] and [`Error::parameters`] are for programs, the message is for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, serde::Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(untagged)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum Error {
    #[error(
        "{name} is not there, though {index} lists it{}; open the folder with all of its files",
        if *others > 0 { format!(" (nor are {others} others)") } else { String::new() }
    )]
    MissingShard { index: String, name: String, others: usize },
    #[error("{index} is not a readable index of weights ({defect}); download it again")]
    InvalidIndex { index: String, defect: IndexDefect },
    #[error("{index} says that tensor {tensor} lies in {file}, but it is not there; are both from the same download?")]
    MisplacedTensor { index: String, tensor: String, file: String },
    #[error("tensor {tensor} is in both {first} and {second}; are they from the same download?")]
    TensorTwice { tensor: String, first: String, second: String },
    #[error("several files may hold the weights ({names}); open the folder with one of them")]
    SeveralWeights { names: String },
    #[error("{file} is cut short: {found} of {expected} bytes are there; download it again")]
    Truncated { file: String, expected: u64, found: u64 },
    #[error(
        "{file} is not readable ({defect}); {}",
        if matches!(defect, FileDefect::SharedNumbers { .. }) { SAVE } else { "download it again" }
    )]
    MalformedCheckpoint { file: String, defect: FileDefect },
    #[error(
        "{file} is not read here: it is {what}; {}",
        if *what == FileForm::MisnamedPickle { "rename it to pytorch_model.bin" } else { SAVE }
    )]
    OtherWeights { file: String, what: FileForm },
    #[error("{file}: its entry {entry} is compressed; PyTorch writes none so. Save it again with torch.save()")]
    CompressedWeights { file: String, entry: String },
    #[error(
        "{file} wants to {what}{}, and nothing but tensors and plain data is read of a pickle: none of it was run. \
         If you trust where it is from, save it again as safetensors; if not, delete it",
        under.as_ref().map_or_else(String::new, |key| format!(" (under {key})"))
    )]
    PickleCall { file: String, what: PickleAction, under: Option<String> },
    #[error("{file}: tensor {tensor} {defect}")]
    InvalidTensor { file: String, tensor: String, defect: TensorDefect },
    #[error(
        "{file} holds no tensors by name{}; {SAVE}",
        if keys.is_empty() { String::new() } else { format!("; it holds {}", keys.join(", ")) }
    )]
    NoTensors { file: String, keys: Vec<String> },
}

/// A remedy for every file that PyTorch can still open.
const SAVE: &str = "save the model with transformers' save_pretrained(), which writes model.safetensors";

impl Error {
    /// The kind: the variant's name in kebab-case.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// The variant's fields by name, for messages in other languages.
    pub fn parameters(&self) -> Map<String, Value> {
        json::fields(self)
    }
}
