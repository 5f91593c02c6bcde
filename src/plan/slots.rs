//! Lays the values of a plan into few buffers, reused along the plan.

use super::{Access, Capacity, Op, Shape, Use};

/// Which buffer each value lives in, and how many numbers each buffer holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slots {
    /// Slot of each value.
    pub of: Vec<usize>,
    /// Numbers (f32) that each slot holds at the plan's capacity.
    pub sizes: Vec<u64>,
}

impl Slots {
    /// First fit over the order of the steps. A value keeps its slot until its last reader has run, and an output is placed
    /// before its inputs are freed, so no step ever reads and writes one buffer. Values that are `kept`, by their index, never give their slot back.
    pub fn assign(steps: &[Box<dyn Op>], shapes: &[Shape], kept: &[bool], capacity: Capacity) -> Self {
        let uses: Vec<Vec<Use>> = steps.iter().map(|op| op.uses()).collect();
        let mut last_use = vec![0; shapes.len()];
        for (index, uses) in uses.iter().enumerate() {
            for value in uses.iter().filter_map(Use::value) {
                last_use[value.0] = index;
            }
        }
        let mut slots = Slots { of: vec![usize::MAX; shapes.len()], sizes: Vec::new() };
        let mut free: Vec<usize> = Vec::new();
        for (index, uses) in uses.iter().enumerate() {
            for value in uses.iter().filter(|used| used.access == Access::Write).filter_map(Use::value) {
                let elements = shapes[value.0].elements(capacity.into()).max(1);
                slots.of[value.0] = slots.place(elements, kept[value.0], &mut free);
            }
            for value in uses.iter().filter_map(Use::value) {
                let done = last_use[value.0] <= index && !kept[value.0];
                if done && !free.contains(&slots.of[value.0]) {
                    free.push(slots.of[value.0]);
                }
            }
        }
        slots
    }

    /// A free slot for so many numbers: the one whose size is nearest, grown if it must be; a kept value gets a new one.
    fn place(&mut self, elements: u64, kept: bool, free: &mut Vec<usize>) -> usize {
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
