//! A plan on a GPU. Its buffers and bind groups are created once; a run writes inputs, encodes one pass, submits once and maps once.

use super::pipelines::Pipeline;
use super::result_buffer::ResultBuffer;
use super::staging::{CopySource, StagingBuffer};
#[cfg(feature = "timing")]
use super::timer::Dispatch;
use super::upload::UploadBuffer;
use super::weights::slices;
use super::{Gpu, GpuDevice, GpuStates, GpuWeights};
use crate::backend::{Read, ReadBack, Reads, RunInputs};
use crate::error::{Allocation, Error};
use crate::plan::{Input, Launch, Op, Operand, Plan, Sizes};
use std::future::Future;
use std::num::NonZeroU64;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;

/// Bind groups are cached for the states of this many texts.
const MAX_STATES: usize = 4;

/// Probes in one submit: the upload buffer has room for their parameters.
pub(super) const MAX_PROBES: usize = 64;

/// The device, weights and states of a run.
pub struct Resources<'a> {
    pub device: &'a GpuDevice,
    pub weights: &'a GpuWeights,
    pub states: Option<&'a GpuStates>,
}

impl Resources<'_> {
    /// The id of the states; 0 without states.
    pub(super) fn states_id(&self) -> u64 {
        self.states.map_or(0, GpuStates::id)
    }
}

/// One dispatch of a step. An op that splits a weight has a dispatch for each slice of the weight's rows.
struct StepDispatch {
    step: usize,
    slice: usize,
    rows: Range<usize>,
    pipeline: Rc<Pipeline>,
}

/// A plan with its buffers and bind groups on one device. Dropping it destroys the buffers.
pub struct GpuPlan {
    plan: Plan,
    slots: Vec<wgpu::Buffer>,
    /// Inputs with a buffer of their own: rotary tables, which are written once, and ids that a dispatch writes.
    inputs: Vec<(Input, wgpu::Buffer)>,
    /// Parameters of each dispatch, then of each probe, `stride` bytes apart, followed by all other inputs.
    upload: UploadBuffer,
    stride: u64,
    /// Bound for [`Operand::Nothing`].
    unused: wgpu::Buffer,
    dispatches: Vec<StepDispatch>,
    /// Bind groups of the dispatches by the id of the states, oldest first.
    groups: Vec<(u64, Vec<wgpu::BindGroup>)>,
    pub(super) results: ResultBuffer,
    /// The first is for runs that are awaited, the others for runs in flight.
    read_back_slots: Vec<ReadBackSlot>,
}

/// The results of one run at a time.
struct ReadBackSlot {
    staging: StagingBuffer,
    /// The error scope of the last submit. It is awaited before its numbers are read.
    validation: Option<Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>>,
}

impl ReadBackSlot {
    fn new(gpu: &Gpu, numbers: u64) -> Self {
        Self { staging: StagingBuffer::new(gpu, numbers), validation: None }
    }
}

impl GpuPlan {
    /// Creates the plan's buffers and pipelines, with room for `read_back` numbers read back by one run and for `results` numbers that
    /// probes write. Both buffers grow on demand.
    pub async fn new(device: &GpuDevice, plan: Plan, read_back: u64, results: u64) -> Result<Self, Error> {
        let limits = device.gpu.device.limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let bytes = |numbers: &u64| numbers.saturating_mul(4);
        if let Some(needed) = plan.slots.sizes.iter().map(bytes).find(|bytes| *bytes > limit) {
            return Err(Error::OutOfMemory { what: Allocation::Activation, needed, limit });
        }
        let needed = plan.slots.sizes.iter().map(bytes).fold(0, u64::saturating_add);
        let create = || Self::create(device, plan, read_back, results);
        device.gpu.catch_errors(Allocation::Activations, needed, create).await
    }

