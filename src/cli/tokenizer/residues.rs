//! Protein models: a token is one residue, and a text may be a FASTA record.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;

use crate::cli::file::{LARGEST_SETTINGS, read_optional};
use crate::error::Error;

#[derive(Deserialize)]
struct TokenizerConfig {
    tokenizer_class: Option<String>,
}

/// Whether tokenizer_config.json has the class of ESM's tokenizer.
pub fn are_tokens(folder: &Path) -> Result<bool, Error> {
    let settings = read_optional(&folder.join("tokenizer_config.json"), LARGEST_SETTINGS)?;
    let settings = settings.and_then(|json| serde_json::from_slice::<TokenizerConfig>(&json).ok());
    Ok(settings.and_then(|settings| settings.tokenizer_class).is_some_and(|class| class == "EsmTokenizer"))
}

/// The sequence of the first FASTA record, without its description. Any other text stays unchanged.
pub fn sequence_of(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with('>') {
        return text.into();
    }
    let line_end = |character| matches!(character, '\r' | '\n');
    let lines = text.trim_start().split(line_end).skip(1);
    lines.take_while(|line| !line.trim_start().starts_with('>')).collect::<Vec<_>>().join("\n").into()
}
