//! What changed between two runs: one is remembered, the last is compared with it. Every attention weight counts, and every
//! number of the result.

use super::loaded::{Ran, Session};
use super::{Request, Rows, Selection, Tensor};
use crate::backend::{Pace, Read, Unhurried};
use crate::error::Error;
use crate::model::{Facts, Model};
use crate::plan::Heads;
use std::mem::swap;
use std::rc::Rc;

/// Numbers that are remembered at most, 128 MiB of them: all heads' maps and the result.
pub const MOST_REMEMBERED: u64 = 1 << 25;

/// The largest differences |Δ| between two runs; NaN where one of them has no number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Differences {
    /// Of any attention weight.
    pub attention: f32,
    /// Where that one is: its head,
    pub head: Selection,
    /// and the positions of its query and its key.
    pub query: usize,
    pub key: usize,
    /// Of any logit, or number of the last hidden state.
    pub result: f32,
}

impl Differences {
    /// A run that is to be compared with another one: this one, with every head and every logit kept.
    ///
    /// # Errors
    /// More numbers than [`MOST_REMEMBERED`].
    pub fn asked(request: Request, facts: &Facts) -> Result<Request, Error> {
        let tokens = (request.batch as u64).saturating_mul(request.length as u64);
        let weights = (request.length as u64).saturating_mul((facts.layers * facts.heads) as u64);
        let logits = if facts.predicts_tokens() { facts.vocab_size } else { facts.hidden_size };
        check_memory(tokens.saturating_mul(weights.saturating_add(logits as u64)))?;
        Ok(Request { keeps_heads: true, rows: Rows::All, top_k: 0, ..request })
    }
}

/// What a run left.
pub(super) struct Remembered {
    /// By layer: (batch, heads, queries, keys).
    maps: Vec<Tensor>,
    result: Tensor,
}

impl Session {
    /// Remembers the last run's maps and its result, to compare a later run with; what was remembered before is let go.
    ///
    /// # Errors
    /// No run has kept its heads; it told fills without [`crate::session::Request::keeps_logits`]; more numbers than
    /// [`MOST_REMEMBERED`]; a lost device.
    pub async fn remember(&mut self) -> Result<(), Error> {
        self.remembered = None;
        let (last, heads) = self.heads()?;
        let result = self.compared(last)?;
        let maps = heads.iter().map(|heads| numbers(heads, last));
        check_memory(maps.fold(result.1.count as u64, u64::saturating_add))?;
        let mut maps = Vec::with_capacity(heads.len());
        for layer in 0..heads.len() {
            maps.push(self.attentions(layer, &Unhurried).await?);
        }
        let result = self.read_result(last, result).await?;
        self.remembered = Some(Rc::new(Remembered { maps, result }));
        Ok(())
    }

    /// How far the last run is from the one that is remembered.
    ///
    /// # Errors
    /// None is remembered; the runs are of other sizes; those of [`Session::remember`].
    pub async fn differences(&mut self) -> Result<Differences, Error> {
        let missing =
            || Error::InvalidInput { reason: "no run is remembered that this one could be compared with".into() };
        let before = self.remembered.clone().ok_or_else(missing)?;
        let (last, _) = self.heads()?;
        let result = self.compared(last)?;
        same_shape("results", &before.result.shape, &result.0)?;
        let head = Selection { layer: 0, head: 0 };
        let mut differences = Differences { attention: 0.0, head, query: 0, key: 0, result: 0.0 };
        for (layer, before) in before.maps.iter().enumerate() {
            let now = self.attentions(layer, &Unhurried).await?;
            same_shape("maps", &before.shape, &now.shape)?;
            let (heads, keys) = (now.shape[1].max(1), now.shape[3].max(1));
            let map = (now.shape[2] * keys).max(1);
            for (at, (before, now)) in before.data.chunks_exact(map).zip(now.data.chunks_exact(map)).enumerate() {
                let (place, attention) = largest_difference(before, now);
                if larger(differences.attention, attention) {
                    let head = Selection { layer, head: at % heads };
                    let (query, key) = (place / keys, place % keys);
                    differences = Differences { attention, head, query, key, ..differences };
                }
            }
        }
        let now = self.read_result(last, result).await?;
        differences.result = largest_difference(&before.result.data, &now.data).1;
        Ok(differences)
    }

