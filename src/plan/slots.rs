//! Assigns the values of a plan to few buffers, which later values reuse.

use super::{Access, Capacity, Op, Shape, Use};

/// The buffer of each value, and the size of each buffer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slots {
    /// Slot of each value.
    pub of: Vec<usize>,
    /// Numbers (f32) that each slot holds at the plan's capacity.
    pub sizes: Vec<u64>,
}

impl Slots {
    /// Assigns slots in the order of the steps. A value's slot becomes free after its last reader, and an output gets its slot before its
    /// inputs are freed, so no step reads and writes one buffer. The slots of `kept` values (by index) never become free.
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

    /// A slot for `elements` numbers: the free one of the nearest size, enlarged if necessary. A kept value gets a new slot.
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
