//! The input of a command: a text for the model's tokenizer, or token ids.

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
    /// The path of standard input, if the text comes from there.
    pub fn stdin_file(&self) -> Option<PathBuf> {
        (cfg!(unix) && self.text.as_deref() == Some("-")).then(|| "/dev/stdin".into())
    }

    /// The ids of the command line, or those of the encoded text.
    pub fn rows(&self, encode: impl FnOnce(&str) -> Result<Vec<u32>, Error>) -> Result<Rows, Error> {
        if let Some(ids) = &self.ids {
            return Rows::parse("--ids", ids);
        }
        let values = encode(&text::read(self.text.as_deref().unwrap_or_default())?)?;
        Ok(Rows { batch: 1, length: values.len(), values })
    }
}
