//! What can go wrong: each message names the thing and says what to do about it.

use serde::Serialize;
use strum::IntoStaticStr;
use thiserror::Error;

use crate::weights::HeaderError;
use crate::weights::json::{self, Map, Value};

/// Any failure of the library or the command line. [`Error::code`] and [`Error::parameters`] are for programs, the message is for
/// people.
#[derive(Debug, Clone, PartialEq, Error, IntoStaticStr, Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(untagged)]
#[non_exhaustive]
#[allow(missing_docs)] // Each variant's message is its documentation.
pub enum Error {
    // The model's files.
    #[error("{path}: no such file or folder; a model is a folder with config.json and model.safetensors")]
    FileNotFound { path: String },
    #[error("{path}: {reason}")]
    Io { path: String, reason: String },
    #[error("the file of weights is one of PyTorch's and not safetensors; rename it to pytorch_model.bin")]
    Pickle,
    #[error("the weights are cut short: {expected} bytes belong to the file, {found} are there; download it again")]
    #[strum(serialize = "cut-short")]
    Truncated { expected: u64, found: u64 },
    #[error("the weights are not a readable safetensors file: {reason}")]
    MalformedCheckpoint { reason: String },
    #[error("the weights hold no tensor {name}, which this architecture needs; is config.json from the same model?")]
    MissingTensor { name: String },
    #[error("tensor {name} has shape {found:?}, but config.json asks for {expected:?}; is it from the same model?")]
    WrongShape { name: String, expected: Vec<u64>, found: Vec<u64> },
    #[error("tensor {name} is stored as {dtype}; save the model as float32, float16 or bfloat16 (F32, F16, BF16)")]
    UnsupportedDtype { name: String, dtype: String },

