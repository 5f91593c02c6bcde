//! Lays the values of a plan into few buffers, reused along the plan.

use super::{Capacity, Shape, Step, Value};
use std::collections::HashSet;

/// Which buffer each value lives in, and how many numbers each buffer holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    /// Slot of each value.
    pub of: Vec<usize>,
    /// Numbers (f32) that each slot holds at the plan's capacity.
    pub sizes: Vec<usize>,
}

impl Slots {
    /// First fit over the order of the steps. A value keeps its slot until its last reader has run, and an output is placed
    /// before its inputs are freed, so no step ever reads and writes one buffer. `kept` values never give their slot back.
    pub fn assign(steps: &[Step], shapes: &[Shape], kept: impl Iterator<Item = Value>, capacity: Capacity) -> Self {
        let kept: HashSet<Value> = kept.collect();
        let mut last_read = vec![None; shapes.len()];
        for (index, step) in steps.iter().enumerate() {
            for value in step.op.reads() {
                last_read[value.0] = Some(index);
            }
        }
        let mut slots = Slots { of: vec![usize::MAX; shapes.len()], sizes: Vec::new() };
        let mut free: Vec<usize> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let writes = step.op.writes();
            for value in &writes {
                let kept = kept.contains(value);
                // The rows of the chosen head are written by a step of every layer: they have their slot since the first.
                if !kept || slots.of[value.0] == usize::MAX {
                    let elements = shapes[value.0].elements(capacity.into()).max(1);
                    slots.of[value.0] = slots.place(elements, kept, &mut free);
                }
            }
            let mut reads = step.op.reads();
            reads.sort_unstable();
            reads.dedup();
            for value in reads.into_iter().chain(writes) {
                let done = last_read[value.0].is_none_or(|last| last <= index);
                if done && !kept.contains(&value) && !free.contains(&slots.of[value.0]) {
                    free.push(slots.of[value.0]);
                }
            }
        }
        slots
    }

    /// A free slot for so many numbers: the one whose size is nearest, grown if it must be; a kept value gets a new one.
    fn place(&mut self, elements: usize, kept: bool, free: &mut Vec<usize>) -> usize {
        let nearest =
            free.iter().enumerate().min_by_key(|(_, slot)| self.sizes[**slot].abs_diff(elements)).map(|(at, _)| at);
        match nearest {
            Some(at) if !kept => {
                let slot = free.swap_remove(at);
                self.sizes[slot] = self.sizes[slot].max(elements);
                slot
            }
            _ => {
                self.sizes.push(elements);
                self.sizes.len() - 1
            }
        }
    }
}
