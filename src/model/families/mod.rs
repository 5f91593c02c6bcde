//! The families of models that run here, one file each: how it reads config.json, names its weights and records its blocks.

mod bart;
mod esm;
mod family;
mod gemma3;
mod gpt_neox;
mod llama;
mod marian;
mod mistral;
mod modernbert;
mod pegasus;
mod qwen2;
mod qwen3;
mod roformer;
mod roformer_notebook;

pub use family::Family;

use super::{Architecture, Class, Keys};
use crate::error::Error;
use crate::weights::Header;

/// Every family that runs here.
pub static FAMILIES: &[&Family] = &[
    &roformer::FAMILY,
    &llama::FAMILY,
    &mistral::FAMILY,
    &qwen2::FAMILY,
    &qwen3::FAMILY,
    &gpt_neox::FAMILY,
    &gemma3::FAMILY,
    &modernbert::FAMILY,
    &esm::FAMILY,
    &marian::FAMILY,
    &bart::FAMILY,
    &pegasus::FAMILY,
    &roformer_notebook::FAMILY,
];

impl Architecture {
    /// The model that config.json describes. header: the tensors of its file, which tell the class if `architectures` names none.
    ///
    /// # Errors
    /// Text that is no JSON object; a family, class or setting that is not supported; a value of another type or out of bounds.
    pub fn read(config_json: &str, header: Option<&Header>) -> Result<Self, Error> {
        read(&Keys::parse(config_json)?, header)
    }
}

/// Reads the config by the family of its `model_type`, or else by the family of its class.
///
/// # Errors
/// An unknown family or class; settings that the family does not support.
pub(super) fn read(keys: &Keys, header: Option<&Header>) -> Result<Architecture, Error> {
    let classes = keys.words("architectures")?;
    let holds = |family: &&&Family| classes.iter().any(|class| family.architectures.contains(&class.as_str()));
    let model_type = keys.text("model_type")?;
    let family = match model_type {
        Some(name) => FAMILIES.iter().find(|family| family.model_type == name),
        None => FAMILIES.iter().find(holds).or(FAMILIES.first()),
    };
    let names = |name: fn(&Family) -> String| FAMILIES.iter().map(|family| name(family)).collect::<Vec<_>>().join(", ");
    let family = family.ok_or_else(|| Error::Unsupported {
        key: "model_type".into(),
        found: format!("{:?}", model_type.unwrap_or_default()),
        supported: names(|family| family.model_type.into()),
    })?;
    let name = family.architectures.iter().copied().find(|name| classes.iter().any(|class| class == name));
    if let (None, Some(first)) = (name, classes.first()) {
        return Err(Error::Unsupported {
            key: "architectures".into(),
            found: format!("{first:?}"),
            supported: family.architectures.join(", "),
        });
    }
    (family.read)(keys, Class { name, header })
}
