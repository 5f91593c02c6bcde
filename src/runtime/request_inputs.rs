//! The inputs of a run, from its request.

use super::request::Request;
use crate::backend::RunInputs;
use crate::error::{Allocation, Error};
use crate::model::Facts;
use crate::ops::{IGNORED, ban_words, bans_of};
use crate::plan::Input;

/// The share of tokens that were masked while ESM was trained: 80 % of 15 %.
const TRAINED_ON_MASKS: f32 = 0.15 * 0.8;

impl Request {
    /// The inputs of the backends for tokens `past` .. of each sequence; the request has been checked.
    pub(super) fn inputs(&self, facts: &Facts, past: usize) -> Result<RunInputs, Error> {
        let fresh = |numbers: &[u32]| {
            let rows = numbers.chunks_exact(self.length);
            rows.flat_map(|row| &row[past..]).copied().collect::<Vec<u32>>()
        };
        let fresh_length = self.length - past;
        let tokens = self.batch * fresh_length;
        let key_mask = match &self.attention_mask {
            // f32::MIN added, not −∞, as Hugging Face does: a row without any key left is uniform instead of NaN.
            Some(mask) => mask.iter().map(|visible| if *visible == 0 { f32::MIN } else { 0.0 }).collect(),
            None => vec![0.0; self.batch * self.length],
        };
        let positions = match &self.position_ids {
            Some(ids) => fresh(ids),
            None => (0..self.batch).flat_map(|_| past as u32..self.length as u32).collect(),
        };
        let row_indices: Vec<u32> = self
            .head_rows(facts)
            .into_iter()
            .map(|row| {
                let (sequence, position) = (row as usize / self.length, row as usize % self.length);
                (sequence * fresh_length + position - past) as u32
            })
            .collect();
        let added = key_mask.chunks_exact(self.length).flat_map(|row| &row[past..]);
        let token_mask: Vec<f32> = added.map(|added| if *added == 0.0 { 1.0 } else { 0.0 }).collect();
        let labels: Vec<u32> = self.labels.iter().flatten().map(|label| label.unwrap_or(IGNORED)).collect();
        let mut inputs = RunInputs::default();
        inputs.set(Input::Ids, fresh(&self.ids));
        if facts.type_vocab_size > 0 {
            let types = self.token_type_ids.as_deref().map_or_else(|| vec![0; tokens], fresh);
            inputs.set(Input::TokenTypes, types);
        }
        inputs.set(Input::QueryScales, self.interventions.query_scales(&positions, self.position_offset));
        inputs.set(Input::Positions, positions);
        inputs.set(Input::KeyMask, key_mask);
        inputs.set(Input::TokenMask, token_mask);
        if let Some(source) = &self.source {
            inputs.set(Input::SourceMask, source.key_mask(self.batch));
        }
        inputs.set(Input::RowIndices, row_indices);
        inputs.set(Input::Labels, labels);
        if let Some(penalty) = self.penalty {
            inputs.set(Input::Penalty, vec![penalty]);
            inputs.set(Input::PenalisedIds, self.penalised_ids(facts)?);
        }
        if let Some(bans) = &self.bans {
            inputs.set(bans_of(facts.vocab_size), ban_words(bans, facts.vocab_size));
        }
        if let Some(draws) = &self.draws {
            inputs.set(Input::Draws, draws.words());
        }
        let rotated_heads = facts.layers * (facts.heads + facts.key_heads);
        let pair_modes = Input::PairModes { heads: rotated_heads, pairs: facts.head_size / 2 };
        inputs.set(pair_modes, self.interventions.pair_modes(facts));
        let head_ablations = Input::HeadAblations { heads: facts.layers * facts.heads };
        inputs.set(head_ablations, self.interventions.head_ablations(facts, past..self.length));
        let numbers = self.interventions.of_plan(facts).numbers;
        inputs.set(numbers.input(), self.interventions.number_words(numbers, facts, past..self.length));
        if let Some(mask) = facts.token_dropout {
            inputs.set(Input::EmbeddingScales, self.embedding_scales(mask));
        }
        Ok(inputs)
    }

    /// The factors of embeddings when masks are left out, (batch, length): (1 − the share of masks in training) /
    /// (1 − their share among the tokens that are no padding), and 0 for masks.
    fn embedding_scales(&self, mask: u32) -> Vec<f32> {
        let mut scales = Vec::new();
        for (row, ids) in self.ids.chunks_exact(self.length).enumerate() {
            let tokens = self.attention_mask.as_ref().map_or(self.length, |mask| {
                mask[row * self.length..][..self.length].iter().filter(|visible| **visible != 0).count()
            });
            let masks = ids.iter().filter(|id| **id == mask).count();
            let scale = (1.0 - TRAINED_ON_MASKS) / (1.0 - masks as f32 / tokens as f32);
            // A text of masks alone has no other token to scale.
            let scale = if scale.is_finite() { scale } else { 0.0 };
            scales.extend(ids.iter().map(|id| if *id == mask { 0.0 } else { scale }));
        }
        scales
    }

    /// For each head row the count of distinct ids up to it, without the padding in front, then these ids: (rows, 1 + length).
    fn penalised_ids(&self, facts: &Facts) -> Result<Vec<u32>, Error> {
        let rows = self.head_rows(facts);
        let count = (rows.len() as u64).saturating_mul(self.length as u64 + 1);
        let refused = || Error::MemoryRefused { what: Allocation::RepetitionPenalty, needed: count.saturating_mul(4) };
        let mut rows_of_ids: Vec<u32> = Vec::new();
        rows_of_ids.try_reserve_exact(usize::try_from(count).map_err(|_| refused())?).map_err(|_| refused())?;
        // The last row that holds an id, counted from 1.
        let mut last_row = vec![0; facts.vocab_size];
        for (row, number) in rows.into_iter().zip(1_u32..) {
            let (sequence, position) = (row as usize / self.length, row as usize % self.length);
            let start = sequence * self.length;
            // As Hugging Face does, without the padding in front.
            let mask = self.attention_mask.as_ref().map_or(&[][..], |mask| &mask[start..=start + position]);
            let padding = mask.iter().position(|visible| *visible != 0).unwrap_or(0);
            let ids = self.ids[start + padding..=start + position].iter().copied();
            let is_new = |id: &u32| {
                last_row.get_mut(*id as usize).is_some_and(|last_row| std::mem::replace(last_row, number) != number)
            };
            let first = rows_of_ids.len();
            rows_of_ids.push(0);
            rows_of_ids.extend(ids.filter(is_new));
            rows_of_ids[first] = (rows_of_ids.len() - first - 1) as u32;
            rows_of_ids.resize(first + 1 + self.length, 0);
        }
        Ok(rows_of_ids)
    }
}
