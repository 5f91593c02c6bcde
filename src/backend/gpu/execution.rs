//! A plan on a device: its buffers and bind groups are made once; a run writes inputs, encodes one pass, submits once, maps once.

use super::asking::{ANSWER, AskedKey, QUESTIONS, asked_key};
use super::given::Given;
use super::read_back::{Copied, ReadBack};
#[cfg(feature = "timing")]
use super::timing::Dispatch;
use super::weights::parts;
use super::{Gpu, GpuStates, GpuWeights, Pipeline, Pipelines};
use crate::backend::{Read, RunInputs};
use crate::error::Error;
use crate::plan::{Input, Launch, Op, Operand, Plan, Sizes};
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;

/// Bind groups are kept for so many sequences.
const SEQUENCES: usize = 4;

/// One dispatch, ready to be encoded: the rows of the weight that its op takes in parts.
struct Prepared {
    step: usize,
    part: usize,
    rows: Range<usize>,
    pipeline: Rc<Pipeline>,
}

/// A plan with its buffers and bind groups on one device. They are given back when it is dropped.
pub struct GpuPlan {
    plan: Plan,
    slots: Vec<wgpu::Buffer>,
    /// Tables of rotations, which are written once, and what a dispatch writes: ids of a text that goes on.
    inputs: Vec<(Input, wgpu::Buffer)>,
    unused: wgpu::Buffer,
    /// Parameters of each dispatch, then of each question, `stride` bytes apart, and behind them all other inputs.
    given: Given,
    stride: u64,
    dispatches: Vec<Prepared>,
    /// Bind groups of the dispatches for the states of one sequence each, oldest first.
    groups: Vec<(u64, Vec<wgpu::BindGroup>)>,
    pub(super) answer: wgpu::Buffer,
    /// Bind groups of questions by kernel, operands and states.
    pub(super) asked: Vec<(AskedKey, wgpu::BindGroup)>,
    /// Where runs are read back from: the first is that of runs which are waited for.
    berths: Vec<Berth>,
}

/// Where one run at a time is read back from.
struct Berth {
    read_back: ReadBack,
    /// What the device says against the submit.
    invalid: Option<Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>>,
}

impl Berth {
    fn new(gpu: &Gpu, numbers: u64) -> Self {
        Self { read_back: ReadBack::new(gpu, numbers), invalid: None }
    }
}

/// What a plan runs on: a device with its pipelines, a model's weights, a sequence's states.
pub struct On<'a> {
    pub gpu: &'a Gpu,
    pub weights: &'a GpuWeights,
    pub states: &'a GpuStates,
}

impl GpuPlan {
    /// Makes the plan's buffers and pipelines. read_back, answer: numbers that one run reads and questions answer, as a start.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] where a value passes what a binding holds; [`Error::DeviceMemory`], [`Error::DeviceLost`].
    pub async fn new(
        gpu: &Gpu,
        pipelines: &std::cell::RefCell<Pipelines>,
        plan: Plan,
        read_back: u64,
        answer: u64,
    ) -> Result<Self, Error> {
        let limits = gpu.device.limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let bytes = |numbers: &u64| numbers.saturating_mul(4);
        if let Some(needed) = plan.slots.sizes.iter().map(bytes).find(|bytes| *bytes > limit) {
            return Err(Error::OutOfMemory { what: "an activation".into(), needed, limit });
        }
        let needed = plan.slots.sizes.iter().map(bytes).fold(0, u64::saturating_add);
        // The pipelines are borrowed while buffers are made, not while the device answers.
        let make = || Self::make(gpu, &mut pipelines.borrow_mut(), plan, read_back, answer);
        gpu.checked("the activations", needed, make).await
    }

