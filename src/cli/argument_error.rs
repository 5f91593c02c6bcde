//! The error for arguments that a command does not take.

use crate::error::Error;

/// [`Error::InvalidArgument`]. `reason` names the argument and says which values it takes.
pub fn invalid<T>(reason: impl Into<String>) -> Result<T, Error> {
    Err(Error::InvalidArgument { reason: reason.into() })
}
