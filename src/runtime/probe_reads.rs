//! Probes of heads as ops, and where their results are read.

use super::result::{HeadMaps, Tensor};
use crate::backend::{Reads, Ticket};
use crate::error::Error;
use crate::kernels::Format;
use crate::ops::{CopyRows, MapKind, MapWindow, Maps, RowNorms};
use crate::plan::{Heads, Sizes, View, Weight};

/// Numbers of one map that is read back at most: 4,096 queries and keys.
pub const LARGEST_MAP: u64 = 1 << 24;

pub fn check_map(queries: usize, keys: usize) -> Result<(), Error> {
    let needed = (queries as u64).saturating_mul(keys as u64);
    if needed > LARGEST_MAP {
        return Err(Error::TooManyMaps { needed: needed.saturating_mul(4), limit: 4 * LARGEST_MAP });
    }
    Ok(())
}

/// Adds the probes of one head of the first sequence: its map (queries, keys), its query rows and its key rows.
pub fn add_head_probe(reads: &mut Reads, heads: &Heads, head: usize, sizes: Sizes) -> Ticket<HeadMaps> {
    let (queries, keys, head_size) = (heads.queries(sizes), heads.keys(sizes), heads.query.head_size);
    let (kind, window) = (MapKind::Weight, MapWindow::full(queries, keys));
    let maps = Maps { heads: *heads, kind, sequence: 0, head_range: head..head + 1, window, offset: 0 };
    let attention = reads.probe_result(maps.numbers(), |offset| Maps { offset, ..maps });
    let mut rows = |view, count: usize| {
        reads.probe_result(count * head_size, |offset| CopyRows::to_results(view, 0, count, offset))
    };
    let query = rows(heads.query.head(head), queries);
    let key = rows(heads.key.head(heads.key_head(head)), keys);
    Ticket::new(move |read| HeadMaps { attention: attention.take(read), query: query.take(read), key: key.take(read) })
}

/// Rows and columns of a square map that is pooled to at most `most`: no more than there are tokens on its longer side.
pub fn pooled_side(heads: &Heads, sizes: Sizes, most: usize) -> usize {
    heads.queries(sizes).max(heads.keys(sizes)).min(most).max(1)
}

/// Adds a probe of every head of the first sequence, of at most `largest_side` rows and columns each: (layers, heads, side, side).
pub fn add_grid_probe(reads: &mut Reads, layers: &[Heads], largest_side: usize, sizes: Sizes) -> Ticket<Vec<f32>> {
    let maps = |heads: &Heads| {
        let side = pooled_side(heads, sizes, largest_side);
        let (queries, keys) = (0..heads.queries(sizes), 0..heads.keys(sizes));
        let window = MapWindow { queries, keys, rows: side, columns: side };
        let (kind, head_range) = (MapKind::Weight, 0..heads.query.heads);
        let maps = Maps { heads: *heads, kind, sequence: 0, head_range, window, offset: 0 };
        reads.probe_result(maps.numbers(), |offset| Maps { offset, ..maps })
    };
    let tickets: Vec<_> = layers.iter().map(maps).collect();
    Ticket::new(move |read| tickets.into_iter().flat_map(|ticket| ticket.take(read)).collect())
}

/// Adds probes of [`TensorName::Written`](crate::plan::TensorName::Written) of each head of a layer, (batch, heads, length). `of`: the
/// heads' outputs before the output projection.
pub fn add_output_norm_probes(reads: &mut Reads, of: View, output: (Weight, Format), sizes: Sizes) -> Ticket<Tensor> {
    let Sizes { batch, length, .. } = sizes;
    let mut norms = |sequence| {
        let (head_range, heads) = (0..of.heads, of.heads);
        let norms = RowNorms { rows: of, heads, output: Some(output), sequence, head_range, count: length, offset: 0 };
        reads.probe_result(norms.numbers(), |offset| RowNorms { offset, ..norms })
    };
    let tickets: Vec<_> = (0..batch).map(&mut norms).collect();
    let shape = vec![batch, of.heads, length];
    Ticket::new(move |read| {
        let data = tickets.into_iter().flat_map(|ticket| ticket.take(read)).collect();
        Tensor { shape, data }
    })
}
