//! What a session answers about the heads of its last run, without running the model again.

use super::backend::{Asked, PlanId, StatesId};
use super::heads::{
    LARGEST_MAP, Questions, check_map, head_maps, head_questions, one_map, picture_questions, side, statistics,
    told_tokens, whole_maps,
};
use super::loaded::{Ran, Session};
use super::{HeadMaps, Selection, Tensor};
use crate::backend::{Pace, Read, Unhurried};
use crate::error::Error;
use crate::ops::{HeadStatistics, MapKind};
use crate::plan::{Heads, Input, Part, Sizes};
use std::ops::Range;

/// A picture of every head's map where it lies on a GPU: (layers, heads, side, side).
pub struct Picture<'a> {
    pub answer: &'a wgpu::Buffer,
    pub layers: usize,
    pub heads: usize,
    /// Rows and columns of a map: its tokens, or fewer where they were pooled.
    pub side: usize,
    /// What it took to make them.
    pub dispatches: usize,
}

impl Session {
    /// The heads of every layer of the part that is looked at, of the last run.
    pub(super) fn heads(&self) -> Result<(Ran, Vec<Heads>), Error> {
        self.heads_of(self.part)
    }

    /// The same of any part, with the run that they are of.
    pub(super) fn heads_of(&self, part: Part) -> Result<(Ran, Vec<Heads>), Error> {
        let there = |plan| self.plans.holds(plan) || self.beside.holds(plan);
        let mut ran = self.last;
        if part == Part::Encoder {
            // The last run may be the encoder's own, which is still under way to a text.
            ran = ran.and_then(|last| if last.part == part { Some(last) } else { self.read_before(last) });
        }
        let ran = ran.filter(|ran| there(ran.plan)).ok_or_else(no_heads)?;
        let heads = self.backend.plan(ran.plan)?.heads(part);
        if heads.is_empty() { Err(no_heads()) } else { Ok((ran, heads)) }
    }

    /// Makes what a question about any head needs, with room for so many numbers: choosing another one later creates nothing.
    pub(super) fn prepare_heads(
        &mut self,
        plan: (PlanId, Option<StatesId>),
        heads: &[Heads],
        sizes: Sizes,
        numbers: u64,
    ) -> Result<(), Error> {
        let questions: Vec<_> = heads.iter().flat_map(|heads| head_questions(heads, 0, sizes).questions).collect();
        self.backend.prepare(plan, &questions, numbers)
    }

    /// Probabilities of all heads of a layer, for every sequence: (batch, heads, length, keys).
    pub(super) async fn attentions(&mut self, layer: usize, pace: &dyn Pace) -> Result<Tensor, Error> {
        self.attentions_of(self.part, layer, pace).await
    }

    /// The same of any part.
    pub(super) async fn attentions_of(&mut self, part: Part, layer: usize, pace: &dyn Pace) -> Result<Tensor, Error> {
        let (last, heads) = self.heads_of(part)?;
        let heads = heads.get(layer).ok_or_else(no_heads)?;
        let (queries, keys, count) = (heads.queries(last.sizes), heads.keys(last.sizes), heads.query.heads);
        check_map(queries, keys)?;
        let together = (LARGEST_MAP as usize / (queries * keys).max(1)).clamp(1, count);
        let mut data = Vec::new();
        for sequence in 0..last.sizes.batch {
            for first in (0..count).step_by(together) {
                let asked = whole_maps(heads, sequence, first..(first + together).min(count), last.sizes);
                let reads = asked.reads();
                let numbers = asked.numbers();
                let asked = Asked { questions: &asked.questions, numbers, reads: &reads };
                let read = self.backend.ask((last.plan, last.states), last.sizes, asked, pace).await?;
                data.extend(read.into_iter().flatten());
            }
        }
        Ok(Tensor { shape: vec![last.sizes.batch, count, queries, keys], data })
    }

    /// Reads another head of the last run, without running the model again.
    ///
    /// # Errors
    /// Nothing has run with a selection yet; a head out of range; a lost device.
    pub async fn head(&mut self, selection: Selection) -> Result<HeadMaps, Error> {
        self.head_paced(selection, &Unhurried).await
    }

