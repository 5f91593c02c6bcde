//! How a text's tokens mix on their way through the layers: attention rollout, and how much the layers and heads hand on.

use crate::error::Error;
use crate::kernels::{Matrix, add, gemm, scale};
use crate::model::Facts;
use crate::plan::{Part, Site, Taps, TensorName};
use crate::runtime::questions::no_heads;
use crate::runtime::{Output, Request, Rows};

/// Tokens of a text that is followed, at most: the work grows with their cube.
pub const LONGEST_FLOW: usize = 512;

/// What flows through the layers of one text. It is read from taps of a request of its own, because a finished run has no hidden states
/// left.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// (length, length): how much of what arrives at each token comes from which, by the attention of all layers: Ã_L−1 … Ã_1 Ã_0
    /// with Ã = (mean over heads of A + I), its rows divided by their sums (Abnar and Zuidema 2020, arXiv 2005.00928, equation 1).
    pub rollout: Vec<f32>,
    /// (layers + 1, length): ‖h‖ of the hidden states as [`TensorName::HiddenStates`] has them.
    pub residual: Vec<f32>,
    /// (layers, length): ‖h_l+1 − h_l‖.
    pub change: Vec<f32>,
    /// (layers, heads): mean over tokens of ‖Σ_j a_ij v_j W_O‖, what a head writes into the residual stream, as
    /// [`TensorName::Written`] has it.
    pub outputs: Vec<f32>,
}

impl Flow {
    /// The request whose output [`Flow::of`] reads, of the encoder's or the decoder's part: this one, with the taps that it takes.
    ///
    /// # Errors
    /// Several texts, or one of more than [`LONGEST_FLOW`] tokens.
    pub fn request(request: Request, facts: &Facts, part: Part) -> Result<Request, Error> {
        let source = request.source.as_ref().filter(|_| part == Part::Encoder);
        let (batch, length) = source.map_or((request.batch, request.length), |source| (source.batch(), source.length));
        let layers = facts.part(part).layers;
        if batch != 1 || length > LONGEST_FLOW {
            let reason = format!(
                "one text of at most {LONGEST_FLOW} tokens is followed at a time, not {batch} of {length}; shorten it"
            );
            return Err(Error::InvalidInput { reason });
        }
        let mut taps = Taps::none();
        taps.insert(TensorName::HiddenStates.at(layers).in_part(part));
        for layer in 0..layers {
            taps.insert(TensorName::HiddenStates.at(layer).in_part(part));
            taps.insert(TensorName::Attentions.at(layer).in_part(part));
            taps.insert(TensorName::Written.at(layer).in_part(part));
        }
        let request = Request { taps, ..request };
        // No more of the vocabulary than must be.
        let least = || Request { rows: Rows::At(vec![0]), top_k: 1, ..request.clone() };
        Ok(if facts.predicts_tokens() { least() } else { request })
    }

    /// The flow of such a request's output.
    ///
    /// # Errors
    /// The output of another request.
    pub fn of(output: &Output, facts: &Facts, part: Part) -> Result<Self, Error> {
        let in_pair = facts.encoder.is_some();
        let named = |site: Site| output.tensors.get(&site.in_part(part).name(in_pair));
        let tapped = |site: Site| named(site).map(|tensor| &tensor.data[..]).ok_or_else(no_heads);
        let facts = facts.part(part);
        let mut before = tapped(TensorName::HiddenStates.at(0))?;
        let length = before.len() / facts.hidden_size.max(1);
        let norms = |rows: &[f32]| rows.chunks((rows.len() / length).max(1)).map(norm).collect::<Vec<_>>();
        let (mut residual, mut change, mut outputs) = (norms(before), Vec::new(), Vec::new());
        let mut rollout = identity(length, 1.0);
        for layer in 0..facts.layers {
            let now = tapped(TensorName::HiddenStates.at(layer + 1))?;
            residual.extend(norms(now));
            let moved: Vec<f32> = now.iter().zip(before).map(|(now, before)| now - before).collect();
            change.extend(norms(&moved));
            before = now;

            let maps = tapped(TensorName::Attentions.at(layer))?;
            // Rows are divided by their sums: the sum over heads and as many identities instead of the mean and one.
            let mut mixed = identity(length, facts.heads as f32);
            maps.chunks(length * length).for_each(|map| add(&mut mixed, map));
            mixed.chunks_mut(length).for_each(|row| scale(row, 1.0 / row.iter().sum::<f32>()));
            rollout = product(&mixed, &rollout, length);
            let written = tapped(TensorName::Written.at(layer))?;
            for norms in written.chunks(length) {
                outputs.push(norms.iter().sum::<f32>() / length as f32);
            }
        }
        Ok(Self { rollout, residual, change, outputs })
    }
}

fn norm(row: &[f32]) -> f32 {
    row.iter().map(|x| x * x).sum::<f32>().sqrt()
}

/// (length, length), `diagonal` times.
fn identity(length: usize, diagonal: f32) -> Vec<f32> {
    let mut identity = vec![0.0; length * length];
    identity.iter_mut().step_by(length + 1).for_each(|one| *one = diagonal);
    identity
}

/// One map (length, length) times another.
fn product(map: &[f32], right: &[f32], length: usize) -> Vec<f32> {
    let mut product = vec![0.0; length * length];
    let (left, right) = (Matrix::rows(map, length), Matrix::rows(right, length));
    gemm(&mut product, length, left, right, [length; 3], 1.0);
    product
}
