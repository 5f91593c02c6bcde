//! Queries and keys of all heads of the last run as they were before they turned: for means by head.

use super::heads::{LARGEST_MAP, Questions};
use super::loaded::Session;
use super::questions::no_heads;
use super::rotary::table;
use crate::backend::Unhurried;
use crate::error::Error;
use crate::kernels::rotate_back;
use crate::ops::CopyRows;
use crate::plan::{Input, Op};
use std::ops::Range;

/// Rows of some layers' heads, unrotated; a rope's magnitude stays. Pairs are adjacent.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadRows {
    /// (layers, length, heads, head_size)
    pub queries: Vec<f32>,
    /// (layers, length, key heads, head_size)
    pub keys: Vec<f32>,
}

impl Session {
    /// Unrotated query and key rows of all heads of these layers, of the first sequence of the last run, which must have had no
    /// position ids of its own. Read in one submit.
    ///
    /// # Errors
    /// No run kept its heads yet, or it is one beside the last; a layer out of range; pairs that were stopped or cut; more numbers than may be read at once; a
    /// lost device.
    pub async fn head_rows(&mut self, layers: Range<usize>) -> Result<HeadRows, Error> {
        let (last, heads) = self.heads()?;
        if !self.plans.holds(last.plan) {
            // Its rope may be another one.
            return Err(no_heads());
        }
        let count = heads.len();
        let missing = || Error::InvalidInput { reason: format!("layers {layers:?} are not there: there are {count}") };
        let heads = heads.get(layers.clone()).ok_or_else(missing)?;
        self.check_turned_alike(last)?;
        let mut asked = Questions::default();
        for heads in heads {
            for (view, rows) in [(heads.query, heads.queries(last.sizes)), (heads.key, heads.keys(last.sizes))] {
                let offset = asked.counts.iter().sum();
                asked.questions.push(Box::new(CopyRows::to_answer(view, 0, rows, offset)) as Box<dyn Op>);
                asked.counts.push(rows * view.width());
            }
        }
        if asked.numbers() > LARGEST_MAP {
            return Err(Error::TooManyMaps { needed: 4 * asked.numbers(), limit: 4 * LARGEST_MAP });
        }
        let mut read = self.ask(last, &asked, &Unhurried).await?.into_iter();
        let mut rows = HeadRows { queries: Vec::new(), keys: Vec::new() };
        for heads in heads {
            let turns = match heads.table {
                Some(Input::Rotary { rope, head_size }) => {
                    let rope = self.model.ropes.get(rope).ok_or_else(no_heads)?;
                    table(rope, head_size, last.turned, last.sizes.keys(), self.stored.table(&self.model))
                }
                _ => Vec::new(),
            };
            for (view, to) in [(heads.query, &mut rows.queries), (heads.key, &mut rows.keys)] {
                let mut numbers = read.next().unwrap_or_default();
                let turns = turns.chunks_exact(view.head_size.max(1));
                numbers.chunks_exact_mut(view.width()).zip(turns).for_each(|(row, turns)| rotate_back(row, turns));
                to.extend(numbers);
            }
        }
        Ok(rows)
    }
}
