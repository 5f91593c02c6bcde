//! A model's weights under other settings than its config's.

use super::{Architecture, Attention, Keys, families};
use crate::error::Error;
use crate::rope::Scaling;
use crate::weights::Header;

/// Settings that replace those of config.json.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variant {
    /// Another scaling of all ropes. A rotary table of the file's own is then not read.
    pub scaling: Option<Scaling>,
    /// Sets RoFormer's `rotary_value`.
    pub rotary_value: bool,
    /// Another kind of attention.
    pub attention: Option<Attention>,
}

impl Variant {
    /// The model that config.json describes, with these settings. Its weights are the same.
    ///
    /// # Errors
    /// Those of [`Architecture::read`]; a scaling that does not fit the heads; `rotary_value` or another attention in a family other
    /// than RoFormer.
    pub fn read(&self, config_json: &str, header: Option<&Header>) -> Result<Architecture, Error> {
        let mut keys = Keys::parse(config_json)?;
        if self.rotary_value {
            keys.set("rotary_value", true);
        }
        if let Some(attention) = self.attention {
            keys.set("attention", attention.name());
        }
        let mut model = families::read(&keys, header)?;
        if let Some(attention) = self.attention.filter(|attention| *attention != model.facts.attention) {
            return Err(setting_of_roformer(attention.name(), &model));
        }
        if self.rotary_value && !model.facts.rotary_value {
            return Err(setting_of_roformer("rotary_value", &model));
        }
        if let Some(scaling) = &self.scaling {
            model.rescale(scaling)?;
        }
        Ok(model)
    }
}

fn setting_of_roformer(setting: &'static str, model: &Architecture) -> Error {
    Error::SettingOfRoformer { setting, architecture: model.facts.architecture.into() }
}
