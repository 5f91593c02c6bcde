//! Why weights are not opened: every sentence names the file or the tensor and says what to do.

use thiserror::Error;

/// Why weights are not opened. [`Refusal::code`] is its kind, for programs; the message is for people.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    #[error("{name} is not there, though {index} lists it{more}; open the folder with all of its files")]
    MissingShard { index: String, name: String, more: String },
    #[error("{index} is not a readable index of weights ({reason}); download it again")]
    Index { index: String, reason: String },
    #[error("{index} says that tensor {tensor} lies in {file}, but it is not there; are both from the same download?")]
    MisplacedTensor { index: String, tensor: String, file: String },
    #[error("tensor {tensor} is in both {first} and {second}; are they from the same download?")]
    TwiceThere { tensor: String, first: String, second: String },
    #[error("several files may hold the weights ({names}); open the folder with one of them")]
    Several { names: String },
    #[error("{file} is cut short: {expected} bytes belong to it, {found} are there; download it again")]
    CutShort { file: String, expected: u64, found: u64 },
    #[error("{file} is not readable ({reason}); download it again")]
    Malformed { file: String, reason: String },
    #[error("{file} is neither PyTorch's archive nor its older stream of pickles; {SAVE}")]
    UnknownForm { file: String },
    #[error("{file} is {what}, which is not read here; {SAVE}")]
    Unsupported { file: String, what: String },
    #[error("{file}: its entry {entry} is compressed; PyTorch writes none so. Save it again with torch.save()")]
    Compressed { file: String, entry: String },
    #[error(
        "{file} wants to {what}{under}, and nothing but tensors and plain data is read of a pickle: none of it was run. \
         If you trust where it is from, save it again as safetensors; if not, delete it"
    )]
    Call { file: String, what: String, under: Under },
    #[error("{file}: tensor {tensor} {what}; {remedy}")]
    Tensor { file: String, tensor: String, what: String, remedy: &'static str },
    #[error("{file} holds no tensors by name{found}; {SAVE}")]
    NoTensors { file: String, found: String },
}

/// What always helps.
const SAVE: &str = "save the model with transformers' save_pretrained(), which writes model.safetensors";

/// The name under which something lies in a state dict, where it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Under(pub Option<String>);

impl std::fmt::Display for Under {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(formatter, " (under {name})"))
    }
}

impl Refusal {
    /// Its kind, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingShard { .. } => "missing-shard",
            Self::Index { .. } => "index",
            Self::MisplacedTensor { .. } => "misplaced-tensor",
            Self::TwiceThere { .. } => "tensor-twice",
            Self::Several { .. } => "several-weights",
            Self::CutShort { .. } => "cut-short",
            Self::Malformed { .. } => "malformed-checkpoint",
            Self::UnknownForm { .. } | Self::Unsupported { .. } => "other-weights",
            Self::Compressed { .. } => "compressed-weights",
            Self::Call { .. } => "pickle-call",
            Self::Tensor { .. } => "tensor",
            Self::NoTensors { .. } => "no-tensors",
        }
    }
}

/// The longest name that is repeated to people.
const LONGEST: usize = 120;

/// A name out of a file, for people: quoted, without control characters, and not longer than a line.
pub fn quoted(name: &str) -> String {
    let shown: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    let rest = if name.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("\"{shown}{rest}\"")
}