    /// [`Session::head`] that pauses in between.
    ///
    /// # Errors
    /// As [`Session::head`]; [`Error::Overtaken`] when a pause says so.
    pub async fn head_paced(&mut self, selection: Selection, pace: &dyn Pace) -> Result<HeadMaps, Error> {
        let Selection { layer, head } = selection;
        let missing = || Error::InvalidInput { reason: format!("layer {layer}, head {head} is not there to be read") };
        let (last, heads) = self.heads().map_err(|_| missing())?;
        let heads = heads.get(layer).filter(|heads| head < heads.query.heads).ok_or_else(missing)?;
        check_map(heads.queries(last.sizes), heads.keys(last.sizes))?;
        let read = self.ask(last, &head_questions(heads, head, last.sizes), pace).await?;
        Ok(head_maps(read.into_iter()))
    }

    /// One head's map of any kind, for the first sequence of the last run: (queries, keys), or square and pooled to at most `most` of
    /// both, as a picture is. What is turned back is turned by position ids for tokens of that run, by their place in the sequence for tokens
    /// before it.
    ///
    /// # Errors
    /// No run kept its heads yet; a head out of range; pairs that were stopped or cut, where a rotation is to be taken
    /// back; a map too large to be read; a lost device; [`Error::Overtaken`] when a pause says so.
    pub async fn map(
        &mut self,
        selection: Selection,
        kind: MapKind,
        most: usize,
        pace: &dyn Pace,
    ) -> Result<Tensor, Error> {
        let Selection { layer, head } = selection;
        let missing = || Error::InvalidInput { reason: format!("layer {layer}, head {head} is not there to be read") };
        let (last, heads) = self.heads()?;
        let heads = heads.get(layer).filter(|heads| head < heads.query.heads).ok_or_else(missing)?;
        let side = side(heads, last.sizes, most);
        let shape = if most < usize::MAX { [side; 2] } else { [heads.queries(last.sizes), heads.keys(last.sizes)] };
        check_map(shape[0], shape[1])?;
        if kind.removes_rotation() {
            self.check_turned_alike(last)?;
        }
        let data = self.ask(last, &one_map(heads, head, kind, shape, last.sizes), pace).await?.concat();
        Ok(Tensor { shape: shape.to_vec(), data })
    }

    /// # Errors
    /// Pairs were stopped or cut in this run, or queries and keys rotated before a feature map: its rotation cannot be taken back.
    pub(super) fn check_turned_alike(&self, run: Ran) -> Result<(), Error> {
        let plan = self.backend.plan(run.plan)?;
        if plan.heads(self.part).iter().any(|heads| heads.linear && heads.table.is_none()) {
            let reason = "this attention rotates before its feature map, which cannot be taken back: run it with attention linear";
            return Err(Error::InvalidInput { reason: reason.into() });
        }
        let mut inputs = plan.inputs.iter();
        if inputs.any(|input| matches!(input, Input::PairModes { .. })) {
            let reason = "pairs were stopped or cut in the last run: its rotation cannot be taken back; run without";
            return Err(Error::InvalidInput { reason: reason.into() });
        }
        Ok(())
    }

    /// What every head did over the first sequence of the last run, as means over its queries that are neither padding nor
    /// special: (layers, heads, 10): entropy in nats, distance |query − key|, weight on the previous, the same, the next and the
    /// first token, the largest weight, and weight on the same token elsewhere, on special tokens, and on tokens that follow an
    /// earlier occurrence of the query's. tokens: (keys), the sequence's ids, below 0 for special ones; of cross-attention the source's,
    /// then the text's.
    ///
    /// # Errors
    /// No run kept its heads yet; another number of tokens than the run has; a lost device.
    pub async fn statistics(&mut self, tokens: &[f32]) -> Result<Tensor, Error> {
        let layers = 0..self.heads()?.1.len();
        self.statistics_paced(tokens, layers, &Unhurried).await
    }