    // config.json.
    #[error("{name} holds numbers beyond what {format} reaches; keep the weights in another format")]
    BeyondFormat { name: String, format: &'static str },
    #[error("config.json is not a JSON object of settings: {reason}")]
    ConfigNotJson { reason: String },
    #[error("config.json: {key} is {found}, but must be {expected}")]
    ConfigValue { key: String, found: String, expected: String },
    #[error("config.json: {key} is {found}, which does not run here; supported: {supported}")]
    Unsupported { key: String, found: String, supported: String },
    #[error(
        "config.json: hidden_size {hidden_size} / num_attention_heads {heads} gives heads of {head_size}, an odd size; rotation needs pairs"
    )]
    OddHeadSize { hidden_size: usize, heads: usize, head_size: usize },
    #[error("config.json: num_attention_heads {heads} does not divide hidden_size {hidden_size}")]
    HeadsDoNotDivide { hidden_size: usize, heads: usize },
    #[error("config.json: num_key_value_heads {key_heads} does not divide num_attention_heads {heads}")]
    KeyHeadsDoNotDivide { heads: usize, key_heads: usize },

    // Ropes: of config.json or of the command line.
    #[error(
        "rope type {found:?} does not run here; supported are \"default\", \"linear\", \"dynamic\", \"yarn\", \"longrope\", \"llama3\" and \"proportional\""
    )]
    UnsupportedRope { found: String },
    #[error("rope settings: {key} is {found}, but must be {expected}")]
    RopeValue { key: String, found: String, expected: String },
    #[error("the rope's settings give frequencies that are no numbers; check rope_theta and the factors")]
    RopeNotFinite,

    // Requests.
    #[error(
        "id {id} (row {row}, position {position}) is outside the vocabulary of {vocab_size}; was another model's tokenizer used?"
    )]
    IdOutOfVocabulary { id: u32, row: usize, position: usize, vocab_size: usize },
    #[error(
        "token type id {id} (row {row}, position {position}) is out of range: the model has types 0 to {}",
        .type_vocab_size.saturating_sub(1)
    )]
    TokenTypeOutOfRange { id: u32, row: usize, position: usize, type_vocab_size: usize },
    #[error(
        "the text has {length} tokens, more than the {longest} that the model is made for; shorten it{}",
        if *.stretches { ", or ask to go beyond that length" } else { "" }
    )]
    TextTooLong { length: usize, longest: u64, stretches: bool },
    #[error(
        "label {label} of prediction row {row} is outside the vocabulary of {vocab_size}; leave a row out by giving none"
    )]
    LabelOutOfVocabulary { label: u32, row: usize, vocab_size: usize },
    #[error("{reason}")]
    InvalidInput { reason: String },
    #[error("the text is empty: a run needs at least one token")]
    EmptyText,
    #[error("the position offset {offset} is above {largest}, where angles are no longer exact; choose a smaller one")]
    OffsetTooLarge { offset: u64, largest: u64 },
    #[error("{architecture} writes after a source: give the source's ids, too")]
    SourceMissing { architecture: String },
    #[error("{architecture} reads no source: give the text alone")]
    SourceUnexpected { architecture: String },
    #[error("{architecture} is not causal and writes no text on; choose a causal language model")]
    NotCausal { architecture: String },
    #[error("{architecture} has no {part}: it is one stack")]
    NoPart { architecture: String, part: &'static str },
    #[error("{part}: there is no layer {layer}, head {head}: layers are below {layers} and heads below {heads}")]
    HeadOutOfRange { part: &'static str, layer: usize, head: usize, layers: usize, heads: usize },
    #[error("{architecture} runs as it is: interventions are for models whose queries and keys rotate")]
    NoRotation { architecture: String },
    #[error("log-n: n is {n}, but must be a length above 1")]
    LogN { n: String },
    #[error("clamping distances rotates rows back, which frozen and ablated pairs do not allow: ask for one of them")]
    ClampedPairs,
    #[error(
        "log-n and clamped distances change the scores of a softmax, which linear attention has none of: run it without them"
    )]
    NoSoftmax,
    #[error("{setting} is a setting of RoFormer alone: this is {architecture}; run it without")]
    SettingOfRoformer { setting: &'static str, architecture: String },
    #[error("positions are added to the embeddings from a table: they cannot be shifted; run without an offset")]
    PositionsFromTable,
    #[error("this size is not measured: give up to {longest} tokens, and an even head size up to {largest}")]
    TrialSize { longest: usize, largest: usize },
    #[error(
        "stored matrices of {length} tokens and a head size of {head_size} take {needed} bytes, more than the {limit} that are measured; give fewer tokens or smaller heads"
    )]
    TrialTooLarge { length: usize, head_size: usize, needed: u64, limit: u64 },

    // Questions about a run.
    #[error("no model is loaded yet")]
    NoModel,
    #[error("nothing has run that could be continued")]
    NothingToContinue,
    #[error("this run kept no heads; make its context with keep_heads, or select a head")]
    NoHeads,
    #[error(
        "the model's file has no contact head, which predicts contacts from attention; choose an ESM-2 that has one"
    )]
    NoContactHead,
    #[error("this attention rotates before its feature map, which cannot be taken back: run it with attention linear")]
    RotationBeforeFeatureMap,
    #[error("pairs were frozen or ablated in this run: its rotation cannot be taken back; run without")]
    ChangedPairs,
    #[error(
        "this run rotates each head's output back by the query's position: behind the output projection a value has no norm of its own; run without rotated values"
    )]
    RotatedValues,
    #[error(
        "all maps and logits of this run take {needed} bytes, more than the {limit} that are compared; shorten the text"
    )]
    ComparisonTooLarge { needed: u64, limit: u64 },
    #[error("a rollout is of one text of at most {longest} tokens, not of {batch} of {length}; shorten it")]
    RolloutTooLong { longest: usize, batch: usize, length: usize },
    #[error("the text has no {mask_token}; put {mask_token} where a word is to be predicted")]
    NoMask { mask_token: String },
    #[error("{architecture} has no vocabulary head and predicts no tokens; choose a masked or causal language model")]
    NoVocabularyHead { architecture: String },
    #[error("{path}: {reason}")]
    Tokenizer { path: String, reason: String },
    #[error("{key} is {found}, but must be {expected}")]
    SamplingSetting { key: &'static str, found: String, expected: &'static str },
    #[error("no next token can be drawn: {reason}; are the weights whole?")]
    NoCandidates { reason: String },
    #[error("the run was cancelled")]
    Cancelled,
    #[error("its context has run over what is asked about; run the text again")]
    Stale,
    #[error("the context is at work; wait for the future of that work, or drop it, first")]
    Busy,

    // The device.
    #[error(
        "no WebGPU adapter: {reason}; install a graphics driver (Vulkan, Metal or DirectX 12) or choose the CPU backend"
    )]
    NoAdapter { reason: String },
    #[error("the adapter gave no device: {reason}; choose the CPU backend, or try again")]
    DeviceRefused { reason: String },
    #[error("{adapter} computes {what} that differ from the CPU's; choose the CPU backend, and please report this")]
    SelfCheck { adapter: String, what: &'static str },
    #[error("the GPU device was lost: {reason}; open the model again")]
    DeviceLost { reason: String },
    #[error("{what} needs {needed} bytes, more than the {limit} there are; shorten the text or choose the CPU backend")]
    OutOfMemory { what: String, needed: u64, limit: u64 },
    #[error(
        "the GPU has no room for {what} ({needed} bytes); choose the CPU backend, a shorter text or a smaller model"
    )]
    DeviceMemory { what: String, needed: u64 },
    #[error(
        "{what} needs {needed} bytes of memory, which this machine does not give; shorten the text or choose a smaller model"
    )]
    MemoryRefused { what: String, needed: u64 },
    #[error(
        "one head's map of this text takes {} MB, more than the {} MB that are read back; shorten the text",
        .needed >> 20,
        .limit >> 20
    )]
    TooManyMaps { needed: u64, limit: u64 },
    #[error(
        "all taps of this text take {} MB, more than the {} MB of a file that is made here; shorten the text, or let the command line write it",
        .needed.div_ceil(1 << 20),
        .limit >> 20
    )]
    FileTooLarge { needed: u64, limit: u64 },
    #[error(
        "a row of {name} takes {bytes} bytes, more than one binding of this adapter holds ({limit}); choose the CPU backend"
    )]
    RowTooLarge { name: String, bytes: u64, limit: u64 },
    #[error("the GPU reported an error: {reason}; choose the CPU backend, and please report this")]
    Gpu { reason: String },

    // The plan: a mistake in a model file, not in the data.
    #[error("{op}: {message}")]
    ShapeMismatch { op: &'static str, message: String },
}

