//! config.json as Hugging Face writes it, checked: sizes, activation and what the model is for.

use serde::Deserialize;

use crate::error::Error;
use crate::ops::Activation;

mod scalar;

use scalar::{Labels, Scalar, Words};

/// The architectures that run here, as `architectures` names them.
pub const ARCHITECTURES: [&str; 6] = [
    "RoFormerModel",
    "RoFormerForMaskedLM",
    "RoFormerForCausalLM",
    "RoFormerForSequenceClassification",
    "RoFormerForTokenClassification",
    "RoFormerForQuestionAnswering",
];

/// Sizes beyond every known RoFormer by an order of magnitude: a larger number is a mistake in the file.
const MOST_LAYERS: u64 = 512;
const MOST_HEADS: u64 = 1024;
const LARGEST_SIZE: u64 = 1 << 16;
const LARGEST_VOCABULARY: u64 = 1 << 24;

/// What config.json says, with Hugging Face's defaults where it says nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Empty, or with at least one of [`ARCHITECTURES`] in it.
    pub architectures: Vec<String>,
    pub vocab_size: usize,
    /// Width of the embeddings; where it is not `hidden_size`, a projection follows them.
    pub embedding_size: usize,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    /// Width of the feed-forward network.
    pub intermediate_size: usize,
    pub hidden_act: Activation,
    /// The longest text, in tokens.
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub layer_norm_eps: f32,
    pub pad_token_id: u32,
    /// Whether values are rotated, too.
    pub rotary_value: bool,
    /// Whether a token sees only those before it.
    pub is_decoder: bool,
    /// Whether the vocabulary head multiplies with the word embeddings rather than with a matrix of its own.
    pub tie_word_embeddings: bool,
    /// Width of a classifier: the entries of id2label, else num_labels, else 2.
    pub num_labels: usize,
    /// The names of the labels, from id2label: (num_labels), or empty where the file names none.
    pub labels: Vec<String>,
}

/// The keys that matter; all others are left unread.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Keys {
    model_type: Scalar,
    architectures: Words,
    vocab_size: Scalar,
    embedding_size: Scalar,
    hidden_size: Scalar,
    num_hidden_layers: Scalar,
    num_attention_heads: Scalar,
    intermediate_size: Scalar,
    hidden_act: Scalar,
    max_position_embeddings: Scalar,
    type_vocab_size: Scalar,
    layer_norm_eps: Scalar,
    pad_token_id: Scalar,
    rotary_value: Scalar,
    is_decoder: Scalar,
    tie_word_embeddings: Scalar,
    num_labels: Scalar,
    id2label: Labels,
    add_cross_attention: Scalar,
    norm_type: Scalar,
    use_bias: Scalar,
}

impl Config {
    /// Reads the text of config.json. Unknown keys are skipped, missing ones take Hugging Face's defaults.
    ///
    /// # Errors
    /// Not a JSON object; another `model_type` or architecture; a setting that does not run here (RoFormer-v2's
    /// `norm_type` and `use_bias`, `add_cross_attention`, `hidden_act`); a number that is none, or out of bounds.
    pub fn parse(json: &str) -> Result<Config, Error> {
        let keys = Keys::parse(json)?;
        keys.refuse_other_models()?;
        let hidden_size = keys.hidden_size.size("hidden_size", 768, LARGEST_SIZE)?;
        let vocab_size = keys.vocab_size.size("vocab_size", 50_000, LARGEST_VOCABULARY)?;
        let labels = keys.labels()?;
        let num_labels = match labels.len() {
            0 => keys.num_labels.size("num_labels", 2, LARGEST_SIZE)?,
            count => count,
        };
        let config = Config {
            vocab_size,
            embedding_size: keys.embedding_size.size("embedding_size", hidden_size, LARGEST_SIZE)?,
            hidden_size,
            num_hidden_layers: keys.num_hidden_layers.size("num_hidden_layers", 12, MOST_LAYERS)?,
            num_attention_heads: keys.num_attention_heads.size("num_attention_heads", 12, MOST_HEADS)?,
            intermediate_size: keys.intermediate_size.size("intermediate_size", 3072, LARGEST_SIZE * 4)?,
            hidden_act: keys.hidden_act()?,
            max_position_embeddings: keys.max_position_embeddings.size(
                "max_position_embeddings",
                1536,
                LARGEST_VOCABULARY,
            )?,
            type_vocab_size: keys.type_vocab_size.size("type_vocab_size", 2, LARGEST_SIZE)?,
            layer_norm_eps: keys.layer_norm_eps.fraction("layer_norm_eps", 1e-12)?,
            pad_token_id: keys.pad_token_id.whole("pad_token_id", 0, 0, vocab_size as u64 - 1)? as u32,
            rotary_value: keys.rotary_value.flag("rotary_value", false)?,
            is_decoder: keys.is_decoder.flag("is_decoder", false)?,
            tie_word_embeddings: keys.tie_word_embeddings.flag("tie_word_embeddings", true)?,
            num_labels,
            labels,
            architectures: keys.architectures.0,
        };
        config.check_heads()?;
        Ok(config)
    }

