//! A plan on a device: its buffers and bind groups are made once; a run writes inputs, encodes one pass, submits once, maps once.

use super::read_back::ReadBack;
use super::{Gpu, GpuWeights, Pipelines};
use crate::backend::{Pass, Read, RunInputs};
use crate::error::Error;
use crate::plan::{Binding, Dispatch, Finished, Input, Launch, Phase, Shape, Sizes, Value};

/// Inputs in the order of their buffers.
const INPUTS: [Input; 5] = [Input::Ids, Input::TokenTypes, Input::KeyMask, Input::RotaryTable, Input::RowIndices];

/// One dispatch, ready to be encoded.
struct Prepared {
    step: usize,
    part: usize,
    phase: Phase,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
}

/// A plan with its buffers and bind groups on one device.
pub struct GpuPlan {
    plan: Finished,
    slots: Vec<wgpu::Buffer>,
    inputs: Vec<wgpu::Buffer>,
    parameters: wgpu::Buffer,
    parameter_stride: u64,
    parameter_bytes: Vec<u8>,
    dispatches: Vec<Prepared>,
    read_back: ReadBack,
    bytes: u64,
}

impl GpuPlan {
    /// Makes the plan's buffers and bind groups. `pipelines` must be prepared for it. head_size: of the rotary table;
    /// read_back: numbers that one run reads at most.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] where a value passes what a binding or the device can hold; [`Error::DeviceLost`].
    pub async fn new(
        gpu: &Gpu,
        pipelines: &Pipelines,
        weights: &GpuWeights,
        plan: Finished,
        head_size: usize,
        read_back: usize,
    ) -> Result<Self, Error> {
        let limits = gpu.device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if let Some(size) = plan.slots.sizes.iter().map(|size| 4 * *size as u64).find(|bytes| *bytes > largest) {
            return Err(Error::OutOfMemory { what: "an activation".into(), needed: size, limit: largest });
        }
        let needed = plan.slots.sizes.iter().map(|size| 4 * *size as u64).sum();
        gpu.checked("the activations", needed, || Self::make(gpu, pipelines, weights, plan, head_size, read_back))
            .await?
    }

