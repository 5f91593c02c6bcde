//! Rotary tables: cosines and sines of every position that a plan can reach, from f64.

use super::model::Model;
use super::request::Request;
use crate::backend::DevicePlan;
use crate::model::Architecture;
use crate::plan::Input;
use crate::rope::{self, Rope};

/// The settings of a rotary table besides its rope: the first position, and the length that some ropes scale with, one more than the
/// last position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Angles {
    pub offset: u64,
    pub length: u64,
}

impl Angles {
    /// The angles of a request. The length is the largest position id plus one, whatever padding precedes it, as Hugging Face's
    /// `dynamic_rope_update` computes it.
    pub fn of(request: &Request) -> Self {
        let offset = request.position_offset;
        let largest = request.position_ids.as_ref().and_then(|ids| ids.iter().max());
        let length = largest.map_or(request.length as u64, |largest| u64::from(*largest) + 1);
        Self { offset, length: offset.saturating_add(length) }
    }

    /// Whether both give every position the same angles.
    pub fn equal(self, other: Self, architecture: &Architecture) -> bool {
        let same = |rope: &Rope| rope.has_same_frequencies(self.length, other.length);
        self.offset == other.offset && architecture.ropes.iter().all(same)
    }
}

/// Writes the rotary tables of a plan.
pub fn write_tables(device_plan: &mut DevicePlan, model: &Model, angles: Angles) {
    let keys = device_plan.plan().capacity.keys;
    for input in device_plan.plan().inputs.clone() {
        let Input::Rotary { rope, head_size } = input else { continue };
        let Some(rope) = model.architecture().ropes.get(rope) else { continue };
        device_plan.set_table(input, &table(rope, head_size, angles, keys, model.rotary_table()));
    }
}

/// Cosines and sines of `keys` positions: (keys, head_size / 2, 2). `stored`: the file's own table (max_position_embeddings, head_size),
/// sines before cosines.
pub fn table(rope: &Rope, head_size: usize, angles: Angles, keys: usize, stored: Option<&[f32]>) -> Vec<f32> {
    let frequencies = rope.frequencies(angles.length);
    if rope.has_bf16_table() {
        return rope::bf16_table(&frequencies, angles.offset, keys);
    }
    let mut table = rope::table(&frequencies, angles.offset, keys);
    // Hugging Face rotates by the stored table, rounded as the file rounds it.
    let first = usize::try_from(angles.offset).unwrap_or(usize::MAX);
    let rows = stored.into_iter().flat_map(|stored| stored.chunks_exact(head_size)).skip(first);
    for (pairs, row) in table.chunks_exact_mut(head_size).zip(rows) {
        let (sines, cosines) = row.split_at(head_size / 2);
        for (pair, (sine, cosine)) in pairs.chunks_exact_mut(2).zip(sines.iter().zip(cosines)) {
            pair.copy_from_slice(&[*cosine, *sine]);
        }
    }
    table
}
