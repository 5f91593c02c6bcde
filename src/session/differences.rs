//! What changed between two runs: one is remembered, the last is compared with it. Every attention weight counts, and every
//! number of the result.

use super::loaded::{Ran, Session};
use super::{Selection, Tensor};
use crate::backend::{Read, Unhurried};
use crate::error::Error;
use crate::plan::Heads;
use std::rc::Rc;

/// Numbers that are remembered at most, 128 MiB of them: all heads' maps and the result.
pub const MOST_REMEMBERED: u64 = 1 << 25;

/// The largest differences |Δ| between two runs; NaN where one of them has no number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Differences {
    /// Of any attention weight.
    pub attention: f32,
    /// Where that one is.
    pub head: Selection,
    /// Of any logit, or number of the last hidden state.
    pub result: f32,
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
        let needed = maps.fold(result.1.count as u64, u64::saturating_add);
        if needed > MOST_REMEMBERED {
            let (needed, most) = (needed >> 18, MOST_REMEMBERED >> 18);
            let reason = format!(
                "all maps of this run take {needed} MiB, more than the {most} MiB that are remembered; shorten the text"
            );
            return Err(Error::InvalidInput { reason });
        }
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
        let mut differences = Differences { attention: 0.0, head: Selection { layer: 0, head: 0 }, result: 0.0 };
        for (layer, before) in before.maps.iter().enumerate() {
            let now = self.attentions(layer, &Unhurried).await?;
            same_shape("maps", &before.shape, &now.shape)?;
            let (heads, map) = (now.shape[1], (now.shape[2] * now.shape[3]).max(1));
            for (at, (before, now)) in before.data.chunks_exact(map).zip(now.data.chunks_exact(map)).enumerate() {
                let found = largest_difference(before, now);
                if larger(differences.attention, found) {
                    (differences.attention, differences.head) = (found, Selection { layer, head: at % heads.max(1) });
                }
            }
        }
        let now = self.read_result(last, result).await?;
        differences.result = largest_difference(&before.result.data, &now.data);
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
    let map = (heads.queries(last.sizes) as u64).saturating_mul(last.sizes.keys() as u64);
    map.saturating_mul((last.sizes.batch * heads.query.heads) as u64)
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

fn largest_difference(one: &[f32], other: &[f32]) -> f32 {
    let differences = one.iter().zip(other).map(|(one, other)| (one - other).abs());
    differences.fold(0.0, |largest, found| if larger(largest, found) { found } else { largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_the_largest_difference() {
        assert_eq!(largest_difference(&[1.0, -2.0, 3.0], &[1.5, 1.0, 3.0]), 3.0);
        assert_eq!(largest_difference(&[], &[]), 0.0);
        assert!(largest_difference(&[1.0, f32::NAN, 3.0], &[9.0, 1.0, 30.0]).is_nan());
    }
}
