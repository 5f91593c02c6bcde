//! Settings of a tokenizer in files of their own: tokenizer_config.json and special_tokens_map.json.

use std::path::Path;

use serde_json::Value;

use crate::cli::file::{LARGEST_SETTINGS, read_optional};
use crate::error::Error;

/// The settings that a tokenizer's own file does not have.
pub struct TokenizerSettings {
    /// `do_lower_case` of BERT's WordPiece.
    pub lowercases: Option<bool>,
    /// Whether tokens are residues: the class is that of ESM's tokenizer.
    pub has_residues: bool,
    /// The mask token of either file.
    pub mask_token: Option<String>,
}

impl TokenizerSettings {
    /// Both files are optional, so a file of another form counts as missing.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let read = |name: &str| -> Result<Value, Error> {
            let json = read_optional(&folder.join(name), LARGEST_SETTINGS)?;
            Ok(json.and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default())
        };
        let config = read("tokenizer_config.json")?;
        let mask = |settings: &Value| {
            let mask = &settings["mask_token"];
            mask.as_str().or_else(|| mask["content"].as_str()).map(str::to_string)
        };
        Ok(Self {
            lowercases: config["do_lower_case"].as_bool(),
            has_residues: config["tokenizer_class"] == "EsmTokenizer",
            mask_token: match mask(&config) {
                Some(token) => Some(token),
                None => mask(&read("special_tokens_map.json")?),
            },
        })
    }
}
