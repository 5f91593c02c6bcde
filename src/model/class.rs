//! The Hugging Face class of a config.

use crate::weights::Header;

/// The class that a config names, and the tensors that tell the class if it names none.
#[derive(Clone, Copy)]
pub struct Class<'a> {
    /// The first of `architectures` that belongs to the family.
    pub name: Option<&'static str>,
    /// The header of the weights file.
    pub header: Option<&'a Header>,
}

impl Class<'_> {
    /// The class, or `default` if the config names none, and whether the class has a head. Classes without a head end in "Model".
    pub fn name_or(self, default: &'static str) -> (&'static str, bool) {
        let name = self.name.unwrap_or(default);
        (name, !name.ends_with("Model"))
    }
}
