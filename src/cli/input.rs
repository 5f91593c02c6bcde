//! The input of a command: a text for the model's tokenizer, or token ids.

use std::io::Read;
use std::path::PathBuf;

use clap::Args;

use super::file::LONGEST_TEXT;
use super::rows::TokenRows;
use crate::error::Error;

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Input {
    /// A text, for the tokenizer of the model's folder; - reads standard input.
    #[arg(long)]
    text: Option<String>,
    /// Token ids: commas separate numbers, semicolons separate rows.
    #[arg(long, value_name = "ROWS")]
    ids: Option<String>,
}

impl Input {
    /// The path of standard input, if the text comes from there.
    pub fn stdin_file(&self) -> Option<PathBuf> {
        (cfg!(unix) && self.text.as_deref() == Some("-")).then(|| "/dev/stdin".into())
    }

    /// The ids of the command line, or those of the encoded text.
    pub fn rows(&self, encode: impl FnOnce(&str) -> Result<Vec<u32>, Error>) -> Result<TokenRows, Error> {
        if let Some(ids) = &self.ids {
            return TokenRows::parse("--ids", ids);
        }
        let values = encode(&read_text(self.text.as_deref().unwrap_or_default())?)?;
        Ok(TokenRows { batch: 1, length: values.len(), values })
    }
}

/// The text of an argument, or of standard input for `-`. A line break at the end of standard input, as `echo` writes it, is dropped.
pub fn read_text(argument: &str) -> Result<String, Error> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let failed = |reason: String| Error::Io { path: "standard input".into(), reason };
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST_TEXT + 1).read_to_end(&mut bytes);
    read.map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > LONGEST_TEXT {
        let most = LONGEST_TEXT >> 20;
        return Err(failed(format!("the text is larger than {most} MB, the most that is read; shorten it")));
    }
    let mut text = String::from_utf8(bytes).map_err(|_| failed("is not UTF-8 text".into()))?;
    let end = text.strip_suffix('\n').map_or(text.len(), |line| line.strip_suffix('\r').unwrap_or(line).len());
    text.truncate(end);
    Ok(text)
}
