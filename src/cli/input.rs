//! What a model is run on: a text for the folder's tokenizer, or ids.

use std::path::PathBuf;

use clap::Args;

use super::rows::Rows;
use super::text;
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
    /// The file that standard input is, where the text is read from there.
    pub fn stdin_file(&self) -> Option<PathBuf> {
        (cfg!(unix) && self.text.as_deref() == Some("-")).then(|| "/dev/stdin".into())
    }

    /// The ids, or those that `encode` makes of the text.
    ///
    /// # Errors
    /// Ids that are none, standard input that cannot be read, what `encode` meets.
    pub fn rows(&self, encode: impl FnOnce(&str) -> Result<Vec<u32>, Error>) -> Result<Rows, Error> {
        if let Some(ids) = &self.ids {
            return Rows::parse("--ids", ids);
        }
        let values = encode(&text::read(self.text.as_deref().unwrap_or_default())?)?;
        Ok(Rows { batch: 1, length: values.len(), values })
    }
}
