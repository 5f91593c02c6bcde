//! Rotary tables: cosines and sines of every position that a plan can reach, from f64.

use super::backend::{Backend, PlanId};
use crate::error::Error;
use crate::model::Model;
use crate::plan::Input;
use crate::rope::{self, Rope};

/// What tables were written for: the first position, and the length that some ropes turn by, one more than the last position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turned {
    pub offset: u64,
    pub length: u64,
}

impl Turned {
    /// Whether tables that were written for one serve the other.
    pub fn serves(self, other: Turned, model: &Model) -> bool {
        self.offset == other.offset && model.ropes.iter().all(|rope| rope.same_frequencies(self.length, other.length))
    }
}

/// Writes the tables of a plan for `keys` positions. stored: the file's own table (max_position_embeddings, head_size), sines
/// before cosines.
///
/// # Errors
/// The plan has been given back.
pub fn write_tables(
    backend: &mut Backend,
    plan: PlanId,
    model: &Model,
    turned: Turned,
    stored: Option<&[f32]>,
) -> Result<(), Error> {
    let finished = backend.plan(plan)?;
    let keys = finished.capacity.keys;
    let inputs = finished.inputs.clone();
    for input in inputs {
        let Input::Rotary { rope, head_size } = input else { continue };
        let Some(rope) = model.ropes.get(rope) else { continue };
        let table = table(rope, head_size, turned, keys, stored);
        backend.set_table(plan, input, &table)?;
    }
    Ok(())
}

/// Cosines and sines of `keys` positions: (keys, head_size / 2, 2).
pub fn table(rope: &Rope, head_size: usize, turned: Turned, keys: usize, stored: Option<&[f32]>) -> Vec<f32> {
    let frequencies = rope.frequencies(turned.length);
    if rope.is_rounded() {
        return rope::rounded_table(&frequencies, turned.offset, keys);
    }
    let mut table = rope::table(&frequencies, turned.offset, keys);
    // Hugging Face rotates by the stored table, rounded as the file rounds it.
    let first = usize::try_from(turned.offset).unwrap_or(usize::MAX);
    let rows = stored.into_iter().flat_map(|stored| stored.chunks_exact(head_size)).skip(first);
    for (turns, row) in table.chunks_exact_mut(head_size).zip(rows) {
        let (sines, cosines) = row.split_at(head_size / 2);
        for (turn, (sine, cosine)) in turns.chunks_exact_mut(2).zip(sines.iter().zip(cosines)) {
            turn.copy_from_slice(&[*cosine, *sine]);
        }
    }
    table
}