    fn make(gpu: &Gpu, pipelines: &mut Pipelines, plan: Plan, read_back: u64, answer: u64) -> Self {
        use wgpu::BufferUsages as Usage;
        let slot_usage = Usage::STORAGE | Usage::COPY_SRC;
        let slots = plan.slots.sizes.iter().map(|size| gpu.buffer("activation", 4 * size, slot_usage)).collect();
        let bytes = |input: &Input| 4 * input.shape().elements(plan.capacity.into());
        // A buffer that a dispatch writes gives it nothing else.
        let apart = |input: &Input| match input {
            Input::Rotary { .. } => true,
            Input::Ids => !plan.states.is_empty(),
            _ => false,
        };
        let (apart, together): (Vec<Input>, Vec<Input>) = plan.inputs.iter().partition(|input| apart(input));
        let input_usage = Usage::STORAGE | Usage::COPY_DST;
        let inputs = apart.iter().map(|input| (*input, gpu.buffer("input", bytes(input), input_usage))).collect();
        let mut dispatches = Vec::new();
        for (step, op) in plan.steps.iter().enumerate() {
            let pipeline = pipelines.of(gpu, &**op);
            let whole = || std::iter::once(0..0).collect();
            let rows: Vec<Range<usize>> =
                op.split().map_or_else(whole, |weight| parts(weight, plan.format(weight), gpu.binding_limit()));
            let prepared = rows.into_iter().enumerate().map(|(part, rows)| Prepared {
                step,
                part,
                rows,
                pipeline: Rc::clone(&pipeline),
            });
            dispatches.extend(prepared);
        }
        let alignment = u64::from(gpu.device.limits().min_uniform_buffer_offset_alignment);
        let stride = (4 * Launch::PARAMETERS as u64).next_multiple_of(alignment);
        let slots_of_parameters = (dispatches.len() + QUESTIONS) as u64;
        let given = Given::new(gpu, slots_of_parameters * stride, together.iter().map(|input| (*input, bytes(input))));
        Self {
            slots,
            inputs,
            given,
            unused: gpu.buffer("unused", 16, Usage::STORAGE),
            stride,
            dispatches,
            groups: Vec::new(),
            answer: gpu.buffer("answer", 4 * answer, ANSWER),
            asked: Vec::new(),
            berths: vec![Berth::new(gpu, read_back)],
            plan,
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Bytes of its buffers; weights and states are not its own.
    pub fn bytes(&self) -> u64 {
        let held = self.buffers();
        let read_back = self.berths.iter().map(|berth| berth.read_back.bytes());
        held.map(wgpu::Buffer::size).chain(read_back).sum()
    }

    fn buffers(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        let inputs = self.inputs.iter().map(|(_, buffer)| buffer);
        self.slots.iter().chain(inputs).chain([&self.unused, self.given.buffer(), &self.answer])
    }

    fn input(&self, input: Input) -> Option<&wgpu::Buffer> {
        self.inputs.iter().find(|(held, _)| *held == input).map(|(_, buffer)| buffer)
    }

    fn bound(&self, input: Input) -> Option<wgpu::BindingResource<'_>> {
        let apart = self.input(input).map(wgpu::Buffer::as_entire_binding);
        apart.or_else(|| self.given.input(input).map(wgpu::BindingResource::Buffer))
    }

    /// table: (keys, head_size / 2, 2) of cos, sin.
    pub fn set_table(&mut self, gpu: &Gpu, input: Input, table: &[f32]) {
        if let Some(buffer) = self.input(input) {
            gpu.queue.write_buffer(buffer, 0, bytemuck::cast_slice(table));
        }
    }

    /// Runs all steps and then the questions, and reads back, in one submit and one map. numbers: what the questions answer.
    /// Returns what was read, and the dispatches.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`].
    pub async fn run(
        &mut self,
        on: On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        inputs: &RunInputs,
        sizes: Sizes,
        asked: (&[Box<dyn Op>], u64),
        reads: &[Read],
    ) -> Result<(Vec<Vec<f32>>, usize), Error> {
        let gpu = on.gpu;
        let count = self.send(on, pipelines, inputs, sizes, asked, reads, 0)?;
        Ok((self.arrived(gpu, 0).await?, count))
    }

    /// The same without waiting: [`GpuPlan::arrived`] reads from the berth that the run goes to, which is taken from a run
    /// that was not read. An input that is empty stays as it lies there. Returns the dispatches.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`].
    #[allow(clippy::too_many_arguments)] // those of `run`, and where it goes
    pub fn send(
        &mut self,
        on: On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        inputs: &RunInputs,
        sizes: Sizes,
        (questions, numbers): (&[Box<dyn Op>], u64),
        reads: &[Read],
        berth: usize,
    ) -> Result<usize, Error> {
        let gpu = on.gpu;
        gpu.alive()?;
        for (input, buffer) in &self.inputs {
            let bytes = inputs.bytes(*input);
            if !bytes.is_empty() {
                gpu.queue.write_buffer(buffer, 0, bytes);
            }
        }
        self.given.put_inputs(|input| inputs.bytes(input));
        self.group(&on)?;
        self.make_room(gpu, numbers);
        self.submit(&on, pipelines, true, questions, sizes, reads, berth)
    }

    #[allow(clippy::too_many_arguments)] // those of `send`, and whether the steps go first
    pub(super) fn submit(
        &mut self,
        on: &On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        forward: bool,
        questions: &[Box<dyn Op>],
        sizes: Sizes,
        reads: &[Read],
        berth: usize,
    ) -> Result<usize, Error> {
        let gpu = on.gpu;
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let (mut encoder, count) = self.encode(on, pipelines, forward, questions, sizes)?;
        let counts: Vec<usize> = reads.iter().map(|read| read.count).collect();
        while self.berths.len() <= berth {
            self.berths.push(Berth::new(gpu, counts.iter().sum::<usize>() as u64));
        }
        let copies: Vec<Copied<'_>> = reads
            .iter()
            .map(|read| {
                let from = match read.of {
                    Operand::Value(value) => &self.slots[self.plan.slots.of[value.index()]],
                    _ => &self.answer,
                };
                Copied { from, first: read.first, count: read.count }
            })
            .collect();
        let Berth { read_back, invalid } = &mut self.berths[berth];
        read_back.encode(gpu, &mut encoder, &copies);
        let submission = gpu.queue.submit([encoder.finish()]);
        *invalid = Some(Box::pin(scope.pop()));
        read_back.begin(submission, counts);
        Ok(count)
    }

    /// What the last run that went to a berth reads back, once it has run.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] and [`Error::Gpu`]: also where no run is on its way to it.
    pub async fn arrived(&mut self, gpu: &Gpu, berth: usize) -> Result<Vec<Vec<f32>>, Error> {
        let nothing = || Error::Gpu { reason: "no run is on its way".into() };
        let Berth { read_back, invalid } = self.berths.get_mut(berth).ok_or_else(nothing)?;
        let read = read_back.finish(gpu).await;
        // A run that is not valid ends; the device goes on.
        if let Some(invalid) = invalid.take()
            && let Some(error) = invalid.await
        {
            return Err(Error::Gpu { reason: error.to_string() });
        }
        read
    }

    /// One compute pass: the steps of the plan if it is to go forward, then questions.
    pub(super) fn encode(
        &mut self,
        on: &On<'_>,
        pipelines: &std::cell::RefCell<Pipelines>,
        forward: bool,
        questions: &[Box<dyn Op>],
        sizes: Sizes,
    ) -> Result<(wgpu::CommandEncoder, usize), Error> {
        let gpu = on.gpu;
        let prepared = self.prepare(on, pipelines, questions, 0)?;
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("run") });
        let steps: &[Prepared] = if forward { &self.dispatches } else { &[] };
        let groups = self.groups.iter().find(|(id, _)| *id == on.states.id()).map_or(&[][..], |(_, groups)| groups);
        let of_steps = steps.iter().zip(groups).zip(0..).map(|((step, group), place)| {
            (&*self.plan.steps[step.step], step.rows.clone(), &step.pipeline, group, place)
        });
        let of_questions = questions.iter().zip(&prepared).zip(self.dispatches.len()..);
        let of_questions = of_questions.filter_map(|((op, pipeline), place)| {
            let key = asked_key(&**op, on.states);
            let (_, group) = self.asked.iter().find(|(other, _)| *other == key)?;
            Some((&**op, 0..0, pipeline, group, place))
        });
        #[cfg(feature = "timing")]
        let mut timer = gpu.timer(&self.plan, sizes);
        let mut count = 0;
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime();
            for (op, rows, pipeline, group, place) in of_steps.chain(of_questions) {
                let launch = op.launch(rows.clone(), sizes);
                let [x, y, z] = launch.workgroups;
                if x == 0 || y == 0 || z == 0 {
                    continue;
                }
                let offset = place as u64 * self.stride;
                let words: &[u8] = bytemuck::cast_slice(&launch.parameters);
                self.given.put(offset as usize, words);
                #[cfg(feature = "timing")]
                if let Some(timer) = &mut *timer {
                    drop(pass);
                    pass = timer.pass(&mut encoder, Dispatch::of(op, rows, launch))?;
                }
                pass.set_pipeline(&pipeline.pipeline);
                pass.set_bind_group(0, group, &[offset as u32]);
                pass.dispatch_workgroups(x, y, z);
                count += 1;
            }
        }
        #[cfg(feature = "timing")]
        timer.iter().for_each(|timer| timer.resolve(&mut encoder));
        self.given.write(gpu);
        Ok((encoder, count))
    }

    /// Makes the dispatches' bind groups for these states, where they are not there yet.
    fn group(&mut self, on: &On<'_>) -> Result<(), Error> {
        let id = on.states.id();
        if self.groups.iter().any(|(held, _)| *held == id) {
            return Ok(());
        }
        let bind =
            |prepared: &Prepared| self.bind(on, &*self.plan.steps[prepared.step], prepared.part, &prepared.pipeline);
        let groups = self.dispatches.iter().map(bind).collect::<Result<_, _>>()?;
        if self.groups.len() == SEQUENCES {
            let (gone, _) = self.groups.remove(0);
            self.asked.retain(|((_, _, held), _)| *held != gone);
        }
        self.groups.push((id, groups));
        Ok(())
    }

    pub(super) fn bind(
        &self,
        on: &On<'_>,
        op: &dyn Op,
        part: usize,
        pipeline: &Pipeline,
    ) -> Result<wgpu::BindGroup, Error> {
        let split = op.split();
        let mut entries = Vec::new();
        let uses = op.uses();
        for (used, binding) in uses.iter().zip(0..) {
            let buffer = match used.operand {
                Operand::Input(input) => {
                    let resource = self.bound(input).ok_or_else(|| Error::Gpu {
                        reason: format!("{} asks for an input that its plan does not hold", op.name()),
                    })?;
                    entries.push(wgpu::BindGroupEntry { binding, resource });
                    continue;
                }
                Operand::Value(value) => &self.slots[self.plan.slots.of[value.index()]],
                Operand::State(state) => on.states.buffer(state),
                Operand::Weight(weight) if split == Some(weight) => on.weights.part(weight, part),
                Operand::Weight(weight) => on.weights.whole(on.gpu, weight)?,
                Operand::Answer => &self.answer,
                Operand::Nothing => &self.unused,
            };
            entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        }
        entries.push(wgpu::BindGroupEntry {
            binding: entries.len() as u32,
            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: self.given.buffer(),
                offset: 0,
                size: std::num::NonZeroU64::new(4 * Launch::PARAMETERS as u64),
            }),
        });
        on.gpu.count_created();
        Ok(on.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(op.name()),
            layout: &pipeline.layout,
            entries: &entries,
        }))
    }
}

impl Drop for GpuPlan {
    fn drop(&mut self) {
        // A page's garbage collector does not feel what a GPU holds.
        let held = self.buffers();
        held.for_each(wgpu::Buffer::destroy);
        self.berths.iter().for_each(|berth| berth.read_back.destroy());
    }
}
