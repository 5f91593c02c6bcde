//! The engine's errors. Each message names the thing and says what to do about it.

use serde::Serialize;
use strum::IntoStaticStr;
use thiserror::Error;

use crate::weights::json::{self, Map, Value};
use crate::weights::{FileDefect, HeaderError, JsonDefect};

mod parameters;

pub use parameters::{Allocation, Condition, Expected, Found, InputList, JsonText, SelfCheckResult};

/// Any failure of the library or the command line. [`Error::code`] and [`Error::parameters`] are for programs, the message is for
/// people.
#[derive(Debug, Clone, PartialEq, Error, IntoStaticStr, Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(untagged)]
#[non_exhaustive]
#[allow(missing_docs)] // Each variant's message is its documentation.
pub enum Error {
    // The model's files.
    #[error("the file of weights is one of PyTorch's and not safetensors; rename it to pytorch_model.bin")]
    Pickle,
    #[error("the weights are cut short: {found} of {expected} bytes are there; download it again")]
    Truncated { expected: u64, found: u64 },
    #[error("the weights are not a readable safetensors file: {defect}")]
    MalformedCheckpoint { defect: FileDefect },
    #[error("the weights hold no tensor {name}, which this architecture needs; is config.json from the same model?")]
    MissingTensor { name: String },
    #[error("tensor {name} has shape {found:?}, but config.json asks for {expected:?}; is it from the same model?")]
    WrongShape { name: String, expected: Vec<u64>, found: Vec<u64> },
    #[error("tensor {name} is stored as {dtype}; save the model as float32, float16 or bfloat16 (F32, F16, BF16)")]
    UnsupportedDtype { name: String, dtype: String },

