//! The token that stands for a word to predict.

use std::path::Path;

use serde_json::Value;

/// What tokenizer_config.json or special_tokens_map.json names, else the added token `[MASK]` or `<mask>`; none where the
/// model has none.
pub fn declared(folder: &Path, tokenizer: &tokenizers::Tokenizer) -> Option<String> {
    let named = ["tokenizer_config.json", "special_tokens_map.json"].iter().find_map(|name| named(&folder.join(name)));
    let added = tokenizer.get_added_vocabulary().get_vocab();
    named.or_else(|| ["[MASK]", "<mask>"].into_iter().find(|token| added.contains_key(*token)).map(str::to_string))
}

/// A file that is missing or cannot be read says nothing: the model may do without it.
fn named(path: &Path) -> Option<String> {
    let settings: Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    let mask = settings.get("mask_token")?;
    mask.as_str().or_else(|| mask["content"].as_str()).map(str::to_string)
}
