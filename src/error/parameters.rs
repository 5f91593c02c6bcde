//! Parameters of errors that a message puts in words. Programs read their codes: the names in kebab-case.

use serde::Serialize;
use strum::Display;

use crate::number::format_number;
use crate::weights::json::Value;
use crate::weights::quoted;

/// Memory that an engine allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // The words say what each is.
pub enum Allocation {
    #[strum(to_string = "the weights")]
    Weights,
    #[strum(to_string = "a copy of the weights")]
    WeightsCopy,
    /// One matrix for each position: see [`crate::trial`].
    #[strum(to_string = "the stored matrices")]
    RotationMatrices,
    #[strum(to_string = "the activations")]
    Activations,
    #[strum(to_string = "an activation")]
    Activation,
    #[strum(to_string = "an answer")]
    Results,
    #[strum(to_string = "the cache")]
    Cache,
    #[strum(to_string = "the repetition penalty")]
    RepetitionPenalty,
}

/// A result that the self-check of an adapter compares with the CPU's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum SelfCheckResult {
    #[strum(to_string = "fills")]
    Fills,
    #[strum(to_string = "an attention map")]
    AttentionMap,
    #[strum(to_string = "queries")]
    Queries,
    #[strum(to_string = "keys")]
    Keys,
}

/// A list that has an entry for each token, each prediction row or each text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum InputList {
    #[strum(to_string = "ids")]
    Ids,
    #[strum(to_string = "numbers of the attention mask")]
    AttentionMask,
    #[strum(to_string = "token types")]
    TokenTypes,
    #[strum(to_string = "position ids")]
    PositionIds,
    #[strum(to_string = "labels")]
    Labels,
    #[strum(to_string = "lists of banned ids")]
    Bans,
    #[strum(to_string = "random numbers")]
    Draws,
    #[strum(to_string = "sources")]
    Sources,
}

/// A JSON text that a caller writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum JsonText {
    #[strum(to_string = "the rope's scaling")]
    RopeScaling,
    #[strum(to_string = "the text of the sampling settings")]
    SamplingSettings,
}

/// The value of a setting that the engine refuses.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Found {
    #[strum(to_string = "missing")]
    Missing,
    #[strum(to_string = "a list of {length}")]
    List { length: usize },
    #[strum(to_string = "an object")]
    Object,
    /// An object that has this key.
    #[strum(to_string = "an object with the key {key}")]
    Key { key: String },
    #[strum(to_string = "too large")]
    TooLarge,
    /// The value as the file writes it.
    #[strum(to_string = "{value}")]
    Value { value: String },
}

impl Found {
    /// A value as its file writes it, on one line and not longer than one.
    pub fn json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Missing,
            Value::Array(list) => Self::List { length: list.len() },
            Value::Object(_) => Self::Object,
            Value::String(text) => quoted(text).into(),
            scalar => scalar.to_string().into(),
        }
    }
}

impl<T: Into<String>> From<T> for Found {
    fn from(value: T) -> Self {
        Self::Value { value: value.into() }
    }
}

/// The condition under which a setting is refused that is supported otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Display, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Condition {
    /// Another setting has this value.
    #[strum(to_string = "where {key} is {value}")]
    Setting { key: &'static str, value: String },
    #[strum(to_string = "in layers with a sliding window")]
    SlidingLayers,
}

/// The values that a setting may have. thiserror writes its words: numbers in them go through `written`.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Expected {
    #[error("a number")]
    Number,
    #[error("{} or more", format_number(*least))]
    NumberFrom { least: f64 },
    #[error("a number above {}", format_number(*bound))]
    NumberAbove { bound: f64 },
    #[error("a number from {} to {}", format_number(*least), format_number(*most))]
    NumberBetween { least: f64, most: f64 },
    #[error("above {} and at most {}", format_number(*bound), format_number(*most))]
    NumberAboveUpTo { bound: f64, most: f64 },
    /// More than another setting.
    #[error("more than {key}")]
    MoreThan { key: &'static str },
    #[error("a whole number from {least} to {most}")]
    IntegerBetween { least: u64, most: u64 },
    #[error("an even number from {least} to {most}")]
    EvenNumberBetween { least: usize, most: usize },
    #[error("an even number")]
    EvenNumber,
    /// A share of a head's dimensions.
    #[error("the share of an even number of dimensions, not of {dimensions}")]
    EvenShare { dimensions: usize },
    /// Of yarn, where a base of 1 does not order the pairs.
    #[error("a number other than 1, because yarn tells fast pairs from slow ones")]
    OtherThanOne,
    #[error("true or false")]
    Flag,
    #[error("a text")]
    Text,
    #[error("a list of names")]
    TextList,
    #[error("a list of ids")]
    IdList,
    #[error("a list of lists of ids")]
    IdLists,
    /// One id or a list of them.
    #[error("a whole number from 0 to {most}, or a list of such")]
    Ids { most: u32 },
    #[error("the mask token's id, which token_dropout needs")]
    MaskTokenId,
    #[error("an object of settings")]
    Object,
    /// An object with an object under this key.
    #[error("an object with an object under {key}")]
    ObjectWithObject { key: &'static str },
    #[error("an object from numbers to the names of labels, {most} at most")]
    LabelNames { most: usize },
    #[error("an object whose keys are the label numbers 0 to {last}, each once")]
    LabelNumbers { last: usize },
    /// A list for all layers.
    #[error("a list with an entry for each layer")]
    EntryForEachLayer,
    /// A list of factors of longrope.
    #[error("a list with a number above 0 for each pair that rotates")]
    FactorForEachPair,
    #[error("a list of {pairs}, one for each pair that rotates")]
    OneForEachPair { pairs: usize },
    /// A setting of one rope, where an object by layer type is not read.
    #[error("a setting of one rope, not an object for each layer type")]
    SettingOfOneRope,
    /// A rope that pairs as many columns as the model's own.
    #[error("one that pairs {before} columns of a head, as the model's own, not {after}")]
    PairedColumns { before: usize, after: usize },
}
