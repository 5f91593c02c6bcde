//! A plan over given numbers, run on either backend.

use super::{assert_close, open_gpu};
use ropescope::backend::gpu::{GpuDevice, GpuWeights};
use ropescope::backend::{Cancellation, DeviceWeights, NeverCancelled, Reads, RunInputs, Ticket};
use ropescope::kernels::{Format, WeightData};
use ropescope::plan::{
    Axis, Capacity, Input, Inputs, Kernel, Launch, Op, Operand, Parameter, ParameterType, PlanBuilder, PlanOptions,
    Shape, Sizes, State, Use, Value, Weight,
};
use std::ops::Range;
use std::rc::Rc;

/// A Vulkan adapter.
pub struct Adapter {
    pub device: Rc<GpuDevice>,
}

impl Adapter {
    /// Panics without an adapter.
    pub fn open() -> Self {
        Self::with_binding_limit(u64::MAX)
    }

    /// Weights of more than `bytes` are split into chunks.
    pub fn with_binding_limit(bytes: u64) -> Self {
        let gpu = open_gpu();
        println!("on {}", gpu.describe());
        Self { device: Rc::new(GpuDevice::new(gpu.with_binding_limit(bytes))) }
    }

    async fn upload(&self, weights: &[(Weight, Format, Vec<f32>)]) -> DeviceWeights {
        let gpu = &self.device.gpu;
        let named: Vec<_> =
            weights.iter().map(|(weight, format, _)| (*weight, *format, "a weight of a test")).collect();
        let uploaded = GpuWeights::new(gpu, &named).await.unwrap();
        for (index, (weight, format, numbers)) in weights.iter().enumerate() {
            uploaded.write(gpu, index, 0, &words(*weight, *format, numbers));
        }
        DeviceWeights::Gpu { device: Rc::clone(&self.device), weights: Rc::new(uploaded) }
    }
}

/// Copies a weight's numbers into a value or a state, where the op under test reads them.
struct Load {
    /// (count, 1), so that it may be split anywhere.
    numbers: Weight,
    to: Operand,
}

/// The parameters of `shaders/copy_rows/copy_rows.wgsl`, which copies here rows of one number.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct CopyParams {
    elements: u32,
    rows: u32,
    width: u32,
    source_pitch: u32,
    stride: u32,
    source: u32,
    target_pitch: u32,
    first: u32,
}

impl Parameter for CopyParams {
    const TYPE: ParameterType = ParameterType::Struct { members: &[], size: size_of::<Self>() };
}

impl Op for Load {
    fn uses(&self) -> Vec<Use> {
        vec![Use::read("source", self.numbers), Use::write("destination", self.to)]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("copy_rows/copy_rows").when("f16_cache", self.to.is_f16())
    }

    fn split(&self) -> Option<Weight> {
        Some(self.numbers)
    }

    fn launch(&self, rows: Range<usize>, _sizes: Sizes) -> Launch {
        let count = rows.len() as u32;
        let params = CopyParams {
            elements: count,
            rows: count,
            width: 1,
            source_pitch: count,
            stride: 1,
            source: 0,
            target_pitch: count,
            first: rows.start as u32,
        };
        Launch::new(rows.len().div_ceil(64), params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        outputs[0].copy_from_slice(inputs.weight(self.numbers));
    }
}

/// A plan under construction, its numbers and its inputs.
pub struct Bench {
    pub plan: PlanBuilder,
    pub inputs: RunInputs,
    pub sizes: Sizes,
    /// Probes that follow the run.
    pub reads: Reads,
    /// Numbers of the result buffer that the probes use.
    pub results: usize,
    /// Numbers that probes read, at the start of the result buffer.
    probe_inputs: Vec<f32>,
    tables: Vec<(Input, Vec<f32>)>,
    weights: Vec<(Weight, Format, Vec<f32>)>,
}

impl Bench {
    /// For a run of exactly these sizes in buffers that are larger, as in a plan that is used again.
    pub fn new(batch: usize, length: usize, rows: usize) -> Self {
        Self::over(Sizes::new(batch, length, rows))
    }

    /// The same for a run that looks at earlier tokens.
    pub fn over(sizes: Sizes) -> Self {
        let Sizes { batch, length, rows, .. } = sizes;
        Self::within(
            Capacity {
                keys: sizes.keys() + 3,
                source: sizes.source + 2,
                ..Capacity::new(batch + 1, length + 3, rows + 2)
            },
            sizes,
        )
    }

    /// One or the other: plans for few rows have kernels of their own, and so are tried with some of the small runs.
    pub fn roomy_or_tight(sizes: Sizes) -> Self {
        if sizes.tokens() <= 4 && sizes.tokens() % 2 == 1 { Self::tight(sizes) } else { Self::over(sizes) }
    }