    fn make(
        gpu: &Gpu,
        pipelines: &Pipelines,
        weights: &GpuWeights,
        plan: Finished,
        head_size: usize,
        read_back: usize,
    ) -> Result<Self, Error> {
        use wgpu::BufferUsages as Usage;
        let sizes = Sizes::from(plan.capacity);
        let slot_usage = Usage::STORAGE | Usage::COPY_SRC;
        let slots: Vec<_> =
            plan.slots.sizes.iter().map(|size| gpu.buffer("activation", 4 * *size as u64, slot_usage)).collect();
        let words = |input: Input| match input {
            Input::Ids | Input::TokenTypes | Input::KeyMask => sizes.tokens(),
            Input::RotaryTable => sizes.length * head_size,
            Input::RowIndices => sizes.rows,
        };
        let input_usage = Usage::STORAGE | Usage::COPY_DST;
        let inputs: Vec<_> = INPUTS.map(|input| gpu.buffer("input", 4 * words(input) as u64, input_usage)).into();
        let unused = gpu.buffer("unused", 16, Usage::STORAGE);

        let parameter_stride = (4 * Launch::PARAMETERS as u64)
            .next_multiple_of(u64::from(gpu.device.limits().min_uniform_buffer_offset_alignment));
        let listed: Vec<(usize, usize, Phase, Dispatch)> = plan
            .steps
            .iter()
            .enumerate()
            .flat_map(|(index, step)| {
                let parts = step.op.dispatches(gpu.binding_limit()).into_iter().enumerate();
                parts.map(move |(part, dispatch)| (index, part, step.phase, dispatch))
            })
            .collect();
        let parameter_bytes = vec![0; listed.len() * parameter_stride as usize];
        let parameters = gpu.buffer("parameters", parameter_bytes.len() as u64, Usage::UNIFORM | Usage::COPY_DST);

        let mut dispatches = Vec::with_capacity(listed.len());
        for (step, part, phase, dispatch) in listed {
            let made = pipelines
                .get(&dispatch.kernel)
                .ok_or_else(|| Error::Gpu { reason: format!("shader {} was not prepared", dispatch.kernel.name) })?;
            let buffer = |binding: &Binding| match *binding {
                Binding::Value(value) => &slots[plan.slots.of[value.index()]],
                Binding::Weight { weight, part } => weights.part(weight, part),
                Binding::Input(input) => &inputs[INPUTS.iter().position(|other| *other == input).unwrap_or(0)],
                Binding::Unused => &unused,
            };
            let mut entries: Vec<_> = dispatch
                .bindings
                .iter()
                .zip(0..)
                .map(|(bound, binding)| wgpu::BindGroupEntry { binding, resource: buffer(bound).as_entire_binding() })
                .collect();
            entries.push(wgpu::BindGroupEntry {
                binding: entries.len() as u32,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &parameters,
                    offset: 0,
                    size: std::num::NonZeroU64::new(4 * Launch::PARAMETERS as u64),
                }),
            });
            gpu.count_created();
            let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(dispatch.kernel.name),
                layout: &made.layout,
                entries: &entries,
            });
            dispatches.push(Prepared { step, part, phase, pipeline: made.pipeline.clone(), bind_group });
        }
        let read_back = ReadBack::new(gpu, 4 * read_back as u64);
        let held = slots.iter().chain(&inputs).chain([&unused, &parameters]).map(wgpu::Buffer::size).sum::<u64>();
        let bytes = held + read_back.bytes();
        Ok(Self { plan, slots, inputs, parameters, parameter_stride, parameter_bytes, dispatches, read_back, bytes })
    }

    pub fn plan(&self) -> &Finished {
        &self.plan
    }

    /// Bytes of its buffers, weights not counted.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The buffer of a kept value: what the painter reads.
    pub fn buffer(&self, value: Value) -> &wgpu::Buffer {
        &self.slots[self.plan.slots.of[value.index()]]
    }

    pub fn shape(&self, value: Value) -> Shape {
        self.plan.shapes[value.index()]
    }

    /// table: (length, head_size / 2, 2) of cos, sin.
    pub fn set_rotary_table(&mut self, gpu: &Gpu, table: &[f32]) {
        gpu.queue.write_buffer(self.input(Input::RotaryTable), 0, bytemuck::cast_slice(table));
    }

    fn input(&self, input: Input) -> &wgpu::Buffer {
        &self.inputs[INPUTS.iter().position(|other| *other == input).unwrap_or(0)]
    }

    /// Runs the steps of `pass` and reads back `reads`, in one submit and one map. Returns them and the dispatches.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`].
    pub async fn run(
        &mut self,
        gpu: &Gpu,
        inputs: &RunInputs,
        sizes: Sizes,
        pass: Pass,
        reads: &[Read],
    ) -> Result<(Vec<Vec<f32>>, usize), Error> {
        gpu.alive()?;
        if pass.forward {
            for input in INPUTS {
                let bytes = inputs.bytes(input);
                if !bytes.is_empty() {
                    gpu.queue.write_buffer(self.input(input), 0, bytes);
                }
            }
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("forward") });
        let mut count = 0;
        {
            let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for (index, dispatch) in self.dispatches.iter().enumerate() {
                if !pass.includes(dispatch.phase, sizes) {
                    continue;
                }
                let launch = self.plan.steps[dispatch.step].op.launch(dispatch.part, sizes, gpu.binding_limit());
                let [x, y, z] = launch.workgroups;
                if x == 0 || y == 0 || z == 0 {
                    continue;
                }
                let offset = index as u64 * self.parameter_stride;
                let words: &[u8] = bytemuck::cast_slice(&launch.parameters);
                self.parameter_bytes[offset as usize..][..words.len()].copy_from_slice(words);
                compute.set_pipeline(&dispatch.pipeline);
                compute.set_bind_group(0, &dispatch.bind_group, &[offset as u32]);
                compute.dispatch_workgroups(x, y, z);
                count += 1;
            }
        }
        // Queue writes happen before the submitted pass, whatever the order of the calls before it.
        gpu.queue.write_buffer(&self.parameters, 0, &self.parameter_bytes);
        self.read_back.encode(&mut encoder, reads, |read| self.buffer(read.value));
        gpu.queue.submit([encoder.finish()]);
        Ok((self.read_back.finish(gpu, reads).await?, count))
    }
}
