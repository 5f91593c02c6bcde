//! Ropes as config.json describes them. Hugging Face reads two spellings, `rope_parameters` of version 5 and the older
//! `rope_scaling`. If a file has both, this code chooses as Hugging Face does. Source: transformers' modeling_rope_utils.py and the
//! families' configuration files.

use super::Keys;
use super::settings::{FULL, LARGEST_VOCABULARY, SLIDING};
use crate::error::{Condition, Error, Expected};
use crate::number::format_number;
use crate::rope::{PARTIAL_ROTARY_FACTOR, ROPE_THETA, Rope, RopeParameters, Scaling};
use crate::weights::json::{Map, Value};

/// The heads that all ropes of a model rotate.
#[derive(Clone, Copy)]
pub(super) struct RotaryHeads {
    pub size: usize,
    /// The key of config.json that sets the rotated share of each head, with its default; the rope's own settings have priority. `None`:
    /// the family's class rotates all dimensions of a head, and a default rope does not read `partial_rotary_factor`.
    pub share: Option<(&'static str, f64)>,
    pub max_position_embeddings: usize,
}

/// The one rope of a model: from `rope_scaling`, or from `rope_parameters` if that is missing or empty. base: the key of the base
/// outside that object, with its default.
pub(super) fn rope(keys: &Keys, heads: RotaryHeads, base: (&str, f64)) -> Result<Rope, Error> {
    let is_empty = |settings: &Value| settings.as_object().is_some_and(Map::is_empty);
    let settings = match keys.object("rope_scaling")?.filter(|settings| !is_empty(settings)) {
        None => keys.object("rope_parameters")?,
        settings => settings,
    };
    let mut parameters = RopeParameters::parse(&settings.unwrap_or(Value::Null))?;
    let original = keys.integer("original_max_position_embeddings", 0, 0, LARGEST_VOCABULARY)?;
    if original > 0 {
        parameters.scaling.set_original_max_position_embeddings(original);
    }
    build(keys, heads, base, parameters)
}

/// The ropes of full and of sliding layers: `rope_parameters` by layer type. Entries of `rope_scaling` replace those of the first
/// `scaled` ropes. bases: the keys of their bases outside these objects, with their defaults.
pub(super) fn ropes_by_layer(
    keys: &Keys,
    heads: RotaryHeads,
    bases: [(&str, f64); 2],
    scaled: usize,
) -> Result<Vec<Rope>, Error> {
    let by_type = keys.object("rope_parameters")?;
    let older = keys.object("rope_scaling")?;
    let mut ropes = Vec::new();
    for (index, (kind, base)) in [FULL, SLIDING].into_iter().zip(bases).enumerate() {
        let own = by_type.as_ref().and_then(|settings| settings.get(kind)).filter(|own| !own.is_null());
        let mut settings = match own {
            None => Map::from_iter([("rope_type".into(), "default".into())]),
            Some(Value::Object(settings)) => settings.clone(),
            Some(_) => return Err(keys.error("rope_parameters", Expected::ObjectWithObject { key: kind })),
        };
        let replacements = older.as_ref().and_then(Value::as_object).filter(|_| index < scaled);
        settings.extend(replacements.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
        // Hugging Face reads this setting next to the layer types, never inside one.
        settings.remove("truncate");
        if let Some(truncate) = by_type.as_ref().and_then(|settings| settings.get("truncate")) {
            settings.insert("truncate".into(), truncate.clone());
        }
        ropes.push(build(keys, heads, base, RopeParameters::parse(&Value::Object(settings))?)?);
    }
    Ok(ropes)
}

fn build(
    keys: &Keys,
    heads: RotaryHeads,
    (base_key, default_base): (&str, f64),
    parameters: RopeParameters,
) -> Result<Rope, Error> {
    let RopeParameters { base, partial_rotary_factor, scaling } = parameters;
    let (base_key, base) = match base {
        Some(base) => (ROPE_THETA, base),
        None => (base_key, keys.number(base_key, default_base, f64::MIN_POSITIVE, 1e18)?),
    };
    let (share_key, default_share) = heads.share.unwrap_or((PARTIAL_ROTARY_FACTOR, 1.0));
    let (share_key, share) = match partial_rotary_factor {
        _ if heads.share.is_none() && scaling == Scaling::Default => (share_key, 1.0),
        Some(share) => (PARTIAL_ROTARY_FACTOR, share),
        None => (share_key, keys.number(share_key, default_share, 0.0, 1.0)?),
    };
    let rope_type = scaling.name();
    let rope = Rope::new(heads.size, share, base, scaling, heads.max_position_embeddings as u64);
    let rope = rope.map_err(|error| match error {
        Error::InvalidRopeValue { key, found, expected } => {
            let key = match &key[..] {
                ROPE_THETA => base_key.into(),
                PARTIAL_ROTARY_FACTOR => share_key.into(),
                _ => key,
            };
            Error::InvalidRopeValue { key, found, expected }
        }
        other => other,
    })?;
    if heads.share.is_none() && rope.paired_columns() != heads.size {
        let condition = Some(Condition::Setting { key: "rope_type", value: rope_type.into() });
        let (key, found, supported) = (share_key.into(), format_number(share).into(), "1".into());
        return Err(Error::Unsupported { key, found, condition, supported });
    }
    Ok(rope)
}

#[cfg(test)]
mod tests {
    use crate::model::Architecture;

    fn error(settings: &str) -> String {
        let config = format!(
            r#"{{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 16, "num_attention_heads": 2,
                "num_hidden_layers": 1, {settings}}}"#
        );
        Architecture::read(&config, None).err().map(|error| error.to_string()).unwrap_or_default()
    }

    /// Hugging Face's class fails, too: its cosines do not have the head's size.
    #[test]
    fn families_that_rotate_all_of_a_head_refuse_a_share() {
        for kind in ["linear", "dynamic", "yarn"] {
            let settings =
                format!(r#""rope_parameters": {{"rope_type": "{kind}", "factor": 2, "partial_rotary_factor": 0.5}}"#);
            assert!(error(&settings).contains("partial_rotary_factor is 0.5"), "{kind}: {}", error(&settings));
            let outside =
                settings.replace(", \"partial_rotary_factor\": 0.5", "") + r#", "partial_rotary_factor": 0.5"#;
            assert!(error(&outside).contains("partial_rotary_factor is 0.5"), "{kind}: {}", error(&outside));
        }
        assert_eq!(error(r#""rope_parameters": {"rope_type": "proportional", "partial_rotary_factor": 0.5}"#), "");
        assert_eq!(error(r#""partial_rotary_factor": 0.5"#), "");
    }
}
