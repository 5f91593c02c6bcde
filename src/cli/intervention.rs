//! What a run changes in a model, as it is written on the command line.

use clap::Args;

use super::model_folder::ModelFolder;
use crate::error::Error;
use crate::model::Variant;
use crate::plan::HeadAblation;
use crate::rope::Scaling;
use crate::session::{Intervention, Pairs, Replaced};
use crate::weights::json;

#[derive(Args)]
pub struct Interventions {
    /// Stops the rotation of pairs of a head (θ = 0), as 2.6:0-3 for layer 2, head 6, pairs 0 to 3; several by commas. With
    /// grouped keys the whole group stops.
    #[arg(long, value_name = "L.H:P-P", value_delimiter = ',')]
    stop_pairs: Vec<String>,
    /// Takes pairs of a head out of its scores, in the same form.
    #[arg(long, value_name = "L.H:P-P", value_delimiter = ',')]
    cut_pairs: Vec<String>,
    /// Replaces what heads add by zero, as 2.6,1.1.
    #[arg(long, value_name = "L.H", value_delimiter = ',')]
    heads_off: Vec<String>,
    /// Replaces what heads add by its mean over the tokens of a text, in the same form.
    #[arg(long, value_name = "L.H", value_delimiter = ',')]
    heads_mean: Vec<String>,
    /// Turns by another scaling of the rope: a JSON object as config.json has it in rope_parameters.
    #[arg(long, value_name = "JSON")]
    rope_scaling: Option<String>,
    /// Rotates values, too (RoFormer).
    #[arg(long)]
    rotary_value: bool,
    /// Rotates values by their own position, and what heads add back by the query's (RoVE).
    #[arg(long)]
    rove: bool,
    /// Scales scores by the query's position, max(1, ln(position + 1) / ln N), for texts longer than the N tokens of the training.
    #[arg(long, value_name = "N")]
    log_n: Option<f64>,
    /// Clamps distances to W: tokens further apart have the score that they would have so far apart (ReRoPE).
    #[arg(long, value_name = "W")]
    rerope: Option<usize>,
}

impl Interventions {
    /// # Errors
    /// A head or pairs in another form.
    pub fn read(&self) -> Result<Intervention, Error> {
        let off = self.heads_off.iter().map(|text| replaced("--heads-off", text, HeadAblation::Zero));
        let mean = self.heads_mean.iter().map(|text| replaced("--heads-mean", text, HeadAblation::Mean));
        Ok(Intervention {
            stopped: self.stop_pairs.iter().map(|text| pairs("--stop-pairs", text)).collect::<Result<_, _>>()?,
            cut: self.cut_pairs.iter().map(|text| pairs("--cut-pairs", text)).collect::<Result<_, _>>()?,
            replaced: off.chain(mean).collect::<Result<_, _>>()?,
            rotates_values: self.rove,
            log_n: self.log_n,
            reach: self.rerope,
        })
    }

    /// Changes the model before it is loaded.
    ///
    /// # Errors
    /// A scaling that is none.
    pub fn change(&self, mut folder: ModelFolder) -> Result<ModelFolder, Error> {
        let invalid = |error| Error::InvalidInput { reason: format!("--rope-scaling is no JSON: {error}") };
        let parse = |text: &String| Scaling::parse(&json::parse(text).map_err(invalid)?);
        let scaling = self.rope_scaling.as_ref().map(parse).transpose()?;
        folder.vary(Variant { scaling, rotary_value: self.rotary_value, ..Variant::default() });
        Ok(folder)
    }
}

/// "2.6" as layer 2, head 6.
fn head(flag: &str, text: &str) -> Result<(usize, usize), Error> {
    let parts = text.trim().split_once('.').and_then(|(layer, head)| Some((layer.parse().ok()?, head.parse().ok()?)));
    parts.ok_or_else(|| invalid(flag, text, "a layer and a head, as 2.6"))
}

fn replaced(flag: &str, text: &str, by: HeadAblation) -> Result<Replaced, Error> {
    head(flag, text).map(|(layer, head)| Replaced { layer, head, by })
}

/// "2.6:0-3" or "2.6:5".
fn pairs(flag: &str, text: &str) -> Result<Pairs, Error> {
    let expected = "a layer, a head and pairs, as 2.6:0-3";
    let (of, range) = text.trim().split_once(':').ok_or_else(|| invalid(flag, text, expected))?;
    let (layer, head) = head(flag, of)?;
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(Pairs { layer, head, pairs: first..=last }),
        _ => Err(invalid(flag, text, expected)),
    }
}

fn invalid(flag: &str, text: &str, expected: &str) -> Error {
    Error::InvalidInput { reason: format!("{flag}: {text:?} is not {expected}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_pairs_are_read() {
        assert_eq!(head("--heads-off", "2.6").unwrap(), (2, 6));
        assert_eq!(pairs("--stop-pairs", "2.6:0-3").unwrap(), Pairs { layer: 2, head: 6, pairs: 0..=3 });
        assert_eq!(pairs("--stop-pairs", "0.1:5").unwrap(), Pairs { layer: 0, head: 1, pairs: 5..=5 });
    }

    #[test]
    fn other_forms_are_named() {
        for text in ["", "2", "2.6", "2.6:", "2.6:3-1", "2.6:x", "a.b:1", "2.6:1-2-3"] {
            let error = pairs("--cut-pairs", text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("--cut-pairs: {text:?}")) || error.contains("a layer and a head"),
                "{error}"
            );
        }
    }
}
