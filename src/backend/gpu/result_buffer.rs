//! The result buffer of a plan, and the bind groups of the probes that write it.

use super::Gpu;
use crate::plan::{Op, Operand};

/// An op's name and operands, and the id of the states that it reads.
type Key = (&'static str, Vec<Operand>, u64);

pub struct ResultBuffer {
    buffer: wgpu::Buffer,
    groups: Vec<(Key, wgpu::BindGroup)>,
}

impl ResultBuffer {
    pub fn new(gpu: &Gpu, numbers: u64) -> Self {
        use wgpu::BufferUsages as Usage;
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        Self { buffer: gpu.buffer("results", 4 * numbers, usage), groups: Vec::new() }
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Grows the buffer to `numbers` f32. Growing clears it and drops all bind groups.
    pub fn reserve(&mut self, gpu: &Gpu, numbers: u64) {
        if 4 * numbers > self.buffer.size() {
            self.buffer.destroy();
            *self = Self::new(gpu, numbers);
        }
    }

    /// The bind group of a probe about the states with this id, once inserted.
    pub fn group(&self, probe: &dyn Op, states: u64) -> Option<&wgpu::BindGroup> {
        let key = key(probe, states);
        self.groups.iter().find(|(other, _)| *other == key).map(|(_, group)| group)
    }

    pub fn insert(&mut self, probe: &dyn Op, states: u64, group: wgpu::BindGroup) {
        self.groups.push((key(probe, states), group));
    }

    /// Drops the bind groups of states, by their id.
    pub fn remove_states(&mut self, id: u64) {
        self.groups.retain(|((_, _, states), _)| *states != id);
    }
}

fn key(probe: &dyn Op, states: u64) -> Key {
    (probe.name(), probe.uses().iter().map(|used| used.operand).collect(), states)
}
