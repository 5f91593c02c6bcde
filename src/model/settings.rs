//! Settings of config.json that several families read.

use super::Keys;
use crate::error::{Condition, Error, Expected};
use crate::kernels::Activation;
use crate::weights::quoted;

/// Layer types, as `layer_types` and `rope_parameters` name them.
pub(super) const FULL: &str = "full_attention";
pub(super) const SLIDING: &str = "sliding_attention";

/// Bounds an order of magnitude above every known small model: a larger number is a mistake in the file.
pub const MOST_LAYERS: u64 = 512;
pub const MOST_HEADS: u64 = 1024;
pub const LARGEST_SIZE: u64 = 1 << 16;
pub const LARGEST_INNER: u64 = 1 << 18;
pub const LARGEST_VOCABULARY: u64 = 1 << 24;

/// The index of the setting in `names`; 0 if it is missing.
pub(super) fn one_of(keys: &Keys, key: &str, names: &[&str]) -> Result<usize, Error> {
    if !keys.contains(key) {
        return Ok(0);
    }
    let name = keys.text(key).ok().flatten();
    let index = names.iter().position(|other| Some(*other) == name);
    index.ok_or_else(|| keys.unsupported(key, None, names.join(", ")))
}

/// The activation function under `key`.
pub(super) fn activation(keys: &Keys, key: &str, default: Activation) -> Result<Activation, Error> {
    if !keys.contains(key) {
        return Ok(default);
    }
    let activation = keys.text(key).ok().flatten().and_then(Activation::named);
    activation.ok_or_else(|| keys.unsupported(key, None, "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh, relu, silu"))
}

/// The labels' names, and how many labels a classifier has: `num_labels` if the file names none.
pub(super) fn labels(keys: &Keys) -> Result<(Vec<String>, usize), Error> {
    let labels = keys.labels()?;
    let count = if labels.is_empty() { keys.size("num_labels", 2, LARGEST_SIZE)? } else { labels.len() };
    Ok((labels, count))
}

/// Whether each of `count` layers has a sliding window: by `layer_types`, or by `default` of the layer's index if that is missing.
pub(super) fn sliding_layers(keys: &Keys, count: usize, default: &dyn Fn(usize) -> bool) -> Result<Vec<bool>, Error> {
    let types = keys.texts("layer_types")?;
    if types.is_empty() {
        return Ok((0..count).map(default).collect());
    }
    if types.len() < count {
        return Err(keys.error("layer_types", Expected::EntryForEachLayer));
    }
    let slides = |name: String| match name.as_str() {
        FULL => Ok(false),
        SLIDING => Ok(true),
        _ => Err(Error::Unsupported {
            key: "layer_types".into(),
            found: quoted(&name).into(),
            condition: None,
            supported: "full_attention, sliding_attention".into(),
        }),
    };
    types.into_iter().map(slides).collect()
}

/// Refuses a flag whose feature the family does not have.
pub(super) fn refuse_flag(keys: &Keys, key: &str, model_type: &str) -> Result<(), Error> {
    let condition = Condition::Setting { key: "model_type", value: model_type.into() };
    if keys.flag(key, false)? { Err(keys.unsupported(key, condition, "false")) } else { Ok(()) }
}

/// `[heads, key heads, head size]` of a model in which each head has keys of its own, and the heads divide the hidden size.
pub(super) fn equal_heads(keys: &Keys, hidden_size: usize) -> Result<[usize; 3], Error> {
    split_heads(hidden_size, keys.size("num_attention_heads", 12, MOST_HEADS)?)
}

/// `[heads, key heads, head size]` of this number of heads.
pub(super) fn split_heads(hidden_size: usize, heads: usize) -> Result<[usize; 3], Error> {
    if !hidden_size.is_multiple_of(heads) {
        return Err(Error::HeadsDoNotDivide { hidden_size, heads });
    }
    let head_size = hidden_size / heads;
    if !head_size.is_multiple_of(2) {
        return Err(Error::OddHeadSize { hidden_size, heads, head_size });
    }
    Ok([heads, heads, head_size])
}

/// `[heads, key heads, head size]`, with their defaults. A default of 0 means as many key heads as heads, and a head size of
/// hidden_size / heads.
pub(super) fn heads(keys: &Keys, hidden_size: usize, defaults: [usize; 3]) -> Result<[usize; 3], Error> {
    let or = |default: usize, other: usize| if default > 0 { default } else { other.max(1) };
    let heads = keys.size("num_attention_heads", defaults[0], MOST_HEADS)?;
    let key_heads = keys.size("num_key_value_heads", or(defaults[1], heads), MOST_HEADS)?;
    let divides = hidden_size.is_multiple_of(heads);
    let head_size = keys.size("head_dim", or(defaults[2], hidden_size / heads), LARGEST_SIZE)?;
    if !divides && defaults[2] == 0 && !keys.contains("head_dim") {
        return Err(Error::HeadsDoNotDivide { hidden_size, heads });
    }
    if !heads.is_multiple_of(key_heads) {
        return Err(Error::KeyHeadsDoNotDivide { heads, key_heads });
    }
    if !head_size.is_multiple_of(2) {
        return Err(Error::OddHeadSize { hidden_size, heads, head_size });
    }
    Ok([heads, key_heads, head_size])
}
