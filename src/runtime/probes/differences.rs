//! The differences between two runs: of every attention weight, and of every number of the result.

use crate::error::Error;
use crate::model::Facts;
use crate::plan::TensorName;
use crate::runtime::{HeadId, Output, PredictionRows, Request, Tensor};

/// The most numbers of one run that are compared, 128 MiB: all heads' maps and the result.
pub const MOST_COMPARED: u64 = 1 << 25;

/// The largest differences |Δ| between two runs; NaN where one of them has no number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Differences {
    /// Of any attention weight.
    pub attention: f32,
    /// The head of that weight.
    pub head: HeadId,
    /// The position of its query.
    pub query: usize,
    /// The position of its key.
    pub key: usize,
    /// Of any logit, or number of the last hidden state.
    pub result: f32,
}

impl Differences {
    const NONE: Self = Self { attention: 0.0, head: HeadId::new(0, 0), query: 0, key: 0, result: 0.0 };

    /// The request whose outputs [`Differences::between`] compares: this one, with every map and every logit read back.
    ///
    /// # Errors
    /// More numbers than [`MOST_COMPARED`].
    pub fn request(request: Request, facts: &Facts) -> Result<Request, Error> {
        let tokens = (request.batch as u64).saturating_mul(request.length as u64);
        let weights = (request.length as u64).saturating_mul((facts.layers * facts.heads) as u64);
        let logits = if facts.predicts_tokens() { facts.vocab_size } else { facts.hidden_size };
        check_memory(tokens.saturating_mul(weights.saturating_add(logits as u64)))?;
        let taps = (0..facts.layers).map(|layer| TensorName::Attentions.at(layer)).collect();
        Ok(Request { taps, rows: PredictionRows::All, top_k: 0, ..request })
    }

    /// The largest differences between the outputs of two such requests.
    ///
    /// # Errors
    /// Outputs of other requests; runs of different sizes.
    pub fn between(before: &Output, now: &Output, facts: &Facts) -> Result<Self, Error> {
        let both = |name: &str, tensor: &dyn Fn(&Output) -> Option<&Tensor>| {
            let (before, now) = tensor(before).zip(tensor(now)).ok_or(Error::NoHeads)?;
            if before.shape != now.shape {
                let (before, now) = (before.shape.clone(), now.shape.clone());
                return Err(Error::DifferentShapes { name: name.into(), before, now });
            }
            Ok((before, now))
        };
        let mut differences = Self::NONE;
        for layer in 0..facts.layers {
            let site = TensorName::Attentions.at(layer);
            let (before, now) = both(&site.to_string(), &|output| output.taps.get(&site))?;
            differences.add_layer(layer, before, now);
        }
        let (before, now) = both(facts.result_name(), &|output| output.result.as_ref())?;
        differences.result = largest_difference(&before.data, &now.data).1;
        Ok(differences)
    }

    /// The maps of a layer of both: (batch, heads, queries, keys).
    fn add_layer(&mut self, layer: usize, before: &Tensor, now: &Tensor) {
        let &[_, heads, queries, keys] = &now.shape[..] else { return };
        let (place, attention) = largest_difference(&before.data, &now.data);
        if larger(self.attention, attention) {
            let (heads, queries, keys) = (heads.max(1), queries.max(1), keys.max(1));
            let head = HeadId::new(layer, place / keys / queries % heads);
            *self = Self { attention, head, query: place / keys % queries, key: place % keys, ..*self };
        }
    }
}

fn check_memory(numbers: u64) -> Result<(), Error> {
    if numbers <= MOST_COMPARED {
        return Ok(());
    }
    Err(Error::ComparisonTooLarge { needed: numbers.saturating_mul(4), limit: 4 * MOST_COMPARED })
}

/// Whether a difference counts more than the largest so far: NaN more than any.
fn larger(largest: f32, found: f32) -> bool {
    found > largest || (found.is_nan() && !largest.is_nan())
}

/// The index of the largest difference, and that difference.
fn largest_difference(one: &[f32], other: &[f32]) -> (usize, f32) {
    let differences = one.iter().zip(other).map(|(one, other)| (one - other).abs()).enumerate();
    differences.fold((0, 0.0), |largest, found| if larger(largest.1, found.1) { found } else { largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_the_largest_difference() {
        assert_eq!(largest_difference(&[1.0, -2.0, 3.0], &[1.5, 1.0, 3.0]), (1, 3.0));
        assert_eq!(largest_difference(&[], &[]), (0, 0.0));
        let (place, found) = largest_difference(&[1.0, f32::NAN, 3.0], &[9.0, 1.0, f32::NAN]);
        assert!(place == 1 && found.is_nan());
    }
}
