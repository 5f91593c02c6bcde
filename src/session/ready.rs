//! A plan laid out on a backend, and when it can serve another request.

use super::device::Weights;
use super::{Device, Request, Rows};
use crate::backend::cpu::CpuPlan;
use crate::backend::gpu::GpuPlan;
use crate::backend::{Pace, Pass, Read, RunInputs};
use crate::error::Error;
use crate::model::{Config, Purpose, Recorded};
use crate::plan::{Capacity, Finished, Shape, Sizes, Tap, Taps, Value};
use crate::rope::{self, Frequencies};
use std::rc::Rc;

/// Every head's map is kept on the device up to this many bytes in all.
const LARGEST_MAPS: u64 = 512 << 20;

/// Where a plan's buffers are.
pub(super) enum Running {
    Cpu(CpuPlan),
    Gpu(GpuPlan),
}

/// A plan that is laid out, and what of it is current.
pub(super) struct Ready {
    pub running: Running,
    /// Logits, top fills or the last hidden state.
    pub result: Value,
    /// (2, length, head_size) of the chosen head, where heads are chosen.
    pub head_rows: Option<Value>,
    /// Sizes of the last forward pass that came to its end: what heads are read from. `None` while one runs, or was stopped.
    pub ran: Option<Sizes>,
    purpose: Purpose,
    /// Taps that are read back, of those that are kept.
    read: Taps,
    head_size: usize,
    position_offset: Option<u64>,
}

/// The plan that a request needs, in buffers with room to grow.
///
/// # Errors
/// [`Error::TooManyMaps`] where every head is to be kept.
pub(super) fn purpose(config: &Config, request: &Request, sizes: Sizes) -> Result<Purpose, Error> {
    let selects_heads = request.selection.is_some();
    let mut taps = request.taps.clone();
    if selects_heads {
        (0..config.num_hidden_layers).for_each(|layer| {
            taps.insert(Tap::Attentions(layer));
            taps.insert(Tap::QueryRotated(layer));
        });
    }
    let grown = |size: usize, least: usize| if request.exact { size } else { size.max(least).next_power_of_two() };
    let mut capacity = Capacity {
        batch: sizes.batch,
        length: grown(sizes.length, 32).min(config.max_position_embeddings),
        rows: grown(sizes.rows.max(1), 4),
    };
    let bytes_of_maps = |capacity: Capacity| {
        let maps = Shape::Maps { heads: config.num_attention_heads }.elements(capacity.into()) as u64;
        maps.saturating_mul(4).saturating_mul(config.num_hidden_layers as u64)
    };
    if selects_heads && bytes_of_maps(capacity) > LARGEST_MAPS {
        // Rounded up, the maps do not fit: exactly, they may.
        capacity.length = sizes.length;
        let needed = bytes_of_maps(capacity);
        if needed > LARGEST_MAPS {
            return Err(Error::TooManyMaps { needed, limit: LARGEST_MAPS });
        }
    }
    // Fills are of gathered rows: where all are asked for, of all.
    let gathers = request.rows != Rows::All || request.top_k > 0;
    Ok(Purpose { capacity, taps, selects_heads, gathers, top_k: request.top_k })
}

impl Ready {
    /// Lays out a recorded plan.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] and [`Error::DeviceLost`].
    pub async fn new(
        device: &Device,
        weights: &Weights,
        recorded: Recorded,
        purpose: Purpose,
        read: &Taps,
        head_size: usize,
    ) -> Result<Self, Error> {
        let Recorded { plan, result, head_rows } = recorded;
        let sizes = Sizes::from(purpose.capacity);
        let running = match (device, weights) {
            (Device::Gpu(device), Weights::Gpu(weights)) => {
                let tapped = plan.taps.iter().filter(|(tap, _)| read.contains(*tap)).map(|(_, view)| view.value);
                let values = plan.outputs.iter().copied().chain(tapped);
                let read_back: usize = values.map(|value| plan.shapes[value.index()].elements(sizes)).sum();
                let map = if purpose.selects_heads { sizes.length * sizes.length } else { 0 };
                // Taken out while the device answers: nothing may hold the cell across an await.
                let mut pipelines = device.pipelines.take();
                pipelines.prepare(&device.gpu, &plan);
                let made = GpuPlan::new(&device.gpu, &pipelines, weights, plan, head_size, read_back + map).await;
                device.pipelines.replace(pipelines);
                Running::Gpu(made?)
            }
            (_, Weights::Cpu(weights)) => Running::Cpu(CpuPlan::new(plan, Rc::clone(weights))?),
            (Device::Cpu, Weights::Gpu(_)) => return Err(Error::Gpu { reason: "the weights are on no device".into() }),
        };
        let read = read.clone();
        Ok(Self { running, result, head_rows, ran: None, purpose, read, head_size, position_offset: None })
    }

