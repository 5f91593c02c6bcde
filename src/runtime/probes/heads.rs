//! One head's map, query rows and key rows, and all maps of a layer.

use crate::backend::{Cancellation, Reads};
use crate::error::Error;
use crate::ops::{MapKind, MapWindow, Maps};
use crate::plan::{Heads, Input, Part, TensorName};
use crate::runtime::inner::{Inner, borrow};
use crate::runtime::probe_reads::{LARGEST_MAP, add_head_probe, check_map, pooled_side};
use crate::runtime::run::Run;
use crate::runtime::run_key::RunKey;
use crate::runtime::{HeadId, HeadMaps, Tensor};
use std::ops::Range;

impl Run {
    /// One head's attention map with its rotated queries and keys, for the first sequence.
    ///
    /// # Errors
    /// A head out of range; a map too large to be read.
    pub async fn head(&self, head: HeadId, cancel: &dyn Cancellation) -> Result<HeadMaps, Error> {
        borrow(&*self.inner()?)?.head(self.key(), head, cancel).await
    }

    /// One head's attention map of the first sequence: (queries, keys), row-major.
    ///
    /// # Errors
    /// Those of [`Run::head`].
    pub async fn attention_map(&self, head: HeadId, cancel: &dyn Cancellation) -> Result<Tensor, Error> {
        self.map(head, MapKind::Weight, usize::MAX, cancel).await
    }

    /// One head's map of any kind, for the first sequence: (queries, keys), or square and pooled to at most `most` rows and columns. A
    /// rotation is taken back by position ids for the run's own tokens, by the place in the sequence for tokens before them.
    ///
    /// # Errors
    /// Those of [`Run::head`]; pairs that were frozen or ablated, where the kind takes a rotation back.
    pub async fn map(
        &self,
        head: HeadId,
        kind: MapKind,
        most: usize,
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        let (layers, sizes, run) = inner.heads(self.key(), head.part)?;
        let heads = layer_of(&layers, head)?;
        let side = pooled_side(heads, sizes, most);
        let shape = if most < usize::MAX { [side; 2] } else { [heads.queries(sizes), heads.keys(sizes)] };
        check_map(shape[0], shape[1])?;
        if kind.removes_rotation() {
            inner.check_rotation(&run, head.part)?;
        }
        let window =
            MapWindow { rows: shape[0], columns: shape[1], ..MapWindow::full(heads.queries(sizes), heads.keys(sizes)) };
        let mut reads = Reads::default();
        let head_range = head.head..head.head + 1;
        let maps = Maps { heads: *heads, kind, sequence: 0, head_range, window, offset: 0 };
        let map = reads.probe_result(maps.numbers(), |offset| Maps { offset, ..maps });
        let data = map.take(&mut inner.probe(&run, &reads, cancel).await?);
        Ok(Tensor { shape: shape.to_vec(), data })
    }

    /// One head's attention weights or a tensor of its scores, for the first sequence: (1, 1, queries, keys), or (1, 1, queries). scale: of the
    /// scores.
    pub(in crate::runtime) async fn head_tensor(
        &self,
        tensor: TensorName,
        head: HeadId,
        scale: f32,
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let is_weight = tensor == TensorName::Attentions;
        let kind = if is_weight { MapKind::Weight } else { MapKind::Score };
        let Tensor { mut shape, mut data } = self.map(head, kind, usize::MAX, cancel).await?;
        let keys = shape.last().copied().unwrap_or(1);
        if !is_weight {
            let visible = match needs_mask(tensor) {
                true => self.map(head, MapKind::Mask, usize::MAX, cancel).await?.data,
                false => Vec::new(),
            };
            data = from_scores(tensor, data, &visible, keys, scale);
        }
        shape.truncate(tensor.axes().len() - 1);
        Ok(Tensor { shape: [vec![1, 1], shape].concat(), data })
    }
}

fn layer_of(layers: &[Heads], HeadId { part, layer, head }: HeadId) -> Result<&Heads, Error> {
    let heads = layers.first().map_or(0, |heads| heads.query.heads);
    let missing = || Error::HeadOutOfRange { part: part.name(), layer, head, layers: layers.len(), heads };
    layers.get(layer).filter(|heads| head < heads.query.heads).ok_or_else(missing)
}

pub(super) fn heads_of_layers(all: &[Heads], part: Part, layers: Range<usize>) -> Result<&[Heads], Error> {
    let Range { start: first, end } = layers;
    let last = end.saturating_sub(1);
    let missing = || Error::LayersOutOfRange { part: part.name(), first, last, layers: all.len() };
    all.get(layers).ok_or_else(missing)
}

/// Whether a tensor is computed from scores and the mask.
fn needs_mask(tensor: TensorName) -> bool {
    [TensorName::MaskedScore, TensorName::ScoreMaximum, TensorName::ScoreSum].contains(&tensor)
}

