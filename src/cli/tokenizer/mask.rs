//! The mask token.

use std::path::Path;

use serde_json::Value;

use crate::cli::file::{LARGEST_SETTINGS, read_optional};
use crate::error::Error;

/// The mask token of tokenizer_config.json or special_tokens_map.json, else the added token `[MASK]` or `<mask>`.
pub fn mask_token(folder: &Path, tokenizer: &tokenizers::Tokenizer) -> Result<Option<String>, Error> {
    for name in ["tokenizer_config.json", "special_tokens_map.json"] {
        if let Some(token) = read_optional(&folder.join(name), LARGEST_SETTINGS)?.and_then(|json| mask_in(&json)) {
            return Ok(Some(token));
        }
    }
    let added = tokenizer.get_added_vocabulary().get_vocab();
    Ok(["[MASK]", "<mask>"].into_iter().find(|token| added.contains_key(*token)).map(str::to_string))
}

/// A file of another form counts as one without a mask token, because it is optional.
fn mask_in(json: &[u8]) -> Option<String> {
    let settings: Value = serde_json::from_slice(json).ok()?;
    let mask = settings.get("mask_token")?;
    mask.as_str().or_else(|| mask["content"].as_str()).map(str::to_string)
}
