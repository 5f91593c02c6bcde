//! The Hugging Face class of a config.

use crate::weights::Header;

/// The class that a config names, or the tensors that tell it.
#[derive(Clone, Copy)]
pub struct Class<'a> {
    /// One of the family's architectures, where the config names one.
    pub named: Option<&'static str>,
    pub header: Option<&'a Header>,
}

impl Class<'_> {
    /// The class, and whether it has a head: none of a bare model, whose name ends so.
    pub fn or(self, default: &'static str) -> (&'static str, bool) {
        let name = self.named.unwrap_or(default);
        (name, !name.ends_with("Model"))
    }
}
