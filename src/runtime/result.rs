//! The results of a run: tensors, fills, the maps of one head, and counts.

use crate::ops::SAMPLE_NUMBERS;
use crate::plan::Site;
use crate::sampling::Nucleus;
use std::collections::BTreeMap;

/// f32 numbers with their shape, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// The size of each axis, the slowest first.
    pub shape: Vec<usize>,
    /// As many numbers as the product of the shape.
    pub data: Vec<f32>,
}

/// A token for a prediction row, and its probability under the softmax over the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fill {
    /// The token's id in the vocabulary.
    pub id: u32,
    /// Natural logarithm of the probability.
    pub log_probability: f32,
}

impl Fill {
    /// The probability, in 0 ..= 1.
    pub fn probability(&self) -> f32 {
        f64::from(self.log_probability).exp() as f32
    }
}

/// A token that was drawn for a prediction row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The token's id in the vocabulary.
    pub id: u32,
    /// Its logit less the best one of those that may be drawn.
    pub relative_logit: f32,
    /// The tokens that it was drawn from; without any, no token was.
    pub nucleus: Nucleus,
}

/// The fills of each prediction row, and the tokens that were drawn.
pub type StepResults = (Vec<Vec<Fill>>, Vec<Sample>);

/// The attention map of one head of the first text, and the rows that it is computed from.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadMaps {
    /// (length, keys): query tokens down, key tokens across.
    pub attention: Vec<f32>,
    /// (length, head_size), rotated, pairs adjacent.
    pub query: Vec<f32>,
    /// (keys, head_size), rotated, pairs adjacent.
    pub key: Vec<f32>,
}

/// Counts of a run's work and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunReport {
    /// Dispatches on the GPU, ops on the CPU.
    pub dispatches: usize,
    /// Tokens of each sequence that were computed; the others were in the cache.
    pub computed: usize,
    /// Buffers, bind groups and pipelines created: 0 from the second run on.
    pub created: u64,
    /// Bytes of weights, activations, inputs and caches.
    pub bytes_allocated: u64,
    /// Bytes that were copied from the device.
    pub bytes_read_back: u64,
}

/// The results that a request asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The output of the model's head: logits, or the last hidden states. `None` if the request asks for the best fills instead.
    pub result: Option<Tensor>,
    /// The request's taps.
    pub taps: BTreeMap<Site, Tensor>,
    /// For each prediction row its best fills, best first; empty if the request has no `top_k`.
    pub top: Vec<Vec<Fill>>,
    /// Of every layer's hidden states, 0 … L, the best fills that the output head makes of each prediction row; the last are
    /// those of `top`. Empty without [`Request::lens`](super::Request::lens).
    pub lens: Vec<Vec<Vec<Fill>>>,
    /// For each prediction row the token that was drawn; empty without [`Request::draws`](super::Request::draws).
    pub samples: Vec<Sample>,
    /// For each prediction row −log p of its label in nats, none where it has none; empty unless labels were given.
    pub losses: Vec<Option<f32>>,
    /// The head of [`Request::selection`](super::Request::selection); `None` without a selection.
    pub head: Option<HeadMaps>,
    /// The run's work and memory.
    pub report: RunReport,
}

/// The fills of each row, which has k logarithms of probabilities, then k ids. bans: ids of each row to leave out. The op lists them last, if
/// the row has fewer than k others. NaN stays: the caller reports logits that are no numbers.
pub fn fills(rows: &[f32], k: usize, bans: &[Vec<u32>]) -> Vec<Vec<Fill>> {
    let bans = bans.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    let fills = |(row, bans): (&[f32], &[u32])| {
        let (logarithms, ids) = row.split_at(k);
        let fills = logarithms.iter().zip(ids).map(|(&log_probability, &id)| Fill { id: id as u32, log_probability });
        fills.filter(|fill| fill.log_probability.is_nan() || !bans.contains(&fill.id)).collect()
    };
    rows.chunks_exact((2 * k).max(1)).zip(bans).map(fills).collect()
}

/// The token that was drawn for each row, from the op's results.
pub fn samples(rows: &[f32]) -> Vec<Sample> {
    let sample = |row: &[f32; SAMPLE_NUMBERS]| {
        let &[id, count, log_sum, relative_logit] = row;
        let nucleus = Nucleus { count: count as usize, log_sum: log_sum.into() };
        Sample { id: id as u32, relative_logit, nucleus }
    };
    rows.as_chunks().0.iter().map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_are_all_but_the_banned_tokens_however_unlikely_they_are() {
        let numbers = [-0.5, f32::MIN, f32::NEG_INFINITY, 7.0, 2.0, 5.0, -1.0, f32::MIN, f32::NAN, 1.0, 4.0, 5.0];
        let ids = |bans: &[Vec<u32>]| -> Vec<Vec<u32>> {
            fills(&numbers, 3, bans).iter().map(|row| row.iter().map(|fill| fill.id).collect()).collect()
        };
        assert_eq!(ids(&[]), [[7, 2, 5], [1, 4, 5]]);
        assert_eq!(ids(&[vec![5, 9], vec![1, 4, 5]]), [vec![7, 2], vec![5]]);
    }
}