    #[error("{name} holds numbers beyond what {format} reaches; keep the weights in another format")]
    BeyondFormat { name: String, format: &'static str },

    // config.json.
    #[error("config.json is not a JSON object of settings: {defect}")]
    ConfigNotJson { defect: JsonDefect },
    #[error("config.json: {key} is {found}, but must be {expected}")]
    InvalidConfigValue { key: String, found: Found, expected: Expected },
    #[error(
        "config.json: {key} is {found}, which does not run here{}; supported: {supported}",
        .condition.as_ref().map_or_else(String::new, |condition| format!(" {condition}"))
    )]
    Unsupported { key: String, found: Found, condition: Option<Condition>, supported: String },
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
    InvalidRopeValue { key: String, found: Found, expected: Expected },
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
    #[error("{found} {list} were given, but {expected} are needed")]
    WrongCount { list: InputList, found: usize, expected: usize },
    #[error(
        "the attention mask is neither 0 nor 1 in row {row}, position {position}; give 1 for a token and 0 for padding"
    )]
    InvalidMask { row: usize, position: usize },
    #[error("row {row} of the texts is nothing but padding; give it a token")]
    OnlyPadding { row: usize },
    #[error("position id {id} is not below the length {length}; count positions from 0")]
    PositionOutOfRange { id: u32, length: usize },
    #[error("prediction row {row} is outside the {tokens} tokens; count rows from 0")]
    RowOutOfRange { row: u32, tokens: usize },
    #[error("top-k is {top_k}, but must be from 1 to {most}: the number of fills of a row, or of a layer of the lens")]
    TopKOutOfRange { top_k: usize, most: usize },
    #[error("there is no label: a loss needs one label at least")]
    NoLabels,
    #[error("there is no text: a run needs one at least")]
    NoTexts,
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
    #[error("{architecture} has no part {part}: it is one stack")]
    NoPart { architecture: String, part: &'static str },
    #[error("{part}: there is no layer {layer}, head {head}: layers are below {layers} and heads below {heads}")]
    HeadOutOfRange { part: &'static str, layer: usize, head: usize, layers: usize, heads: usize },
    #[error("{architecture} runs as it is: interventions are for models whose queries and keys rotate")]
    NoRotation { architecture: String },
    #[error(
        "{text:?} is not an intervention: give a site and zero, mean, frozen, rotated, log-n:N, clamp:W or a finite number, as layer.2.head[6,*,*]=zero"
    )]
    InvalidIntervention { text: String },
    #[error(
        "{site} does not take this replacement; frozen and zero go to layer.N.query.rotated[head,*,pairs], zero and mean to \
         layer.N.head[head,row,*], rotated to layer.*.value, log-n to layer.*.query.rotated, clamp to layer.*.score, finite numbers and zero to {numbers}"
    )]
    WrongReplacement { site: String, numbers: String },
    #[error("pairs {first} to {last} are no range: give the first pair and then the last, below {pairs}")]
    PairsOutOfRange { first: usize, last: usize, pairs: usize },
    #[error("{text:?} is not a site: name a tensor of the forward pass, as layer.2.query or attentions.0")]
    UnknownSite { text: String },
    #[error("{text:?} is not a site: its index has {axes} entries, each a number, *, or pairs as p0-3")]
    InvalidSiteIndex { text: String, axes: usize },
    #[error("there is no {site}: the model has {layers} layers")]
    SiteOutOfRange { site: String, layers: usize },
    #[error("there is no {site}: the text has {length} tokens; count rows from 0")]
    SiteRowOutOfRange { site: String, length: usize },
    #[error("{site} is not a tensor that a run keeps; it keeps whole tensors: {taps}")]
    UnsupportedTap { site: String, taps: String },
    #[error(
        "this model computes no {site}: not every model has each norm and its mean, a gate, a softmax, embeddings of positions and types, or logits and probabilities of each token"
    )]
    NoSuchTensor { site: String },
    #[error("log-n: n is {n}, but must be a length above 1")]
    InvalidLogN { n: String },
    #[error("clamping distances rotates rows back, which frozen and ablated pairs do not allow: ask for one of them")]
    ClampedDistancesWithChangedPairs,
    #[error(
        "log-n and clamped distances change the scores of a softmax, which linear attention has none of: run it without them"
    )]
    NoSoftmax,
    #[error("{setting} is a setting of RoFormer alone: this is {architecture}; run it without")]
    SettingOfRoformer { setting: &'static str, architecture: String },
    #[error("positions are added to the embeddings from a table: they cannot be shifted; run without an offset")]
    PositionsFromTable,
    #[error("this size is not measured: give up to {longest} tokens, and an even head size up to {largest}")]
    TrialSizeOutOfRange { longest: usize, largest: usize },
    #[error(
        "stored matrices of {length} tokens and a head size of {head_size} take {needed} bytes, more than the {limit} that are measured; give fewer tokens or smaller heads"
    )]
    TrialTooLarge { length: usize, head_size: usize, needed: u64, limit: u64 },

    // Variants of a model.
    #[error("this model was not read from files: it has no config.json for a variant; load it from its files")]
    NoVariants,
    #[error("these settings need weights that the model was not loaded with; load it with these settings")]
    WeightsNotLoaded,
    #[error("{text} is no JSON: {defect}")]
    InvalidJson { text: JsonText, defect: JsonDefect },

    // Generation.
    #[error(
        "a text of at most {max_length} tokens leaves no room after the {prompt} that it begins with; allow a longer one"
    )]
    NoRoomForTokens { max_length: usize, prompt: usize },
    #[error("the text has ended: nothing can be written after its end")]
    TextEnded,

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
    RotationOfChangedPairs,
    #[error(
        "this run rotates each head's output back by the query's position: after the output projection a value has no norm of its own; run without rotated values"
    )]
    NoNormOfRotatedValues,
    #[error(
        "all maps and logits of this run take {needed} bytes, more than the {limit} that are compared; shorten the text"
    )]
    ComparisonTooLarge { needed: u64, limit: u64 },
    #[error("{name} is of {before:?} in one run and of {now:?} in the other; compare runs of one size")]
    DifferentShapes { name: String, before: Vec<usize>, now: Vec<usize> },
    #[error("{part}: there are no layers {first} to {last}: layers are below {layers}")]
    LayersOutOfRange { part: &'static str, first: usize, last: usize, layers: usize },
    #[error("a mean map is of one head at least; name one")]
    MeanOfNoHead,
    #[error("a mean map is of heads of one part; ask for each part by itself")]
    MeanOfSeveralParts,
    #[error("a rollout follows attention of a text to itself, not cross-attention; choose the encoder or the decoder")]
    RolloutOfCrossAttention,
    #[error("norms are of one text, not of {batch}; run one text alone")]
    NormsOfSeveralTexts { batch: usize },
    #[error("there is no picture before a run and a layout; run a text and call layout first")]
    NoPicture,
    #[error("the CPU backend has no GPU painter; choose the painter \"cpu\"")]
    NoGpuPainter,
    #[error("there is no such {enumeration}; it has {names}")]
    UnknownName { enumeration: &'static str, names: String },
    #[error("a rollout is of one text of at most {longest} tokens, not of {batch} of {length}; shorten it")]
    RolloutTooLong { longest: usize, batch: usize, length: usize },
    #[error("the text has no {mask_token}; put {mask_token} where a word is to be predicted")]
    NoMask { mask_token: String },
    #[error("{architecture} has no vocabulary head and predicts no tokens; choose a masked or causal language model")]
    NoVocabularyHead { architecture: String },
    #[error("{key} is {found}, but must be {expected}")]
    InvalidSamplingSetting { key: &'static str, found: Found, expected: Expected },
    #[error("no next token is left: the rules for the text refuse every one; allow some")]
    NoCandidates,
    #[error("no next token can be drawn, because the logits are not finite numbers; are the weights whole?")]
    LogitsNotFinite,
    #[error("the run was cancelled")]
    Cancelled,
    #[error("its context has run over what is asked about; run the text again")]
    Stale,
    #[error("the context is at work; wait for the future of that work, or drop it, first")]
    Busy,

    // Explanations.
    #[error("{site} names many numbers; give one index for each axis, [{axes}], counted from 0")]
    SiteOfManyNumbers { site: String, axes: String },
    #[error("there is no {site}: its {axis} must be below {size}")]
    SiteIndexOutOfRange { site: String, axis: &'static str, size: usize },
    #[error("the numbers of {site} have no explanation; explain those of another tensor, as attentions.0[0,0,0]")]
    NotExplained { site: String },
    #[error("numbers of one text are explained, and the request has {texts}; give one text")]
    ExplainsOneText { texts: usize },
    #[error("an explanation of this depth has too many numbers; ask for less depth")]
    ExplanationTooLarge,
    #[error(
        "numbers have an explanation only if all interventions put numbers or switch neurons off, and logits have terms only if none \
         changes the residual stream; leave the others out"
    )]
    ExplainsNoInterventions,

    // The device.
    #[error(
        "no WebGPU adapter: {reason}; install a graphics driver (Vulkan, Metal or DirectX 12) or choose the CPU backend"
    )]
    NoAdapter { reason: String },
    #[error("{adapter} is a software adapter, which is slower than the CPU backend; choose the CPU backend")]
    SoftwareAdapter { adapter: String },
    #[error(
        "{device} has no exact 16-bit floats in shaders (shader-f16), which a KV cache of f16 needs; leave the cache as f32"
    )]
    NoF16 { device: String },
    #[error("the adapter gave no device: {reason}; choose the CPU backend, or try again")]
    DeviceRefused { reason: String },
    #[error("{adapter} computes {what} that differ from the CPU's; choose the CPU backend, and please report this")]
    SelfCheckFailed { adapter: String, what: SelfCheckResult },
    #[error("the GPU device was lost: {reason}; open the model again")]
    DeviceLost { reason: String },
    #[error("{what} needs {needed} bytes, more than the {limit} there are; shorten the text or choose the CPU backend")]
    OutOfMemory { what: Allocation, needed: u64, limit: u64 },
    #[error(
        "the GPU has no room for {what} ({needed} bytes); choose the CPU backend, a shorter text or a smaller model"
    )]
    DeviceOutOfMemory { what: Allocation, needed: u64 },
    #[error(
        "{what} needs {needed} bytes of memory, which this machine does not give; shorten the text or choose a smaller model"
    )]
    MemoryRefused { what: Allocation, needed: u64 },
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
        "the tensors of these sites take {} MB, more than the {} MB that a run keeps; name fewer layers, or shorten the text",
        .needed.div_ceil(1 << 20),
        .limit >> 20
    )]
    SitesTooLarge { needed: u64, limit: u64 },
    #[error(
        "a row of {name} takes {bytes} bytes, more than one binding of this adapter holds ({limit}); choose the CPU backend"
    )]
    RowTooLarge { name: String, bytes: u64, limit: u64 },
    #[error("the GPU cannot paint on this canvas; reload the page, or choose the CPU backend")]
    CanvasRefused,
    #[error("the GPU reported an error: {reason}; choose the CPU backend, and please report this")]
    Gpu { reason: String },

    // Mistakes in this program, not in the data.
    #[error("a mistake in ropescope: {reason}; please report it")]
    Internal { reason: String },
    #[error("{op}: {message}")]
    ShapeMismatch { op: &'static str, message: String },

    // The command line, which JavaScript never sees.
    #[cfg(feature = "cli")]
    #[error("{path}: no such file or folder; a model is a folder with config.json and model.safetensors")]
    FileNotFound { path: String },
    #[cfg(feature = "cli")]
    #[error("{path}: {reason}")]
    Io { path: String, reason: String },
    #[cfg(feature = "cli")]
    #[error("{path}: {reason}")]
    Tokenizer { path: String, reason: String },
    #[cfg(feature = "cli")]
    #[error("{reason}")]
    InvalidArgument { reason: String },
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

impl From<HeaderError> for Error {
    fn from(error: HeaderError) -> Self {
        match error {
            HeaderError::Pickle => Error::Pickle,
            HeaderError::Truncated { expected, found } => Error::Truncated { expected, found },
            HeaderError::Malformed(defect) => Error::MalformedCheckpoint { defect },
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
