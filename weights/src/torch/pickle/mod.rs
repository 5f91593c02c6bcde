//! Pickles, interpreted by a machine with a subset of the opcodes, which can call nothing.

mod class;
mod error;
mod machine;
mod rebuild;
mod value;

pub use error::PickleError;
pub use value::{Id, Pickle, PickledTensor, Value};

/// The longest pickle that is read: that of a hundred thousand tensors has some ten MB.
pub const MAX_PICKLE_BYTES: u64 = 16_000_000;

/// Reads the pickle at the start of `bytes`; bytes after it are ignored.
pub fn read(bytes: &[u8]) -> Result<Pickle<'_>, PickleError> {
    machine::Machine::new(bytes).run()
}