    /// How far the second of two runs is from the first, each as [`Differences::asked`] says, and as a variant of the model where one is
    /// given. Questions are still about the run before them, and nothing is remembered afterwards.
    ///
    /// # Errors
    /// A model of other weights; those of [`Session::run_paced`], [`Session::remember`] and [`Session::differences`].
    pub async fn differences_aside(
        &mut self,
        [before, after]: [(Option<Model>, &Request); 2],
        pace: &dyn Pace,
    ) -> Result<Differences, Error> {
        let first = async |session: &mut Self| {
            session.run_paced(before.1, pace).await?;
            session.remember().await
        };
        self.beside(before.0, first).await?;
        let second = async |session: &mut Self| {
            session.run_paced(after.1, pace).await?;
            session.differences().await
        };
        let found = self.beside(after.0, second).await;
        self.remembered = None;
        found
    }

    /// Does something in plans of its own, as a variant where one is given. Their memory is given back: all logits take much of it.
    async fn beside<T>(
        &mut self,
        mut variant: Option<Model>,
        work: impl AsyncFnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(model) = &mut variant {
            self.check_variant(model)?;
            swap(&mut self.model, model);
        }
        let last = self.last;
        self.aside.clear(&mut self.backend);
        swap(&mut self.plans, &mut self.aside);
        let result = work(self).await;
        swap(&mut self.plans, &mut self.aside);
        self.aside.clear(&mut self.backend);
        self.last = last;
        if let Some(model) = variant {
            self.model = model;
        }
        result
    }

    /// The shape of the last run's result, and how it is read.
    fn compared(&self, last: Ran) -> Result<(Vec<usize>, Read), Error> {
        let missing = || Error::InvalidInput {
            reason: "the last run told fills alone: keep its logits, too, so that runs can be compared".into(),
        };
        let value = last.compared.ok_or_else(missing)?;
        let plan = self.backend.plan(last.plan)?;
        let read = Read { of: value.into(), first: 0, count: plan.elements(value, last.sizes) as usize };
        Ok((plan.shapes[value.index()].dimensions(last.sizes), read))
    }

    async fn read_result(&mut self, last: Ran, (shape, read): (Vec<usize>, Read)) -> Result<Tensor, Error> {
        let data = self.read(last, &[read]).await?.concat();
        Ok(Tensor { shape, data })
    }
}

/// Weights of a layer.
fn numbers(heads: &Heads, last: Ran) -> u64 {
    let map = (heads.queries(last.sizes) as u64).saturating_mul(last.sizes.keys() as u64);
    map.saturating_mul((last.sizes.batch * heads.query.heads) as u64)
}

/// # Errors
/// More numbers than [`MOST_REMEMBERED`].
fn check_memory(numbers: u64) -> Result<(), Error> {
    if numbers <= MOST_REMEMBERED {
        return Ok(());
    }
    let (needed, most) = (numbers >> 18, MOST_REMEMBERED >> 18);
    let reason = format!(
        "all maps and logits of this run take {needed} MiB, more than the {most} MiB that are remembered; shorten the text"
    );
    Err(Error::InvalidInput { reason })
}

fn same_shape(what: &str, before: &[usize], now: &[usize]) -> Result<(), Error> {
    if before == now {
        return Ok(());
    }
    let reason =
        format!("the run that is remembered has {what} of {before:?}, this one of {now:?}: compare runs of one size");
    Err(Error::InvalidInput { reason })
}

/// Whether a difference counts more than the largest so far: NaN more than any.
fn larger(largest: f32, found: f32) -> bool {
    found > largest || (found.is_nan() && !largest.is_nan())
}

/// Where it is, and how large.
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