/// A tensor that follows from rows of scaled scores, (rows, keys). visible: 1 or 0 for each, where the tensor needs the mask.
fn from_scores(tensor: TensorName, mut scores: Vec<f32>, visible: &[f32], keys: usize, scale: f32) -> Vec<f32> {
    if tensor == TensorName::UnscaledScore {
        scores.iter_mut().for_each(|score| *score /= scale);
    }
    // Hugging Face's masks add the least f32, so that a row without a visible key is uniform.
    let hidden = scores.iter_mut().zip(visible).filter(|(_, visible)| **visible == 0.0);
    hidden.for_each(|(score, _)| *score += f32::MIN);
    let reduce = |row: &[f32]| {
        let maximum = row.iter().fold(f32::MIN, |maximum, score| maximum.max(*score));
        let sum = || row.iter().map(|score| f64::from(score - maximum).exp()).sum::<f64>() as f32;
        if tensor == TensorName::ScoreMaximum { maximum } else { sum() }
    };
    match tensor {
        TensorName::ScoreMaximum | TensorName::ScoreSum => scores.chunks_exact(keys.max(1)).map(reduce).collect(),
        _ => scores,
    }
}

impl Inner {
    pub async fn head(&mut self, run: &RunKey, head: HeadId, cancel: &dyn Cancellation) -> Result<HeadMaps, Error> {
        let (layers, sizes, run) = self.heads(run, head.part)?;
        let heads = layer_of(&layers, head)?;
        check_map(heads.queries(sizes), heads.keys(sizes))?;
        let mut reads = Reads::default();
        let maps = add_head_probe(&mut reads, heads, head.head, sizes);
        Ok(maps.take(&mut self.probe(&run, &reads, cancel).await?))
    }

    /// Attention weights of all heads of a layer, for every sequence: (batch, heads, queries, keys).
    pub async fn attentions(
        &mut self,
        run: &RunKey,
        part: Part,
        layer: usize,
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        self.maps(run, MapKind::Weight, part, layer, cancel).await
    }

    /// Scores of all heads of a layer, for every sequence: unscaled, scaled or masked, (batch, heads, queries, keys); or each row's maximum or
    /// sum of exponentials, (batch, heads, queries).
    pub async fn scores(
        &mut self,
        run: &RunKey,
        tensor: TensorName,
        part: Part,
        layer: usize,
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let (layers, _, _) = self.heads(run, part)?;
        let scale = layer_of(&layers, HeadId { part, layer, head: 0 })?.scale;
        let mut scores = self.maps(run, MapKind::Score, part, layer, cancel).await?;
        let visible = match needs_mask(tensor) {
            true => self.maps(run, MapKind::Mask, part, layer, cancel).await?.data,
            false => Vec::new(),
        };
        let keys = scores.shape.last().copied().unwrap_or(1);
        if [TensorName::ScoreMaximum, TensorName::ScoreSum].contains(&tensor) {
            scores.shape.pop();
        }
        scores.data = from_scores(tensor, scores.data, &visible, keys, scale);
        Ok(scores)
    }

    /// Maps of all heads of a layer, for every sequence: (batch, heads, queries, keys).
    async fn maps(
        &mut self,
        run: &RunKey,
        kind: MapKind,
        part: Part,
        layer: usize,
        cancel: &dyn Cancellation,
    ) -> Result<Tensor, Error> {
        let (layers, sizes, run) = self.heads(run, part)?;
        let heads = layer_of(&layers, HeadId { part, layer, head: 0 })?;
        let (queries, keys, count) = (heads.queries(sizes), heads.keys(sizes), heads.query.heads);
        check_map(queries, keys)?;
        let together = (LARGEST_MAP as usize / (queries * keys).max(1)).clamp(1, count);
        let mut data = Vec::new();
        for sequence in 0..sizes.batch {
            for first in (0..count).step_by(together) {
                let window = MapWindow::full(queries, keys);
                let head_range = first..(first + together).min(count);
                let maps = Maps { heads: *heads, kind, sequence, head_range, window, offset: 0 };
                let mut reads = Reads::default();
                let maps = reads.probe_result(maps.numbers(), |offset| Maps { offset, ..maps });
                data.extend(maps.take(&mut self.probe(&run, &reads, cancel).await?));
            }
        }
        Ok(Tensor { shape: vec![sizes.batch, count, queries, keys], data })
    }

    pub fn check_rotation(&self, run: &RunKey, part: Part) -> Result<(), Error> {
        let (context_plan, _) = self.locate(run)?;
        let plan = context_plan.device_plan.plan();
        if plan.heads(part).iter().any(|heads| heads.linear && heads.table.is_none()) {
            return Err(Error::RotationBeforeFeatureMap);
        }
        let mut inputs = plan.inputs.iter();
        if inputs.any(|input| matches!(input, Input::PairModes { .. })) {
            return Err(Error::RotationOfChangedPairs);
        }
        Ok(())
    }
}