    fn create(device: &GpuDevice, plan: Plan, read_back: u64, results: u64) -> Self {
        use wgpu::BufferUsages as Usage;
        let gpu = &device.gpu;
        let slot_usage = Usage::STORAGE | Usage::COPY_SRC;
        let slots = plan.slots.sizes.iter().map(|size| gpu.buffer("activation", 4 * size, slot_usage)).collect();
        let bytes = |input: &Input| 4 * input.shape().elements(plan.capacity.into());
        // WebGPU forbids a dispatch to write a buffer that it also reads.
        let is_separate = |input: &Input| match input {
            Input::Rotary { .. } => true,
            Input::Ids => !plan.states.is_empty(),
            _ => false,
        };
        let (separate, others): (Vec<Input>, Vec<Input>) = plan.inputs.iter().partition(|input| is_separate(input));
        let input_usage = Usage::STORAGE | Usage::COPY_DST;
        let inputs = separate.iter().map(|input| (*input, gpu.buffer("input", bytes(input), input_usage))).collect();
        let mut dispatches = Vec::new();
        for (step, op) in plan.steps.iter().enumerate() {
            let pipeline = device.pipeline(&**op);
            let unsplit = || std::iter::once(0..0).collect();
            let rows: Vec<Range<usize>> =
                op.split().map_or_else(unsplit, |weight| slices(weight, plan.format(weight), gpu.binding_limit()));
            let of_rows = |(slice, rows)| StepDispatch { step, slice, rows, pipeline: Rc::clone(&pipeline) };
            dispatches.extend(rows.into_iter().enumerate().map(of_rows));
        }
        let alignment = u64::from(gpu.device.limits().min_uniform_buffer_offset_alignment);
        let stride = (4 * Launch::PARAMETERS as u64).next_multiple_of(alignment);
        let parameters = (dispatches.len() + MAX_PROBES) as u64 * stride;
        let upload = UploadBuffer::new(gpu, parameters, others.iter().map(|input| (*input, bytes(input))));
        Self {
            slots,
            inputs,
            upload,
            stride,
            unused: gpu.buffer("unused", 16, Usage::STORAGE),
            dispatches,
            groups: Vec::new(),
            results: ResultBuffer::new(gpu, results),
            read_back_slots: vec![ReadBackSlot::new(gpu, read_back)],
            plan,
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn bytes(&self) -> u64 {
        let staging = self.read_back_slots.iter().map(|slot| slot.staging.bytes());
        self.buffers().map(wgpu::Buffer::size).chain(staging).sum()
    }

    /// All buffers but those of read-backs.
    fn buffers(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        let inputs = self.inputs.iter().map(|(_, buffer)| buffer);
        self.slots.iter().chain(inputs).chain([&self.unused, self.upload.buffer(), self.results.buffer()])
    }

    fn input_buffer(&self, input: Input) -> Option<&wgpu::Buffer> {
        self.inputs.iter().find(|(other, _)| *other == input).map(|(_, buffer)| buffer)
    }

    fn input_binding(&self, input: Input) -> Option<wgpu::BindingResource<'_>> {
        let separate = self.input_buffer(input).map(wgpu::Buffer::as_entire_binding);
        separate.or_else(|| self.upload.input(input).map(wgpu::BindingResource::Buffer))
    }

    pub fn set_table(&mut self, gpu: &Gpu, input: Input, table: &[f32]) {
        if let Some(buffer) = self.input_buffer(input) {
            gpu.queue.write_buffer(buffer, 0, bytemuck::cast_slice(table));
        }
    }

    pub async fn run(
        &mut self,
        resources: Resources<'_>,
        inputs: &RunInputs,
        sizes: Sizes,
        reads: &Reads,
    ) -> Result<(ReadBack, usize), Error> {
        let count = self.submit(&resources, inputs, sizes, reads, 0)?;
        Ok((self.finish(&resources.device.gpu, 0).await?, count))
    }

    /// Submits a run without waiting for it. [`GpuPlan::finish`] reads it from the same read-back slot; an earlier run in this slot that
    /// was not read is lost. An empty input keeps its numbers of earlier runs. Returns the count of dispatches.
    pub fn submit(
        &mut self,
        resources: &Resources<'_>,
        inputs: &RunInputs,
        sizes: Sizes,
        reads: &Reads,
        slot: usize,
    ) -> Result<usize, Error> {
        let gpu = &resources.device.gpu;
        gpu.check_alive()?;
        for (input, buffer) in &self.inputs {
            let numbers = inputs.indices(*input);
            if !numbers.is_empty() {
                gpu.queue.write_buffer(buffer, 0, bytemuck::cast_slice(numbers));
            }
        }
        self.upload.set_inputs(inputs);
        self.bind_dispatches(resources)?;
        self.results.reserve(gpu, reads.result_numbers());
        self.submit_pass(resources, true, reads.probes(), sizes, reads.reads(), slot)
    }

    /// Submits one pass and the copies to a read-back slot.
    pub(super) fn submit_pass(
        &mut self,
        resources: &Resources<'_>,
        has_steps: bool,
        probes: &[Box<dyn Op>],
        sizes: Sizes,
        reads: &[Read],
        slot: usize,
    ) -> Result<usize, Error> {
        let gpu = &resources.device.gpu;
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let (mut encoder, count) = self.encode(resources, has_steps, probes, sizes)?;
        let counts: Vec<usize> = reads.iter().map(|read| read.count).collect();
        while self.read_back_slots.len() <= slot {
            self.read_back_slots.push(ReadBackSlot::new(gpu, counts.iter().sum::<usize>() as u64));
        }
        let source = |read: &Read| CopySource {
            buffer: match read.of {
                Operand::Value(value) => &self.slots[self.plan.slots.by_value[value.index()]],
                _ => self.results.buffer(),
            },
            first: read.first,
            count: read.count,
        };
        let sources: Vec<CopySource<'_>> = reads.iter().map(source).collect();
        let ReadBackSlot { staging, validation } = &mut self.read_back_slots[slot];
        staging.encode(gpu, &mut encoder, &sources);
        let submission = gpu.queue.submit([encoder.finish()]);
        *validation = Some(Box::pin(scope.pop()));
        staging.map(submission, counts);
        Ok(count)
    }

    /// Waits for the run in a read-back slot, and returns its numbers.
    pub async fn finish(&mut self, gpu: &Gpu, slot: usize) -> Result<ReadBack, Error> {
        let no_run = || Error::Internal { reason: "no run is in flight".into() };
        let ReadBackSlot { staging, validation } = self.read_back_slots.get_mut(slot).ok_or_else(no_run)?;
        // Both stay in the slot while they are awaited: if this future is dropped, a later call reads the run.
        if let Some(scope) = validation {
            let error = scope.await;
            *validation = None;
            // A validation error fails this run only; the device stays usable.
            if let Some(error) = error {
                return Err(Error::Gpu { reason: error.to_string() });
            }
        }
        staging.read(gpu).await.map(ReadBack::new)
    }

    /// Encodes one compute pass: the plan's steps if `has_steps`, then the probes. Returns the count of dispatches.
    pub(super) fn encode(
        &mut self,
        resources: &Resources<'_>,
        has_steps: bool,
        probes: &[Box<dyn Op>],
        sizes: Sizes,
    ) -> Result<(wgpu::CommandEncoder, usize), Error> {
        let gpu = &resources.device.gpu;
        let states = resources.states_id();
        let pipelines = self.prepare(resources, probes, 0)?;
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("run") });
        let steps: &[StepDispatch] = if has_steps { &self.dispatches } else { &[] };
        let groups = self.groups.iter().find(|(id, _)| *id == states).map_or(&[][..], |(_, groups)| groups);
        let of_steps = steps.iter().zip(groups).zip(0..).map(|((step, group), index)| {
            (&*self.plan.steps[step.step], step.rows.clone(), &step.pipeline, group, index)
        });
        let of_probes = probes.iter().zip(&pipelines).zip(self.dispatches.len()..);
        let of_probes = of_probes.filter_map(|((op, pipeline), index)| {
            let group = self.results.group(&**op, states)?;
            Some((&**op, 0..0, pipeline, group, index))
        });
        #[cfg(feature = "timing")]
        let mut timer = gpu.timer(&self.plan, sizes);
        let mut count = 0;
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime();
            for (op, rows, pipeline, group, index) in of_steps.chain(of_probes) {
                let launch = op.launch(rows.clone(), sizes);
                let [x, y, z] = launch.workgroups;
                if x == 0 || y == 0 || z == 0 {
                    continue;
                }
                let offset = index as u64 * self.stride;
                self.upload.set(offset as usize, bytemuck::cast_slice(&launch.parameters));
                #[cfg(feature = "timing")]
                if let Some(timer) = &mut *timer {
                    drop(pass);
                    pass = timer.pass(&mut encoder, Dispatch::new(op, rows, launch))?;
                }
                pass.set_pipeline(&pipeline.pipeline);
                pass.set_bind_group(0, group, &[offset as u32]);
                pass.dispatch_workgroups(x, y, z);
                count += 1;
            }
        }
        #[cfg(feature = "timing")]
        timer.iter().for_each(|timer| timer.resolve(&mut encoder));
        self.upload.write(gpu);
        Ok((encoder, count))
    }

    /// Creates the dispatches' bind groups for the states, unless they are cached.
    fn bind_dispatches(&mut self, resources: &Resources<'_>) -> Result<(), Error> {
        let id = resources.states_id();
        if self.groups.iter().any(|(other, _)| *other == id) {
            return Ok(());
        }
        let bind = |dispatch: &StepDispatch| {
            self.bind(resources, &*self.plan.steps[dispatch.step], dispatch.slice, &dispatch.pipeline)
        };
        let groups = self.dispatches.iter().map(bind).collect::<Result<_, _>>()?;
        if self.groups.len() == MAX_STATES {
            let (oldest, _) = self.groups.remove(0);
            self.results.remove_states(oldest);
        }
        self.groups.push((id, groups));
        Ok(())
    }

    /// Creates the bind group of an op, with slice `slice` of the weight that the op splits.
    pub(super) fn bind(
        &self,
        resources: &Resources<'_>,
        op: &dyn Op,
        slice: usize,
        pipeline: &Pipeline,
    ) -> Result<wgpu::BindGroup, Error> {
        let gpu = &resources.device.gpu;
        let missing = |what: &str| Error::Internal { reason: format!("{} uses a missing {what}", op.name()) };
        let split = op.split();
        let uses = op.uses();
        let mut bindings = Vec::new();
        for used in &uses {
            let buffer = match used.operand {
                Operand::Input(input) => {
                    bindings.push(self.input_binding(input).ok_or_else(|| missing("input"))?);
                    continue;
                }
                Operand::Value(value) => &self.slots[self.plan.slots.by_value[value.index()]],
                Operand::State(state) => resources.states.ok_or_else(|| missing("state"))?.buffer(state),
                Operand::Weight(weight) if split == Some(weight) => resources.weights.slice(weight, slice),
                Operand::Weight(weight) => resources.weights.unsplit(gpu, weight)?,
                Operand::Results => self.results.buffer(),
                Operand::Nothing => &self.unused,
            };
            bindings.push(buffer.as_entire_binding());
        }
        bindings.push(wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.upload.buffer(),
            offset: 0,
            size: NonZeroU64::new(4 * Launch::PARAMETERS as u64),
        }));
        let entries = bindings.into_iter().zip(0..);
        let entries: Vec<_> = entries.map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource }).collect();
        gpu.count_created();
        Ok(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(op.name()),
            layout: &pipeline.layout,
            entries: &entries,
        }))
    }
}

impl Drop for GpuPlan {
    fn drop(&mut self) {
        // JavaScript's garbage collector ignores GPU memory, so it might free these buffers late.
        self.buffers().for_each(wgpu::Buffer::destroy);
        self.read_back_slots.iter().for_each(|slot| slot.staging.destroy());
    }
}
