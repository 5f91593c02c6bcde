//! The text of an argument, or of standard input for `-`.

use std::io::Read;

use super::file::LONGEST_TEXT;
use crate::error::Error;

/// Reads the text. The line break at the end of standard input, which `echo` writes, is not a part of it.
pub fn read(argument: &str) -> Result<String, Error> {
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
