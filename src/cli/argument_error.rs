//! The error for arguments that a command does not take.

use crate::error::Error;

/// Refuses an argument, in words that name it and say what to give.
pub fn invalid<T>(reason: impl Into<String>) -> Result<T, Error> {
    Err(Error::InvalidArgument { reason: reason.into() })
}
