//! The supported families of models, a file each: how it reads config.json, which weights it declares, and which blocks it has.

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

use super::{Architecture, Keys};
use crate::error::{Condition, Error};
use crate::weights::{Header, quoted};

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
pub(super) fn read(keys: &Keys, header: Option<&Header>) -> Result<Architecture, Error> {
    let classes = keys.texts("architectures")?;
    let supports = |family: &Family, class: &str| family.architectures.contains(&class);
    let model_type = keys.text("model_type")?;
    let family = match model_type {
        Some(name) => FAMILIES.iter().find(|family| family.model_type == name),
        None => FAMILIES.iter().find(|family| classes.iter().any(|class| supports(family, class))).or(FAMILIES.first()),
    };
    let family = family.ok_or_else(|| {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.model_type).collect();
        keys.unsupported("model_type", None, names.join(", "))
    })?;
    let class = family.architectures.iter().find(|name| classes.iter().any(|class| class == *name));
    let class = match (class, classes.first()) {
        (None, Some(first)) => {
            let condition = Some(Condition::Setting { key: "model_type", value: family.model_type.into() });
            let (key, found, supported) =
                ("architectures".into(), quoted(first).into(), family.architectures.join(", "));
            return Err(Error::Unsupported { key, found, condition, supported });
        }
        (class, _) => class.or(family.architectures.first()).copied().unwrap_or_default(),
    };
    (family.read)(keys, class, header)
}
