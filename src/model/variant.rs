//! A model's weights under other settings than its config's.

use super::{Keys, Model, families};
use crate::error::Error;
use crate::files::Directory;
use crate::rope::Scaling;

/// What is set otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variant {
    /// Another scaling of all ropes; a table that the file holds is left unread.
    pub scaling: Option<Scaling>,
    /// RoFormer's `rotary_value`, whatever config.json says.
    pub rotary_value: bool,
}

impl Variant {
    /// The model that config.json describes, under these settings: of the same weights.
    ///
    /// # Errors
    /// Those of [`Model::read`]; a scaling that does not fit the heads; values to be rotated in another family than RoFormer.
    pub fn read(&self, config_json: &str, directory: Option<&Directory>) -> Result<Model, Error> {
        let mut keys = Keys::parse(config_json)?;
        if self.rotary_value {
            keys.set("rotary_value", true);
        }
        let mut model = families::read(&keys, directory)?;
        if self.rotary_value && !model.facts.rotary_value {
            let reason = format!("rotary_value is RoFormer's: this is {}; run it without", model.facts.architecture);
            return Err(Error::InvalidInput { reason });
        }
        if let Some(scaling) = &self.scaling {
            model.rescale(scaling)?;
        }
        Ok(model)
    }
}