    /// The same in buffers that hold just the run: a plan for few rows.
    pub fn tight(sizes: Sizes) -> Self {
        let Sizes { batch, length, rows, source, .. } = sizes;
        Self::within(
            Capacity { keys: sizes.keys().max(sizes.cache_capacity), source, ..Capacity::new(batch, length, rows) },
            sizes,
        )
    }

    /// For a GPU only: splits work that has few workgroups. To be called first.
    pub fn spreading(mut self) -> Self {
        self.plan = PlanBuilder::new(PlanOptions { splits_work: true, ..self.plan.options().clone() });
        self
    }

    /// For a GPU with 16-bit floats only: products read f16 weights as such, and caches store f16. To be called first.
    pub fn with_f16(mut self) -> Self {
        let options = PlanOptions { f16_weights: true, f16_cache: true, ..self.plan.options().clone() };
        self.plan = PlanBuilder::new(options);
        self
    }

    /// In buffers with room for so much: kernels are chosen by it.
    pub fn within(capacity: Capacity, sizes: Sizes) -> Self {
        Self {
            plan: PlanBuilder::new(PlanOptions::new(capacity)),
            inputs: RunInputs::default(),
            sizes,
            reads: Reads::default(),
            results: 0,
            probe_inputs: Vec::new(),
            tables: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// A weight with these numbers, row-major.
    pub fn weight(&mut self, rows: usize, columns: usize, numbers: &[f32]) -> Weight {
        self.matrix_in(rows, columns, numbers, Format::F32)
    }

    /// The same, stored in a format.
    pub fn matrix_in(&mut self, rows: usize, columns: usize, numbers: &[f32], format: Format) -> Weight {
        assert_eq!(numbers.len(), rows * columns);
        let weight = Weight { index: self.weights.len(), rows, columns };
        self.weights.push((weight, format, numbers.to_vec()));
        self.plan.set_formats(self.weights.iter().map(|(_, format, _)| *format).collect());
        weight
    }

    /// A weight of one row, as vectors are.
    pub fn vector(&mut self, numbers: &[f32]) -> Weight {
        self.weight(1, numbers.len(), numbers)
    }

    /// A value with these numbers.
    pub fn value(&mut self, shape: Shape, numbers: &[f32]) -> Value {
        assert_eq!(numbers.len() as u64, shape.elements(self.sizes));
        let numbers = self.weight(numbers.len(), 1, numbers);
        let y = self.plan.value(shape);
        self.plan.step(Load { numbers, to: y.into() });
        y
    }

    /// A state that holds these numbers, (batch, context, width), as earlier runs would have left them.
    pub fn state(&mut self, width: usize, numbers: &[f32]) -> State {
        let state = self.plan.state(Axis::Keys, width);
        self.load(state, numbers)
    }

    /// The same with keys and values, which a plan may store as f16.
    pub fn cache(&mut self, width: usize, numbers: &[f32]) -> State {
        let state = self.plan.cache_state(width);
        self.load(state, numbers)
    }

    fn load(&mut self, state: State, numbers: &[f32]) -> State {
        assert_eq!(numbers.len() as u64, state.elements(self.sizes));
        let numbers = self.weight(numbers.len(), 1, numbers);
        self.plan.step(Load { numbers, to: state.into() });
        state
    }

    /// Adds a probe that writes `count` numbers, from the offset in the result buffer that `probe` gets.
    pub fn probe<Q: Op + 'static>(&mut self, count: usize, probe: impl FnOnce(usize) -> Box<Q>) {
        self.reads.probe(*probe(self.results));
        self.results += count;
    }

    /// Writes numbers that probes read to the start of the result buffer. Comes before the first probe.
    pub fn write_results(&mut self, numbers: Vec<f32>) {
        assert_eq!(self.results, 0, "a probe came before");
        self.results = numbers.len();
        self.probe_inputs = numbers;
    }

    /// A rotary table (keys, head_size / 2, 2), and positions 0, 1, 2 … of each sequence's tokens.
    pub fn rotary(&mut self, head_size: usize, table: &[f32]) {
        self.tables.push((Input::Rotary { rope: 0, head_size }, table.to_vec()));
        let Sizes { batch, length, past, .. } = self.sizes;
        self.inputs.set(Input::Positions, (0..batch).flat_map(|_| past as u32..(past + length) as u32).collect());
    }

    /// The steps that compute `values`.
    pub fn steps(mut self, values: &[Value]) -> Vec<Box<dyn Op>> {
        values.iter().for_each(|value| self.plan.output(*value));
        self.plan.finish().expect("shapes fit").steps
    }

    /// The numbers of `values` after a run on the CPU, or on a GPU where there is an adapter; the result buffer's after them.
    pub fn run(self, values: &[Value], adapter: Option<&Adapter>) -> Vec<Vec<f32>> {
        self.run_with(values, adapter, &NeverCancelled)
    }

    /// The same on the CPU, with the numbers of int8 and int4 weights as f32: the CPU also rounds x for them, and the GPU does not.
    pub fn run_in_f32(mut self, values: &[Value]) -> Vec<Vec<f32>> {
        for (weight, format, numbers) in &mut self.weights {
            if matches!(format, Format::Int8 | Format::Int4) {
                *numbers = dequantised(*format, weight.columns, numbers);
                *format = Format::F32;
            }
        }
        self.run(values, None)
    }

    /// The same with pauses on the CPU.
    pub fn run_with(self, values: &[Value], adapter: Option<&Adapter>, cancel: &dyn Cancellation) -> Vec<Vec<f32>> {
        let Bench { mut plan, inputs, sizes, mut reads, results, probe_inputs, tables, weights } = self;
        values.iter().for_each(|value| plan.output(*value));
        let plan = plan.finish().expect("shapes fit");
        reads.reserve(results);
        let mut tickets: Vec<Ticket<Vec<f32>>> =
            values.iter().map(|&value| reads.value(value, plan.elements(value, sizes) as usize)).collect();
        if results > 0 {
            tickets.push(reads.results(probe_inputs.len(), results - probe_inputs.len()));
        }
        pollster::block_on(async {
            let weights = match adapter {
                None => on_cpu(weights),
                Some(adapter) => adapter.upload(&weights).await,
            };
            let mut states = weights.states(&plan.states, sizes).await.unwrap();
            let mut plan = weights.allocate(plan, 1, 0).await.unwrap();
            tables.iter().for_each(|(input, table)| plan.set_table(*input, table));
            plan.write_results(&probe_inputs, results as u64).unwrap();
            let (mut read_back, dispatches) = plan.run(Some(&mut states), inputs, sizes, &reads, cancel).await.unwrap();
            assert!(dispatches > 0, "nothing ran");
            tickets.into_iter().map(|ticket| ticket.take(&mut read_back)).collect()
        })
    }
}

fn on_cpu(weights: Vec<(Weight, Format, Vec<f32>)>) -> DeviceWeights {
    let stored = |(weight, format, numbers): (Weight, Format, Vec<f32>)| match format.quantised() {
        None => WeightData::Plain(numbers),
        Some(quantised) => WeightData::Quantised(quantised, words(weight, format, &numbers)),
    };
    DeviceWeights::Cpu(Rc::new(weights.into_iter().map(stored).collect()))
}

/// A weight's numbers as they are kept.
pub fn words(weight: Weight, format: Format, numbers: &[f32]) -> Vec<u32> {
    let each = format.row_words(weight.columns);
    let mut words = vec![0; weight.rows * each];
    for (row, words) in numbers.chunks_exact(weight.columns).zip(words.chunks_exact_mut(each)) {
        assert!(format.quantise(row, words), "a number is beyond {format:?}");
    }
    words
}

/// Rows of `columns` numbers, quantised and dequantised again.
pub fn dequantised(format: Format, columns: usize, numbers: &[f32]) -> Vec<f32> {
    let weight = Weight { index: 0, rows: numbers.len() / columns, columns };
    let (words, mut rows) = (words(weight, format, numbers), vec![0.0; numbers.len()]);
    for (row, words) in rows.chunks_exact_mut(columns).zip(words.chunks_exact(format.row_words(columns))) {
        format.dequantise(words, row);
    }
    rows
}

/// Runs what `build` records on both backends: the GPU's numbers must be the CPU's in f32 to 1e-4 · max(1, max|CPU|).
pub fn assert_twins(what: &str, adapter: &Adapter, build: impl Fn() -> (Bench, Vec<Value>)) {
    assert_unsplit_twins(what, adapter, |_| build());
}

/// The same of a plan that splits work on the GPU: `build` takes whether it may.
pub fn assert_unsplit_twins(what: &str, adapter: &Adapter, build: impl Fn(bool) -> (Bench, Vec<Value>)) {
    let [(on_gpu, values), (on_cpu, same_values)] = [true, false].map(build);
    let (found, expected) = (on_gpu.run(&values, Some(adapter)), on_cpu.run_in_f32(&same_values));
    for (value, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_close(&format!("{what}, value {value}"), found, &expected, 1e-4);
    }
}
