//! Models of proteins: a token is one residue, and texts may be FASTA records.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;

use crate::cli::file::{LARGEST_SETTINGS, read_if_there};
use crate::error::Error;

#[derive(Deserialize)]
struct TokenizerConfig {
    tokenizer_class: Option<String>,
}

/// Whether tokenizer_config.json says that texts are sequences of residues.
///
/// # Errors
/// A file that cannot be read.
pub fn declared(folder: &Path) -> Result<bool, Error> {
    let settings = read_if_there(&folder.join("tokenizer_config.json"), LARGEST_SETTINGS)?;
    let settings = settings.and_then(|json| serde_json::from_slice::<TokenizerConfig>(&json).ok());
    Ok(settings.and_then(|settings| settings.tokenizer_class).is_some_and(|class| class == "EsmTokenizer"))
}

/// The sequence of a FASTA record, where the text is one, without its description and the records behind it. Any other text is left
/// as it is.
pub fn sequence_of(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with('>') {
        return text.into();
    }
    let line_end = |character| matches!(character, '\r' | '\n');
    let lines = text.trim_start().split(line_end).skip(1);
    lines.take_while(|line| !line.trim_start().starts_with('>')).collect::<Vec<_>>().join("\n").into()
}