    /// [`Session::statistics`] of some layers, with pauses in between.
    ///
    /// # Errors
    /// As [`Session::statistics`]; a layer out of range; [`Error::Overtaken`] when a pause says so.
    pub async fn statistics_paced(
        &mut self,
        tokens: &[f32],
        layers: Range<usize>,
        pace: &dyn Pace,
    ) -> Result<Tensor, Error> {
        let (last, heads) = self.heads()?;
        let heads = heads.get(layers).ok_or_else(no_heads)?;
        let count = heads.first().map_or(0, |heads| told_tokens(heads, last.sizes));
        if tokens.len() != count {
            let reason = format!("{} tokens were given of a text of {count}", tokens.len());
            return Err(Error::InvalidInput { reason });
        }
        let asked = statistics(heads, last.sizes);
        self.backend.give(last.plan, tokens, asked.numbers())?;
        let data = self.ask(last, &asked, pace).await?.split_off(1).concat();
        let of_layer = heads.first().map_or(0, |heads| heads.query.heads);
        Ok(Tensor { shape: vec![heads.len(), of_layer, HeadStatistics::EACH], data })
    }

    /// Asks about the last run, and reads the answers.
    pub(super) async fn ask(&mut self, last: Ran, asked: &Questions, pace: &dyn Pace) -> Result<Vec<Vec<f32>>, Error> {
        let reads = asked.reads();
        let asked = Asked { questions: &asked.questions, numbers: asked.numbers(), reads: &reads };
        self.backend.ask((last.plan, last.states), last.sizes, asked, pace).await
    }

    /// Reads values that a run left where they are kept.
    pub(super) async fn read(&mut self, last: Ran, reads: &[Read]) -> Result<Vec<Vec<f32>>, Error> {
        let asked = Asked { questions: &[], numbers: 0, reads };
        self.backend.ask((last.plan, last.states), last.sizes, asked, &Unhurried).await
    }

    /// Every head's map of the last run, pooled to at most `cell` rows and columns, left where it is made. `None` before a run
    /// with a selection, and on the CPU, which makes them one by one: [`Session::map`].
    ///
    /// # Errors
    /// No room; a lost device.
    pub fn picture(&mut self, cell: usize) -> Result<Option<Picture<'_>>, Error> {
        let Ok((last, heads)) = self.heads() else { return Ok(None) };
        let asked = picture_questions(&heads, cell, last.sizes);
        // Room for the longest text of the plan, so that a longer one finds it.
        let full = Sizes::from(self.backend.plan(last.plan)?.capacity);
        let first = *heads.first().ok_or_else(no_heads)?;
        let numbers = picture_questions(&heads, cell, full).numbers();
        self.prepare_heads((last.plan, last.states), &heads, last.sizes, numbers)?;
        self.cell = cell;
        let answer = self.backend.answer((last.plan, last.states), last.sizes, &asked.questions, numbers)?;
        let (layers, heads, dispatches) = (heads.len(), first.query.heads, asked.questions.len());
        Ok(answer.map(|answer| Picture { answer, layers, heads, side: side(&first, last.sizes, cell), dispatches }))
    }

    /// The numbers of [`Session::picture`], and the side of a map.
    ///
    /// # Errors
    /// No run kept its heads yet; a lost device.
    pub async fn read_picture(&mut self, cell: usize) -> Result<(Vec<f32>, usize), Error> {
        let (last, heads) = self.heads()?;
        let asked = picture_questions(&heads, cell, last.sizes);
        let (reads, numbers) = (asked.reads(), asked.numbers());
        self.prepare_heads((last.plan, last.states), &heads, last.sizes, numbers)?;
        let asked = Asked { questions: &asked.questions, numbers, reads: &reads };
        let read = self.backend.ask((last.plan, last.states), last.sizes, asked, &Unhurried).await?;
        let first = heads.first().ok_or_else(no_heads)?;
        Ok((read.concat(), side(first, last.sizes, cell)))
    }
}

pub(super) fn no_heads() -> Error {
    Error::InvalidInput { reason: "no run has kept its heads yet".into() }
}
