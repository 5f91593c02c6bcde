//! A plan over given numbers, run on either backend.

use super::assert_close;
use ropescope::backend::cpu::CpuPlan;
use ropescope::backend::gpu::{AdapterChoice, Gpu, GpuPlan, GpuWeights, Pipelines};
use ropescope::backend::{Pass, Read, RunInputs, Unhurried};
use ropescope::plan::{
    Access, Binding, Capacity, Dispatch, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Taps, Value, Weight, grid,
};
use std::cell::RefCell;
use std::rc::Rc;

/// A Vulkan adapter with the pipelines made on it.
pub struct Adapter {
    pub gpu: Gpu,
    pipelines: RefCell<Pipelines>,
}

impl Adapter {
    /// Without an adapter the test fails.
    pub fn open() -> Self {
        let gpu = pollster::block_on(Gpu::open(AdapterChoice::Any)).expect("a Vulkan adapter; Mesa's llvmpipe will do");
        println!("on {}", gpu.describe());
        Self { gpu, pipelines: RefCell::default() }
    }

    /// Splits weights into parts of so many bytes.
    pub fn with_binding_limit(self, bytes: u64) -> Self {
        Self { gpu: self.gpu.with_binding_limit(bytes), pipelines: self.pipelines }
    }
}

/// Puts given numbers into a value: what an op under test reads. A kernel made for the tests only.
struct Given {
    /// (count, 1), so that it may be split anywhere.
    numbers: Weight,
    y: Value,
}

impl Op for Given {
    fn name(&self) -> &'static str {
        "given"
    }

    fn reads(&self) -> Vec<Value> {
        Vec::new()
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.y]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        outputs[0].copy_from_slice(inputs.weight(self.numbers));
    }

    fn dispatches(&self, binding_limit: u64) -> Vec<Dispatch> {
        let dispatch = |part| Dispatch {
            kernel: Kernel {
                name: "given",
                source: include_str!("given.wgsl"),
                entry: "main",
                constants: Vec::new(),
                accesses: &[Access::Read, Access::ReadWrite],
            },
            bindings: vec![Binding::Weight { weight: self.numbers, part }, Binding::Value(self.y)],
        };
        (0..self.numbers.parts(binding_limit).len()).map(dispatch).collect()
    }

    fn launch(&self, part: usize, _sizes: Sizes, binding_limit: u64) -> Launch {
        let rows = self.numbers.parts(binding_limit)[part].clone();
        let parameters = vec![rows.start as u32, rows.len() as u32];
        Launch { workgroups: grid(rows.len().div_ceil(64)), parameters }
    }
}

/// A plan under construction, its numbers and its inputs.
pub struct Bench {
    pub plan: Plan,
    pub inputs: RunInputs,
    pub sizes: Sizes,
    table: Vec<f32>,
    head_size: usize,
    weights: Vec<(Weight, Vec<f32>)>,
}

impl Bench {
    /// For a run of exactly these sizes in buffers that are larger, as in a plan that is used again.
    pub fn new(batch: usize, length: usize, rows: usize) -> Self {
        let capacity = Capacity { batch: batch + 1, length: length + 3, rows: rows + 2 };
        Self {
            plan: Plan::new(capacity, Taps::none()),
            inputs: RunInputs::default(),
            sizes: Sizes { batch, length, rows, layer: 0, head: 0 },
            table: Vec::new(),
            head_size: 2,
            weights: Vec::new(),
        }
    }

    /// A weight with these numbers, row-major.
    pub fn weight(&mut self, rows: usize, columns: usize, numbers: &[f32]) -> Weight {
        assert_eq!(numbers.len(), rows * columns);
        let weight = Weight { index: self.weights.len(), rows, columns };
        self.weights.push((weight, numbers.to_vec()));
        weight
    }

    /// A weight of one row, as vectors are.
    pub fn vector(&mut self, numbers: &[f32]) -> Weight {
        self.weight(1, numbers.len(), numbers)
    }

    /// A value with these numbers.
    pub fn value(&mut self, shape: Shape, numbers: &[f32]) -> Value {
        assert_eq!(numbers.len(), shape.elements(self.sizes));
        let numbers = self.weight(numbers.len(), 1, numbers);
        let y = self.plan.value(shape);
        self.plan.step(Given { numbers, y });
        y
    }

    /// The rotary table (length, head_size / 2, 2).
    pub fn rotary(&mut self, head_size: usize, table: &[f32]) {
        self.head_size = head_size;
        self.table = table.to_vec();
    }

    /// The numbers of `values` after a run on the CPU, or on a GPU where there is an adapter.
    pub fn run(self, values: &[Value], adapter: Option<&Adapter>) -> Vec<Vec<f32>> {
        let Bench { mut plan, inputs, sizes, table, head_size, weights } = self;
        values.iter().for_each(|value| plan.output(*value));
        let plan = plan.finish().expect("shapes fit");
        let reads: Vec<Read> = values
            .iter()
            .map(|&value| Read { value, first: 0, count: plan.shapes[value.index()].elements(sizes) })
            .collect();
        let pass = Pass { forward: true, selection: true };
        let Some(Adapter { gpu, pipelines }) = adapter else {
            let numbers = weights.into_iter().map(|(_, numbers)| numbers).collect();
            let mut plan = CpuPlan::new(plan, Rc::new(numbers)).unwrap();
            plan.set_rotary_table(table);
            return pollster::block_on(plan.run(&inputs, sizes, pass, &reads, &Unhurried)).unwrap().0;
        };
        let weights = weights.into_iter().map(|(weight, numbers)| (weight, "given", Ok(numbers)));
        let uploaded = pollster::block_on(GpuWeights::upload(gpu, weights)).unwrap();
        let mut pipelines = pipelines.borrow_mut();
        pipelines.prepare(gpu, &plan);
        let read_back = reads.iter().map(|read| read.count).sum();
        let made = GpuPlan::new(gpu, &pipelines, &uploaded, plan, head_size, read_back);
        let mut plan = pollster::block_on(made).unwrap();
        plan.set_rotary_table(gpu, &table);
        let (results, dispatches) = pollster::block_on(plan.run(gpu, &inputs, sizes, pass, &reads)).unwrap();
        assert!(dispatches > 0, "nothing ran on the GPU");
        results
    }
}

/// Runs what `build` records on both backends: the GPU's numbers must be the CPU's to 1e-4 · max(1, max|CPU|).
pub fn assert_twins(what: &str, adapter: &Adapter, build: impl Fn() -> (Bench, Vec<Value>)) {
    let run = |adapter| {
        let (bench, values) = build();
        bench.run(&values, adapter)
    };
    for (value, (found, expected)) in run(Some(adapter)).iter().zip(run(None)).enumerate() {
        assert_close(&format!("{what}, value {value}"), found, &expected, 1e-4);
    }
}
