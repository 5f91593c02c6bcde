//! Assigns the values of a plan to few buffers, which later values reuse.

use super::{Access, Capacity, Op, Shape, Use};

/// The buffer of each value, and the size of each buffer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slots {
    pub by_value: Vec<usize>,
    /// Numbers (f32) that each slot holds at the plan's capacity.
    pub sizes: Vec<u64>,
}

impl Slots {
    /// Assigns slots in the order of the steps. A value's slot becomes free after its last reader, and an output gets its slot before its
    /// inputs are freed, so no step reads and writes one buffer. The slots of results never become free.
    pub fn assign(steps: &[Box<dyn Op>], shapes: &[Shape], is_result: &[bool], capacity: Capacity) -> Self {
        let uses: Vec<Vec<Use>> = steps.iter().map(|op| op.uses()).collect();
        let mut last_use = vec![0; shapes.len()];
        for (index, uses) in uses.iter().enumerate() {
            for value in uses.iter().filter_map(Use::value) {
                last_use[value.0] = index;
            }
        }
        let mut slots = Slots { by_value: vec![usize::MAX; shapes.len()], sizes: Vec::new() };
        let mut free: Vec<usize> = Vec::new();
        for (index, uses) in uses.iter().enumerate() {
            for value in uses.iter().filter(|used| used.access == Access::Write).filter_map(Use::value) {
                let elements = shapes[value.0].elements(capacity.into()).max(1);
                slots.by_value[value.0] = slots.place(elements, is_result[value.0], &mut free);
            }
            for value in uses.iter().filter_map(Use::value) {
                let done = last_use[value.0] <= index && !is_result[value.0];
                if done && !free.contains(&slots.by_value[value.0]) {
                    free.push(slots.by_value[value.0]);
                }
            }
        }
        slots
    }

    /// A slot for `elements` numbers: the free one of the nearest size, enlarged if necessary. A result gets a slot of its own.
    fn place(&mut self, elements: u64, is_result: bool, free: &mut Vec<usize>) -> usize {
        let nearest =
            free.iter().enumerate().min_by_key(|(_, slot)| self.sizes[**slot].abs_diff(elements)).map(|(at, _)| at);
        match nearest {
            Some(at) if !is_result => {
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
