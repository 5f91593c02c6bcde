//! A text as it is given on the command line: itself, or - for standard input.

use std::io::Read;

use crate::error::Error;

/// The text of an argument. A line break at the end of standard input is not a part of it: `echo` puts one there.
///
/// # Errors
/// Standard input that cannot be read, or is no UTF-8.
pub fn read(argument: &str) -> Result<String, Error> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut text = String::new();
    let failed = |error: std::io::Error| Error::Io { path: "standard input".into(), reason: error.to_string() };
    std::io::stdin().lock().read_to_string(&mut text).map_err(failed)?;
    let end = text.strip_suffix('\n').map_or(text.len(), |line| line.strip_suffix('\r').unwrap_or(line).len());
    text.truncate(end);
    Ok(text)
}
