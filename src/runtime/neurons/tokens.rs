//! The tokens that a neuron reads and writes, by the weights alone.
//!
//! A neuron reads the residual stream through one row of the first projection, the gate's where there is a gate, and writes to the stream
//! one column of the output projection. Dot products compare the row with the word embeddings, and the column with the output matrix. All
//! norms on these ways are left out, and with them their scales and gains.

use super::order::first;
use crate::backend::Cancellation;
use crate::error::Error;
use crate::model::{NeuronWeights, WordWeights};
use crate::plan::{Index, Part, TensorName};
use crate::runtime::model::Model;
use crate::runtime::taps::check_tap;
use serde::Serialize;

/// Tokens of each list at most.
pub const MOST_TOKENS: usize = 20;

/// A token and a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TokenNumber {
    /// Its id.
    pub id: u32,
    /// What the list is ordered by.
    pub number: f32,
}

/// The tokens that a neuron reads and writes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NeuronTokens {
    /// Counted from 0.
    pub neuron: usize,
    /// The tokens that it reads most, with the dot product of its row and the token's word embedding, the largest first: what the embedding
    /// alone adds to the neuron before its activation.
    pub reads: Vec<TokenNumber>,
    /// `None` of an encoder, and of a model without logits over the vocabulary.
    pub writes: Option<NeuronWrites>,
}

/// What a neuron adds to logits by its column alone, in logits per 1 of its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NeuronWrites {
    /// The tokens whose logits it raises most, the largest number first.
    pub likelier: Vec<TokenNumber>,
    /// The tokens whose logits it lowers most, the smallest number first.
    pub less_likely: Vec<TokenNumber>,
    /// Whether the output head has a layer in front of its matrix. That is left out then, and the word embeddings stand for the matrix: an
    /// approximation.
    pub skips_head: bool,
}

impl Model {
    /// The tokens that a neuron of a layer reads and writes: of each list the `count` first ones, up to [`MOST_TOKENS`].
    ///
    /// # Errors
    /// A part, a layer or a neuron that the model does not have; a cancelled product; a lost device.
    pub async fn neuron_tokens(
        &self,
        part: Part,
        layer: usize,
        neuron: usize,
        count: usize,
        cancel: &dyn Cancellation,
    ) -> Result<NeuronTokens, Error> {
        let site = TensorName::FeedForward.at(layer).in_part(part);
        check_tap(site, self.facts())?;
        let NeuronWeights { up, is_gated, down, words, output } = self.neuron_weights(part, layer)?;
        if neuron >= down.columns {
            let site = site.with_index([Index::All, Index::At(neuron)]).to_string();
            return Err(Error::SiteIndexOutOfRange { site, axis: "neuron", size: down.columns });
        }
        let count = count.min(MOST_TOKENS);
        // Rows of gate and up take turns.
        let row = if is_gated { 2 * neuron } else { neuron };
        let row = self.weight_rows(up, row..row + 1, cancel).await?;
        let reads = tokens(&self.times_words(words, &row, cancel).await?, count, |number| number);
        let mut writes = None;
        if part == Part::Decoder && self.facts().predicts_tokens() {
            let column = self.weight_product(down, std::iter::once((neuron, 1.0)), cancel).await?;
            let logits = match output {
                Some(output) => self.weight_product(output, column.into_iter().enumerate(), cancel).await?,
                None => self.times_words(words, &column, cancel).await?,
            };
            writes = Some(NeuronWrites {
                likelier: tokens(&logits, count, |number| number),
                less_likely: tokens(&logits, count, |number| -number),
                skips_head: output.is_none(),
            });
        }
        Ok(NeuronTokens { neuron, reads, writes })
    }

    pub(super) fn neuron_weights(&self, part: Part, layer: usize) -> Result<NeuronWeights, Error> {
        let architecture = self.architecture();
        let network = architecture.encoder.as_ref().filter(|_| part == Part::Encoder).unwrap_or(&architecture.network);
        let site = TensorName::FeedForward.at(layer).in_part(part);
        network.neurons(layer).ok_or_else(|| Error::NoSuchTensor { site: site.to_string() })
    }

    /// The dot products of a vector, (hidden_size), and every token's vector in the residual stream: (vocab_size).
    async fn times_words(
        &self,
        words: WordWeights,
        vector: &[f32],
        cancel: &dyn Cancellation,
    ) -> Result<Vec<f32>, Error> {
        let mut numbers: Vec<f64> = vector.iter().copied().map(f64::from).collect();
        if let Some(projection) = words.projection {
            let rows = self.weight_rows(projection, 0..projection.rows, cancel).await?;
            let mut sums = vec![0.0; projection.columns];
            for (row, number) in rows.chunks_exact(projection.columns.max(1)).zip(numbers) {
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += number * f64::from(*weight));
            }
            numbers = sums;
        }
        let scaled = numbers.into_iter().map(|number| (number * f64::from(words.scale)) as f32);
        self.weight_product(words.table, scaled.enumerate(), cancel).await
    }
}

/// The tokens with the largest keys.
fn tokens(numbers: &[f32], count: usize, key: fn(f32) -> f32) -> Vec<TokenNumber> {
    first(numbers, count, key).into_iter().map(|id| TokenNumber { id: id as u32, number: numbers[id] }).collect()
}
