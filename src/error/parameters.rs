//! Parameters of errors that a message puts in words. Programs read their codes: the names in kebab-case.

use std::fmt;

use serde::Serialize;
use strum::Display;

use crate::number::written;

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

/// What the self-check of an adapter compares with the CPU's.
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

/// What a setting is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Found {
    Missing,
    List,
    Object,
    TooLarge,
    /// The value as the file writes it.
    Value {
        value: String,
    },
}

impl<T: Into<String>> From<T> for Found {
    fn from(value: T) -> Self {
        Self::Value { value: value.into() }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::List => "a list",
            Self::Object => "an object",
            Self::TooLarge => "too large",
            Self::Value { value } => value,
        })
    }
}

/// What a setting must be.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Expected {
    Number,
    NumberFrom {
        least: f64,
    },
    NumberAbove {
        bound: f64,
    },
    NumberBetween {
        least: f64,
        most: f64,
    },
    NumberAboveUpTo {
        bound: f64,
        most: f64,
    },
    /// More than another setting.
    MoreThan {
        key: &'static str,
    },
    /// At most another setting.
    AtMost {
        key: &'static str,
        most: usize,
    },
    IntegerBetween {
        least: u64,
        most: u64,
    },
    EvenNumber,
    EvenNumberBetween {
        least: usize,
        most: usize,
    },
    /// Of yarn, where a base of 1 does not order the pairs.
    OtherThanOne,
    Flag,
    Text,
    TextList,
    /// One id or a list of them.
    Ids {
        most: u32,
    },
    MaskTokenId,
    Object,
    /// An object with an object under this key.
    ObjectWithObject {
        key: &'static str,
    },
    LabelNames {
        most: usize,
    },
    /// A label's number.
    LabelNumber {
        count: usize,
    },
    /// A list for all layers.
    EntryForEachLayer,
    /// A list of factors of longrope.
    FactorForEachPair,
    OneForEachPair {
        pairs: usize,
    },
    /// A setting of one rope, where an object by layer type is not read.
    SettingOfOneRope,
    /// A rope that pairs as many columns as the model's own.
    PairedColumns {
        before: usize,
        after: usize,
    },
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number => f.write_str("a number"),
            Self::NumberFrom { least } => write!(f, "{} or more", written(*least)),
            Self::NumberAbove { bound } => write!(f, "a number above {}", written(*bound)),
            Self::NumberBetween { least, most } => write!(f, "a number from {} to {}", written(*least), written(*most)),
            Self::NumberAboveUpTo { bound, most } => {
                write!(f, "above {} and at most {}", written(*bound), written(*most))
            }
            Self::MoreThan { key } => write!(f, "more than {key}"),
            Self::AtMost { key, most } => write!(f, "up to {key}, {most}"),
            Self::IntegerBetween { least, most } => write!(f, "a whole number from {least} to {most}"),
            Self::EvenNumber => f.write_str("an even number"),
            Self::EvenNumberBetween { least, most } => write!(f, "an even number from {least} to {most}"),
            Self::OtherThanOne => f.write_str("a number other than 1, because yarn tells fast pairs from slow ones"),
            Self::Flag => f.write_str("true or false"),
            Self::Text => f.write_str("a text"),
            Self::TextList => f.write_str("a list of names"),
            Self::Ids { most } => write!(f, "a whole number from 0 to {most}, or a list of such"),
            Self::MaskTokenId => f.write_str("the mask token's id, which token_dropout needs"),
            Self::Object => f.write_str("an object of settings"),
            Self::ObjectWithObject { key } => write!(f, "an object with an object under {key}"),
            Self::LabelNames { most } => write!(f, "an object from numbers to the names of labels, {most} at most"),
            Self::LabelNumber { count } => write!(f, "under a number below {count}, as each label once"),
            Self::EntryForEachLayer => f.write_str("a list with an entry for each layer"),
            Self::FactorForEachPair => f.write_str("a list with a number above 0 for each pair that rotates"),
            Self::OneForEachPair { pairs } => write!(f, "{pairs}, one for each pair that rotates"),
            Self::SettingOfOneRope => f.write_str("a setting of one rope, not an object for each layer type"),
            Self::PairedColumns { before, after } => {
                write!(f, "one that pairs {before} columns of a head, as the model's own, not {after}")
            }
        }
    }
}