impl Error {
    /// The kind: the variant's name in kebab-case.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// The variant's fields by name, for messages in other languages.
    pub fn parameters(&self) -> Map<String, Value> {
        json::fields(self)
    }

    /// Whether trying again, unchanged, can help.
    pub fn retryable(&self) -> bool {
        matches!(self, Error::Cancelled | Error::DeviceRefused { .. } | Error::DeviceLost { .. })
    }
}

/// Refuses an input.
pub(crate) fn invalid<T>(reason: impl Into<String>) -> Result<T, Error> {
    Err(Error::InvalidInput { reason: reason.into() })
}

impl From<HeaderError> for Error {
    fn from(error: HeaderError) -> Self {
        match error {
            HeaderError::Pickle => Error::Pickle,
            HeaderError::Truncated { expected, found } => Error::Truncated { expected, found },
            HeaderError::Malformed(reason) => Error::MalformedCheckpoint { reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_name_the_thing_and_stay_on_one_line() {
        let wrong = Error::WrongShape { name: "a.weight".into(), expected: vec![2, 3], found: vec![3, 2] };
        assert_eq!(
            wrong.to_string(),
            "tensor a.weight has shape [3, 2], but config.json asks for [2, 3]; is it from the same model?"
        );
        let pickle = Error::Pickle.to_string();
        assert!(pickle.contains("pytorch_model.bin") && !pickle.contains('\n'));
    }

    #[test]
    fn codes_and_parameters_are_the_variants_names_and_fields() {
        let wrong = Error::WrongShape { name: "a".into(), expected: vec![2, 3], found: vec![3, 2] };
        assert_eq!(wrong.code(), "wrong-shape");
        assert_eq!(Value::Object(wrong.parameters()), json!({"name": "a", "expected": [2, 3], "found": [3, 2]}));
        let long = Error::TextTooLong { length: 9, longest: 1 << 40, stretches: true };
        assert_eq!(Value::Object(long.parameters()), json!({"length": 9, "longest": 1_u64 << 40, "stretches": true}));
        assert_eq!((Error::Pickle.code(), Error::Pickle.parameters().len()), ("pickle", 0));
        assert_eq!(Error::UnsupportedDtype { name: "a".into(), dtype: "F4".into() }.code(), "unsupported-dtype");
    }

    #[test]
    fn only_what_may_pass_is_retryable() {
        assert!(Error::DeviceLost { reason: String::new() }.retryable());
        assert!(!Error::Cancelled.to_string().is_empty() && !Error::NoMask { mask_token: String::new() }.retryable());
    }
}
