//! What changed between two runs: one is remembered, the last is compared with it. Every attention weight counts, and every
//! number of the result.

use super::loaded::{Ran, Session};
use super::questions::no_heads;
use super::{Output, Request, Rows, Selection, Tensor};
use crate::backend::{Read, Unhurried};
use crate::error::Error;
use crate::model::Facts;
use crate::plan::{Heads, Tap};
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
    const NONE: Self = Self { attention: 0.0, head: Selection { layer: 0, head: 0 }, query: 0, key: 0, result: 0.0 };

    /// A run that is to be compared with another one, both beside the last: this one, with every map and every logit read back.
    ///
    /// # Errors
    /// More numbers than [`MOST_REMEMBERED`].
    pub fn asked(request: Request, facts: &Facts) -> Result<Request, Error> {
        let tokens = (request.batch as u64).saturating_mul(request.length as u64);
        let weights = (request.length as u64).saturating_mul((facts.layers * facts.heads) as u64);
        let logits = if facts.predicts_tokens() { facts.vocab_size } else { facts.hidden_size };
        check_memory(tokens.saturating_mul(weights.saturating_add(logits as u64)))?;
        let taps = (0..facts.layers).map(Tap::Attentions).collect();
        Ok(Request { taps, rows: Rows::All, top_k: 0, ..request })
    }

    /// How far apart two runs are that were asked as [`Differences::asked`] says.
    ///
    /// # Errors
    /// Runs that were asked for less.
    pub fn between(before: &Output, now: &Output, facts: &Facts) -> Result<Self, Error> {
        let both = |name: &str| before.tensors.get(name).zip(now.tensors.get(name)).ok_or_else(no_heads);
        let mut differences = Self::NONE;
        for layer in 0..facts.layers {
            let (before, now) = both(&Tap::Attentions(layer).to_string())?;
            differences.take_in(layer, before, now);
        }
        let (before, now) = both(facts.result_name())?;
        differences.result = largest_difference(&before.data, &now.data).1;
        Ok(differences)
    }

    /// The maps of a layer of both: (batch, heads, queries, keys).
    fn take_in(&mut self, layer: usize, before: &Tensor, now: &Tensor) {
        let &[_, heads, queries, keys] = &now.shape[..] else { return };
        let (place, attention) = largest_difference(&before.data, &now.data);
        if larger(self.attention, attention) {
            let (heads, queries, keys) = (heads.max(1), queries.max(1), keys.max(1));
            let head = Selection { layer, head: place / keys / queries % heads };
            *self = Self { attention, head, query: place / keys % queries, key: place % keys, ..*self };
        }
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
        let mut differences = Differences::NONE;
        for (layer, before) in before.maps.iter().enumerate() {
            let now = self.attentions(layer, &Unhurried).await?;
            same_shape("maps", &before.shape, &now.shape)?;
            differences.take_in(layer, before, &now);
        }
        let now = self.read_result(last, result).await?;
        differences.result = largest_difference(&before.result.data, &now.data).1;
        Ok(differences)
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
    let map = (heads.queries(last.sizes) as u64).saturating_mul(heads.keys(last.sizes) as u64);
    map.saturating_mul((last.sizes.batch * heads.query.heads) as u64)
}

/// # Errors
/// More numbers than [`MOST_REMEMBERED`].
fn check_memory(numbers: u64) -> Result<(), Error> {
    if numbers <= MOST_REMEMBERED {
        return Ok(());
    }
    let needed = numbers >> 18;
    let reason = format!(
        "all maps and logits of this run take {needed} MiB, more than the 128 MiB that are remembered; shorten the text"
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