    /// Width of one attention head.
    pub fn head_size(&self) -> usize {
        self.hidden_size / self.num_attention_heads.max(1)
    }

    fn check_heads(&self) -> Result<(), Error> {
        let (hidden_size, heads) = (self.hidden_size, self.num_attention_heads);
        if !hidden_size.is_multiple_of(heads) {
            return Err(Error::HeadsDoNotDivide { hidden_size, heads });
        }
        let head_size = self.head_size();
        if !head_size.is_multiple_of(2) {
            return Err(Error::OddHeadSize { hidden_size, heads, head_size });
        }
        Ok(())
    }
}

impl Keys {
    fn parse(json: &str) -> Result<Keys, Error> {
        // serde would fill the keys from a list, too.
        if !json.trim_start().starts_with('{') {
            return Err(Error::ConfigNotJson { reason: "it does not begin with {".into() });
        }
        serde_json::from_str(json).map_err(|error| Error::ConfigNotJson { reason: error.to_string() })
    }

    /// What would load, but compute something else than the model does.
    fn refuse_other_models(&self) -> Result<(), Error> {
        if let Some(found) = self.model_type.differs_from("roformer") {
            return Err(Error::UnsupportedModelType { found });
        }
        if let Some(found) = self.norm_type.differs_from("layer_norm") {
            return Err(Error::RoFormerV2 { key: "norm_type".into(), found });
        }
        if !self.use_bias.flag("use_bias", true)? {
            return Err(Error::RoFormerV2 { key: "use_bias".into(), found: "false".into() });
        }
        if self.add_cross_attention.flag("add_cross_attention", false)? {
            return Err(Error::CrossAttention);
        }
        match self.architectures.0.first() {
            Some(first) if !self.architectures.0.iter().any(|name| ARCHITECTURES.contains(&name.as_str())) => {
                Err(Error::UnsupportedArchitecture { found: first.clone() })
            }
            _ => Ok(()),
        }
    }

    fn hidden_act(&self) -> Result<Activation, Error> {
        match &self.hidden_act {
            Scalar::Missing => Ok(Activation::Gelu),
            Scalar::Text(name) if name == "gelu" => Ok(Activation::Gelu),
            Scalar::Text(name) if name == "relu" => Ok(Activation::Relu),
            Scalar::Text(name) if name == "silu" || name == "swish" => Ok(Activation::Silu),
            other => Err(Error::UnsupportedActivation { found: other.quoted() }),
        }
    }

    /// id2label in the order of its ids.
    fn labels(&self) -> Result<Vec<String>, Error> {
        let entries = &self.id2label.0;
        let mut labels = vec![String::new(); entries.len()];
        for (key, name) in entries {
            let slot = key.parse::<usize>().ok().and_then(|id| labels.get_mut(id));
            let slot = slot.ok_or_else(|| Error::ConfigValue {
                key: format!("a key of id2label, which has {} entries,", entries.len()),
                found: format!("{key:?}"),
                expected: "the number of a label, counted from 0 without gaps".into(),
            })?;
            slot.clone_from(name);
        }
        Ok(labels)
    }
}

#[cfg(test)]
mod tests;
