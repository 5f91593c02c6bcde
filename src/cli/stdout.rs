//! Standard output: text, or a value as a line of JSON.

use std::io::{ErrorKind, Write};

use serde::Serialize;

use crate::error::Error;

/// Writes a text at once. A reader that closes the pipe early (`| head`) is no error.
pub fn print(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(failure(&error)),
        _ => Ok(()),
    }
}

pub fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(|error| failure(&error))
}

pub fn indented_json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| failure(&error))
}

fn failure(error: &dyn std::fmt::Display) -> Error {
    Error::Io { path: "standard output".into(), reason: error.to_string() }
}
