//! The token that stands for a word to predict.

use std::path::Path;

use serde_json::Value;

use crate::cli::file::{LARGEST_SETTINGS, read_if_there};
use crate::error::Error;

/// What tokenizer_config.json or special_tokens_map.json names, else the added token `[MASK]` or `<mask>`; none where the
/// model has none.
///
/// # Errors
/// A file that cannot be read.
pub fn declared(folder: &Path, tokenizer: &tokenizers::Tokenizer) -> Result<Option<String>, Error> {
    for name in ["tokenizer_config.json", "special_tokens_map.json"] {
        if let Some(token) = read_if_there(&folder.join(name), LARGEST_SETTINGS)?.and_then(|json| named(&json)) {
            return Ok(Some(token));
        }
    }
    let added = tokenizer.get_added_vocabulary().get_vocab();
    Ok(["[MASK]", "<mask>"].into_iter().find(|token| added.contains_key(*token)).map(str::to_string))
}

/// A file of another form says nothing: the model may do without it.
fn named(json: &[u8]) -> Option<String> {
    let settings: Value = serde_json::from_slice(json).ok()?;
    let mask = settings.get("mask_token")?;
    mask.as_str().or_else(|| mask["content"].as_str()).map(str::to_string)
}
