//! What a model is run on: a text for the folder's tokenizer, or ids.

use std::io::Read;

use clap::Args;

use super::rows::Rows;
use crate::error::Error;

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Input {
    /// A text, for the tokenizer of the model's folder; - reads standard input.
    #[arg(long)]
    text: Option<String>,
    /// Token ids: numbers by commas, rows by semicolons.
    #[arg(long, value_name = "ROWS")]
    ids: Option<String>,
}

impl Input {
    /// The ids, or those that `encode` makes of the text.
    ///
    /// # Errors
    /// Ids that are none, standard input that cannot be read, what `encode` meets.
    pub fn rows(&self, encode: impl FnOnce(&str) -> Result<Vec<u32>, Error>) -> Result<Rows, Error> {
        if let Some(ids) = &self.ids {
            return Rows::parse("--ids", ids);
        }
        let values = encode(&text_or_input(self.text.as_deref().unwrap_or_default())?)?;
        Ok(Rows { batch: 1, length: values.len(), values })
    }
}

/// The text itself, or standard input for "-", without the line's end that a shell puts there.
///
/// # Errors
/// Standard input that is no UTF-8 text.
pub fn text_or_input(text: &str) -> Result<String, Error> {
    if text != "-" {
        return Ok(text.into());
    }
    let mut read = String::new();
    let failed = |error: std::io::Error| Error::Io { path: "standard input".into(), reason: error.to_string() };
    std::io::stdin().read_to_string(&mut read).map_err(failed)?;
    Ok(read.strip_suffix('\n').map_or(read.clone(), String::from))
}
