//! Pickles, read by a machine of a few opcodes that can call nothing.

mod class;
mod machine;
mod rebuild;
mod value;

use crate::refusal::{Refusal, Under};
pub use value::{Id, Pickle, Rebuilt, Value};

/// The longest pickle that is read: that of a hundred thousand tensors has some ten MB.
pub const LONGEST: u64 = 16_000_000;

/// Why a pickle was not read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Its bytes end before it does.
    Ended,
    /// It wants to do something. `under`: the name beside it.
    Call { what: String, under: Option<String> },
    /// It is this, which is not read.
    Unsupported(String),
    /// It is no pickle of plain data.
    Malformed(String),
}

impl Fault {
    /// As what is wrong with a file.
    pub fn refusal(self, file: &str) -> Refusal {
        let file = file.into();
        match self {
            Fault::Ended => Refusal::Malformed { file, reason: "its pickle is cut short".into() },
            Fault::Call { what, under } => Refusal::Call { file, what, under: Under(under) },
            Fault::Unsupported(what) => Refusal::Unsupported { file, what },
            Fault::Malformed(reason) => Refusal::Malformed { file, reason },
        }
    }
}

/// Reads the pickle at the beginning of `bytes`; what follows it is left alone.
///
/// # Errors
/// See [`Fault`].
pub fn read(bytes: &[u8]) -> Result<Pickle<'_>, Fault> {
    machine::Machine::new(bytes).run()
}