    /// Whether a run of these sizes, for this purpose, can use it as it is.
    pub fn serves(&self, wanted: &Purpose, read: &Taps, sizes: Sizes) -> bool {
        let Capacity { batch, length, rows } = self.purpose.capacity;
        let fits = sizes.batch <= batch && sizes.length <= length && sizes.rows <= rows;
        fits && self.read == *read && self.purpose == Purpose { capacity: self.purpose.capacity, ..wanted.clone() }
    }

    pub fn plan(&self) -> &Finished {
        match &self.running {
            Running::Cpu(plan) => plan.plan(),
            Running::Gpu(plan) => plan.plan(),
        }
    }

    /// Bytes of its buffers, weights not counted.
    pub fn bytes(&self) -> u64 {
        match &self.running {
            Running::Cpu(plan) => plan.bytes(),
            Running::Gpu(plan) => plan.bytes(),
        }
    }

    /// Writes the rotary table for positions offset .. offset + capacity, where it is not there yet. stored: the file's own
    /// table (max_position_embeddings, head_size), sines before cosines.
    pub fn set_position_offset(&mut self, device: &Device, offset: u64, stored: Option<&[f32]>) {
        if self.position_offset == Some(offset) {
            return;
        }
        let frequencies = Frequencies::of_base(self.head_size, rope::BASE);
        let mut table = rope::table(&frequencies, offset, self.purpose.capacity.length);
        // Hugging Face rotates by the stored table, rounded as the file rounds it.
        let first = usize::try_from(offset).unwrap_or(usize::MAX);
        let rows = stored.into_iter().flat_map(|stored| stored.chunks_exact(self.head_size)).skip(first);
        for (turns, row) in table.chunks_exact_mut(self.head_size).zip(rows) {
            let (sines, cosines) = row.split_at(self.head_size / 2);
            for (turn, (sine, cosine)) in turns.chunks_exact_mut(2).zip(sines.iter().zip(cosines)) {
                turn.copy_from_slice(&[*cosine, *sine]);
            }
        }
        match (&mut self.running, device) {
            (Running::Cpu(plan), _) => plan.set_rotary_table(table),
            (Running::Gpu(plan), Device::Gpu(device)) => plan.set_rotary_table(&device.gpu, &table),
            (Running::Gpu(_), Device::Cpu) => {}
        }
        self.position_offset = Some(offset);
    }

    /// All of a value at these sizes.
    pub fn whole(&self, value: Value, sizes: Sizes) -> Read {
        Read { value, first: 0, count: self.plan().shapes[value.index()].elements(sizes) }
    }

    /// The chosen head's map of the first sequence, and its query and key rows.
    ///
    /// # Errors
    /// The plan keeps no heads.
    pub fn head_reads(&self, sizes: Sizes) -> Result<[Read; 2], Error> {
        let missing = || Error::InvalidInput { reason: "this run keeps no head".into() };
        let maps = self.plan().tap(Tap::Attentions(sizes.layer)).ok_or_else(missing)?.value;
        let rows = self.head_rows.ok_or_else(missing)?;
        let map = sizes.length * sizes.length;
        Ok([Read { value: maps, first: sizes.head * map, count: map }, self.whole(rows, sizes)])
    }

    /// Runs the steps of `pass` and reads; returns the reads and the dispatches.
    ///
    /// # Errors
    /// [`Error::Overtaken`]; a lost device.
    pub async fn run(
        &mut self,
        device: &Device,
        inputs: &RunInputs,
        sizes: Sizes,
        pass: Pass,
        reads: &[Read],
        pace: &dyn Pace,
    ) -> Result<(Vec<Vec<f32>>, usize), Error> {
        match (&mut self.running, device) {
            (Running::Cpu(plan), _) => plan.run(inputs, sizes, pass, reads, pace).await,
            (Running::Gpu(plan), Device::Gpu(device)) => plan.run(&device.gpu, inputs, sizes, pass, reads).await,
            (Running::Gpu(_), Device::Cpu) => Err(Error::Gpu { reason: "the plan is on no device".into() }),
        }
    }

    /// Whether every head is kept, so that one can be read.
    pub fn keeps_heads(&self) -> bool {
        self.purpose.selects_heads
    }
}
