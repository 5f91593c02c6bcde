//! The mixture of a text's tokens through the layers: attention rollout, and norms of the residual stream.

use crate::backend::Cancellation;
use crate::error::Error;
use crate::kernels::{Matrix, add, gemm, scale};
use crate::model::Facts;
use crate::plan::{Part, Site, Taps, TensorName};
use crate::runtime::inner::borrow;
use crate::runtime::run::Run;
use crate::runtime::site_numbers::norm;
use crate::runtime::{Output, Request, Tensor};

/// The longest text with a rollout, in tokens: the work grows with the cube of the length.
pub const LONGEST_ROLLOUT: usize = 512;

impl Run {
    /// Whether the run of a request can have a [`Run::rollout`], before it runs.
    ///
    /// # Errors
    /// A batch of several texts, or a text of more than [`LONGEST_ROLLOUT`] tokens in this part.
    pub fn check_rollout(request: &Request, part: Part) -> Result<(), Error> {
        match &request.source {
            Some(source) if part == Part::Encoder => check_length(source.batch(), source.length),
            _ => check_length(request.batch, request.length),
        }
    }

    /// Attention rollout of the encoder or the decoder, (length, length): how much of each token's last hidden state comes from which
    /// token, by the attention of all layers. It is Ã_L−1 … Ã_1 Ã_0 with Ã = (mean over heads of A + I), each row divided by its sum
    /// (Abnar and Zuidema 2020, arXiv 2005.00928, equation 1).
    ///
    /// # Errors
    /// Cross-attention; a batch of several texts, or a text of more than [`LONGEST_ROLLOUT`] tokens; those of [`Run::head`].
    pub async fn rollout(&self, part: Part, cancel: &dyn Cancellation) -> Result<Tensor, Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        if part == Part::Cross {
            return Err(Error::RolloutOfCrossAttention);
        }
        let (layers, sizes, run) = inner.heads(self.key(), part)?;
        let length = sizes.keys();
        check_length(sizes.batch, length)?;
        let mut rollout = identity(length, 1.0);
        for layer in 0..layers.len() {
            let maps = inner.attentions(&run, part, layer, cancel).await?;
            // Rows are divided by their sums: a sum over heads, with one identity for each, replaces the mean.
            let mut mixed = identity(length, maps.shape[1] as f32);
            maps.data.chunks(length * length).for_each(|map| add(&mut mixed, map));
            mixed.chunks_mut(length).for_each(|row| scale(row, 1.0 / row.iter().sum::<f32>()));
            rollout = product(&mixed, &rollout, length);
        }
        Ok(Tensor { shape: vec![length; 2], data: rollout })
    }
}

fn check_length(batch: usize, length: usize) -> Result<(), Error> {
    if batch == 1 && length <= LONGEST_ROLLOUT {
        return Ok(());
    }
    Err(Error::RolloutTooLong { longest: LONGEST_ROLLOUT, batch, length })
}

/// (length, length) with this number on the diagonal.
fn identity(length: usize, diagonal: f32) -> Vec<f32> {
    let mut identity = vec![0.0; length * length];
    identity.iter_mut().step_by(length + 1).for_each(|one| *one = diagonal);
    identity
}

fn product(left: &[f32], right: &[f32], length: usize) -> Vec<f32> {
    let mut product = vec![0.0; length * length];
    let (left, right) = (Matrix::rows(left, length), Matrix::rows(right, length));
    gemm(&mut product, length, left, right, [length; 3], 1.0);
    product
}

/// Norms along one text's residual stream. They are computed from taps, because a finished run has no hidden states left.
#[derive(Debug, Clone, PartialEq)]
pub struct ResidualNorms {
    /// (layers + 1, length): ‖h_l‖ of [`TensorName::HiddenStates`].
    pub residual: Vec<f32>,
    /// (layers, length): ‖h_l+1 − h_l‖, the norm of a layer's change.
    pub change: Vec<f32>,
    /// (layers, heads): [`TensorName::Written`] of each head, as a mean over tokens.
    pub outputs: Vec<f32>,
}

impl ResidualNorms {
    /// The taps that [`ResidualNorms::of`] reads, of the encoder or the decoder.
    pub fn taps(facts: &Facts, part: Part) -> Taps {
        let layers = facts.part(part).layers;
        let states = (0..=layers).map(|layer| TensorName::HiddenStates.at(layer));
        let written = (0..layers).map(|layer| TensorName::Written.at(layer));
        states.chain(written).map(|site| site.in_part(part)).collect()
    }

    /// The norms of an output with these taps.
    ///
    /// # Errors
    /// An output without them, or of a batch of several texts.
    pub fn of(output: &Output, facts: &Facts, part: Part) -> Result<Self, Error> {
        let tapped = |site: Site| match output.taps.get(&site.in_part(part)) {
            Some(Tensor { shape, data }) => match shape.first() {
                Some(&batch) if batch != 1 => Err(Error::NormsOfSeveralTexts { batch }),
                _ => Ok(&data[..]),
            },
            None => Err(Error::NoHeads),
        };
        let facts = facts.part(part);
        let norms = |rows: &[f32]| rows.chunks(facts.hidden_size).map(norm).collect::<Vec<_>>();
        let mut before = tapped(TensorName::HiddenStates.at(0))?;
        let (mut residual, mut change, mut outputs) = (norms(before), Vec::new(), Vec::new());
        let length = residual.len();
        for layer in 0..facts.layers {
            let now = tapped(TensorName::HiddenStates.at(layer + 1))?;
            residual.extend(norms(now));
            let moved: Vec<f32> = now.iter().zip(before).map(|(now, before)| now - before).collect();
            change.extend(norms(&moved));
            before = now;
            let written = tapped(TensorName::Written.at(layer))?;
            outputs.extend(written.chunks(length).map(|norms| norms.iter().sum::<f32>() / length as f32));
        }
        Ok(Self { residual, change, outputs })
    }
}
