//! Interventions of a run, as options of the command line.

use clap::Args;

use super::model_folder::ModelFolder;
use crate::error::Error;
use crate::model::Variant;
use crate::rope::Scaling;
use crate::runtime::{self, Intervention, Replacement};
use crate::weights::json;
use std::ops::RangeInclusive;

#[derive(Args)]
pub struct Interventions {
    /// Freezes pairs of a head (θ = 0): 2.6:0-3 is layer 2, head 6, pairs 0 to 3; commas separate several. Query heads that share a
    /// key head freeze together.
    #[arg(long, alias = "stop-pairs", value_name = "L.H:P-P", value_delimiter = ',')]
    freeze_pairs: Vec<String>,
    /// Ablates pairs of a head: takes them out of its scores. In the form of --freeze-pairs.
    #[arg(long, alias = "cut-pairs", value_name = "L.H:P-P", value_delimiter = ',')]
    ablate_pairs: Vec<String>,
    /// Replaces the outputs of heads by zero: 2.6,1.1 are two heads.
    #[arg(long, alias = "heads-off", value_name = "L.H", value_delimiter = ',')]
    ablate_heads: Vec<String>,
    /// Replaces the outputs of heads by their mean over the tokens of a text. In the form of --ablate-heads.
    #[arg(long, alias = "heads-mean", value_name = "L.H", value_delimiter = ',')]
    ablate_heads_mean: Vec<String>,
    /// Switches neurons of feed-forward networks off: 2.17 is layer 2, neuron 17, and 2 all neurons of layer 2; commas separate several.
    #[arg(long, value_name = "L.N", value_delimiter = ',')]
    neurons_off: Vec<String>,
    /// Another scaling of the rope: a JSON object like rope_parameters in config.json.
    #[arg(long, value_name = "JSON")]
    rope_scaling: Option<String>,
    /// Rotates values as well (RoFormer).
    #[arg(long)]
    rotary_value: bool,
    /// Rotates values by their own position, and head outputs back by the query's (RoVE).
    #[arg(long)]
    rove: bool,
    /// Scales scores by the query's position, max(1, ln(position + 1) / ln N), for texts longer than the N tokens of the training.
    #[arg(long, value_name = "N")]
    log_n: Option<f64>,
    /// Clamps distances to W: tokens further apart have the score of distance W (ReRoPE).
    #[arg(long, value_name = "W")]
    rerope: Option<usize>,
    /// Any intervention by its site; may be given several times: layer.2.query.rotated[6,*,p0-3]=frozen, layer.2.head[6,*,*]=mean,
    /// layer.2.head[6,3,*]=zero (in row 3), ffn.2[3,17]=zero (in row 3), hidden_states.2[3,17]=-0.5, layer.*.value=rotated,
    /// layer.*.query.rotated=log-n:512, layer.*.score=clamp:256.
    #[arg(long, value_name = "SITE=REPLACEMENT")]
    intervene: Vec<String>,
}

impl Interventions {
    pub fn read(&self) -> Result<runtime::Interventions, Error> {
        let mut all: Vec<Intervention> = Vec::new();
        for text in &self.freeze_pairs {
            let (layer, head, pairs) = pairs("--freeze-pairs", text)?;
            all.push(Intervention::freeze(layer, head, pairs));
        }
        for text in &self.ablate_pairs {
            let (layer, head, pairs) = pairs("--ablate-pairs", text)?;
            all.push(Intervention::ablate_pairs(layer, head, pairs));
        }
        for (flag, texts, replacement) in [
            ("--ablate-heads", &self.ablate_heads, Replacement::Zero),
            ("--ablate-heads-mean", &self.ablate_heads_mean, Replacement::Mean),
        ] {
            for text in texts {
                let (layer, head) = head(flag, text)?;
                all.push(Intervention::ablate_head(layer, head, replacement));
            }
        }
        for text in &self.neurons_off {
            let (layer, neuron) = neurons("--neurons-off", text)?;
            all.push(Intervention::switch_off(layer, neuron));
        }
        all.extend(self.rove.then(Intervention::rotate_values));
        all.extend(self.log_n.map(Intervention::log_n));
        all.extend(self.rerope.map(Intervention::clamp_distances));
        for text in &self.intervene {
            all.push(text.parse()?);
        }
        Ok(all.into())
    }

    /// Sets the variant of the model, before it is loaded.
    pub fn change(&self, mut folder: ModelFolder) -> Result<ModelFolder, Error> {
        let invalid = |error| Error::InvalidArgument { reason: format!("--rope-scaling is no JSON: {error}") };
        let parse = |text: &String| Scaling::parse(&json::parse(text).map_err(invalid)?);
        let scaling = self.rope_scaling.as_ref().map(parse).transpose()?;
        folder.set_variant(Variant { scaling, rotary_value: self.rotary_value, ..Variant::default() });
        Ok(folder)
    }
}

/// "2.6" as layer 2, head 6.
fn head(flag: &str, text: &str) -> Result<(usize, usize), Error> {
    let parts = text.trim().split_once('.').and_then(|(layer, head)| Some((layer.parse().ok()?, head.parse().ok()?)));
    parts.ok_or_else(|| invalid(flag, text, "a layer and a head, as 2.6"))
}

/// "2.17" as layer 2, neuron 17; "2" as layer 2.
fn neurons(flag: &str, text: &str) -> Result<(usize, Option<usize>), Error> {
    let parts = match text.trim().split_once('.') {
        Some((layer, neuron)) => layer.parse().ok().zip(neuron.parse().ok().map(Some)),
        None => text.trim().parse().ok().map(|layer| (layer, None)),
    };
    parts.ok_or_else(|| invalid(flag, text, "a layer and a neuron, as 2.17, or a layer"))
}

/// "2.6:0-3" or "2.6:5".
fn pairs(flag: &str, text: &str) -> Result<(usize, usize, RangeInclusive<usize>), Error> {
    let expected = "a layer, a head and pairs, as 2.6:0-3";
    let (of, range) = text.trim().split_once(':').ok_or_else(|| invalid(flag, text, expected))?;
    let (layer, head) = head(flag, of)?;
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((layer, head, first..=last)),
        _ => Err(invalid(flag, text, expected)),
    }
}

fn invalid(flag: &str, text: &str, expected: &str) -> Error {
    Error::InvalidArgument { reason: format!("{flag}: {text:?} is not {expected}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_pairs_are_read() {
        assert_eq!(head("--ablate-heads", "2.6").unwrap(), (2, 6));
        assert_eq!(pairs("--freeze-pairs", "2.6:0-3").unwrap(), (2, 6, 0..=3));
        assert_eq!(pairs("--freeze-pairs", "0.1:5").unwrap(), (0, 1, 5..=5));
    }

    #[test]
    fn other_forms_are_named() {
        for text in ["", "2", "2.6", "2.6:", "2.6:3-1", "2.6:x", "a.b:1", "2.6:1-2-3"] {
            let error = pairs("--ablate-pairs", text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("--ablate-pairs: {text:?}")) || error.contains("a layer and a head"),
                "{error}"
            );
        }
    }
}
