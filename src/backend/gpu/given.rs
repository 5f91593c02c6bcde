//! What a run is given from outside: each dispatch's parameters and the inputs, in one buffer and in one write of what has changed.

use super::Gpu;
use crate::plan::Input;
use std::ops::Range;

/// A buffer on the device and what lies in it. Zeros at first, there and here.
pub struct Given {
    buffer: wgpu::Buffer,
    words: Vec<u8>,
    inputs: Vec<(Input, Range<usize>)>,
    /// Since the last write.
    changed: Option<Range<usize>>,
}

impl Given {
    /// parameters: bytes of all dispatches' together. inputs: with their bytes, multiples of 4.
    pub fn new(gpu: &Gpu, parameters: u64, inputs: impl Iterator<Item = (Input, u64)>) -> Self {
        use wgpu::BufferUsages as Usage;
        let alignment = u64::from(gpu.device.limits().min_storage_buffer_offset_alignment);
        let mut end = parameters;
        let mut places = Vec::new();
        for (input, bytes) in inputs {
            let start = end.next_multiple_of(alignment);
            // A binding has 16 bytes at least.
            end = start + bytes.max(16);
            places.push((input, start as usize..end as usize));
        }
        let buffer = gpu.buffer("given", end, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
        Self { words: vec![0; buffer.size() as usize], buffer, inputs: places, changed: None }
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// An input's part of the buffer, if it lies here.
    pub fn input(&self, input: Input) -> Option<wgpu::BufferBinding<'_>> {
        let (_, place) = self.inputs.iter().find(|(held, _)| *held == input)?;
        Some(wgpu::BufferBinding {
            buffer: &self.buffer,
            offset: place.start as u64,
            size: std::num::NonZeroU64::new(place.len() as u64),
        })
    }

    /// The next run's inputs, of these words each: one of none stays as it was.
    pub fn put_inputs<'a>(&mut self, words: impl Fn(Input) -> &'a [u8]) {
        for at in 0..self.inputs.len() {
            let (input, place) = &self.inputs[at];
            let (words, start) = (words(*input), place.start);
            debug_assert!(words.len() <= place.len(), "{input:?}");
            self.put(start, words);
        }
    }

    /// The next run has these words there.
    pub fn put(&mut self, start: usize, words: &[u8]) {
        let held = &mut self.words[start..start + words.len()];
        if held != words {
            held.copy_from_slice(words);
            let (first, last) = self.changed.as_ref().map_or((start, start), |changed| (changed.start, changed.end));
            self.changed = Some(first.min(start)..last.max(start + words.len()));
        }
    }

    /// Writes what has changed. It is there before what is submitted next, whatever the order of the calls before that.
    pub fn write(&mut self, gpu: &Gpu) {
        if let Some(changed) = self.changed.take() {
            gpu.queue.write_buffer(&self.buffer, changed.start as u64, &self.words[changed]);
        }
    }
}
