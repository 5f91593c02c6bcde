//! A text as it is given on the command line: itself, or - for standard input.

use std::io::Read;

use super::file::LONGEST_TEXT;
use crate::error::Error;

/// The text of an argument. A line break at the end of standard input is not a part of it: `echo` puts one there.
///
/// # Errors
/// Standard input that cannot be read, is no UTF-8, or goes on beyond [`LONGEST_TEXT`].
pub fn read(argument: &str) -> Result<String, Error> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut text = String::new();
    let failed = |error: std::io::Error| Error::Io { path: "standard input".into(), reason: error.to_string() };
    std::io::stdin().lock().take(LONGEST_TEXT + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > LONGEST_TEXT {
        let reason = format!("the text is larger than {} MB, the most that is read; shorten it", LONGEST_TEXT >> 20);
        return Err(Error::Io { path: "standard input".into(), reason });
    }
    let end = text.strip_suffix('\n').map_or(text.len(), |line| line.strip_suffix('\r').unwrap_or(line).len());
    text.truncate(end);
    Ok(text)
}
