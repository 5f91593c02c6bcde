//! Queries and keys of all heads before rotation: for means by head.

use super::heads::heads_of_layers;
use crate::backend::{Cancellation, Reads};
use crate::error::Error;
use crate::kernels::rotate_back;
use crate::ops::CopyRows;
use crate::plan::{Input, Part};
use crate::runtime::angles::table;
use crate::runtime::inner::borrow;
use crate::runtime::probe_reads::LARGEST_MAP;
use crate::runtime::run::Run;
use std::ops::Range;

/// Rows of the heads of some layers before rotation, pairs adjacent; a rope's magnitude is still in them.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadRows {
    /// (layers, length, heads, head_size)
    pub queries: Vec<f32>,
    /// (layers, length, key heads, head_size)
    pub keys: Vec<f32>,
}

impl Run {
    /// Query and key rows before rotation of all heads of these layers, of the first sequence, which must have had no position ids of
    /// its own. Read in one submit.
    ///
    /// # Errors
    /// A layer out of range; pairs that were frozen or ablated; more numbers than are read at once.
    pub async fn head_rows(
        &self,
        part: Part,
        layers: Range<usize>,
        cancel: &dyn Cancellation,
    ) -> Result<HeadRows, Error> {
        let inner = self.inner()?;
        let mut inner = borrow(&inner)?;
        let (all, sizes, run) = inner.heads(self.key(), part)?;
        let heads = heads_of_layers(&all, part, layers)?;
        inner.check_rotation(&run, part)?;
        let mut reads = Reads::default();
        let mut tickets = Vec::new();
        for heads in heads {
            for (view, rows) in [(heads.query, heads.queries(sizes)), (heads.key, heads.keys(sizes))] {
                let probe = |offset| CopyRows::to_results(view, 0, rows, offset);
                tickets.push(reads.probe_result(rows * view.width(), probe));
            }
        }
        let needed = reads.result_numbers();
        if needed > LARGEST_MAP {
            return Err(Error::TooManyMaps { needed: 4 * needed, limit: 4 * LARGEST_MAP });
        }
        let mut read_back = inner.probe(&run, &reads, cancel).await?;
        let mut tickets = tickets.into_iter();
        let mut rows = HeadRows { queries: Vec::new(), keys: Vec::new() };
        for heads in heads {
            let angles = match heads.table {
                Some(Input::Rotary { rope, head_size }) => {
                    let rope = inner.model.architecture().ropes.get(rope).ok_or(Error::NoHeads)?;
                    table(rope, head_size, run.angles, sizes.keys(), inner.model.rotary_table())
                }
                _ => Vec::new(),
            };
            for (view, to) in [(heads.query, &mut rows.queries), (heads.key, &mut rows.keys)] {
                let mut numbers = tickets.next().map(|ticket| ticket.take(&mut read_back)).unwrap_or_default();
                let angles = angles.chunks_exact(view.head_size.max(1));
                numbers.chunks_exact_mut(view.width()).zip(angles).for_each(|(row, angles)| rotate_back(row, angles));
                to.extend(numbers);
            }
        }
        Ok(rows)
    }
}
