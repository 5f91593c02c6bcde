//! Runs a plan op by op with CPU kernels: without WebGPU, and as the reference for the shaders.

use super::{Cancellation, CopyRange, Read, ReadBack, Reads, RunInputs};
use crate::error::{Allocation, Error};
use crate::kernels::{THREAD_POOL, WeightData, WeightView};
use crate::plan::{Access, Chunks, Input, Inputs, Op, Operand, Plan, Sizes, State, Use, Value, Weight};
use std::ops::Range;

/// Weights by [`Weight::index`], (rows, columns) each.
pub type CpuWeights = Vec<WeightData>;

/// States by [`State::index`], (batch, context, width) each.
pub struct CpuStates(Vec<Vec<f32>>);

impl CpuStates {
    pub fn new(states: &[State], sizes: Sizes) -> Result<Self, Error> {
        states.iter().map(|state| zeros(state.elements(sizes), Allocation::Cache)).collect::<Result<_, _>>().map(Self)
    }

    pub fn copy_from(&mut self, other: &CpuStates, ranges: &[CopyRange]) {
        for CopyRange { state, from, to, count } in ranges {
            if let (Some(target), Some(source)) = (self.0.get_mut(*state), other.0.get(*state)) {
                target[*to..to + count].copy_from_slice(&source[*from..from + count]);
            }
        }
    }

    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|state| 4 * state.len() as u64).sum()
    }
}

/// Allocates zeros. A failed allocation is an error instead of an abort.
fn zeros(count: u64, what: Allocation) -> Result<Vec<f32>, Error> {
    let refused = || Error::MemoryRefused { what, needed: count.saturating_mul(4) };
    let length = usize::try_from(count).map_err(|_| refused())?;
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(length).map_err(|_| refused())?;
    numbers.resize(length, 0.0);
    Ok(numbers)
}

/// A plan with its activations in memory.
pub struct CpuPlan {
    plan: Plan,
    slots: Vec<Vec<f32>>,
    tables: RunInputs,
    /// Inputs of the last run, which probes about it read.
    inputs: RunInputs,
    results: Vec<f32>,
}

impl CpuPlan {
    /// Allocates the slots at the plan's capacity, and a result buffer of `results` numbers, which grows on demand.
    pub fn new(plan: Plan, results: u64) -> Result<Self, Error> {
        let slots =
            plan.slots.sizes.iter().map(|size| zeros(*size, Allocation::Activation)).collect::<Result<_, _>>()?;
        let results = zeros(results, Allocation::Results)?;
        Ok(Self { plan, slots, tables: RunInputs::default(), inputs: RunInputs::default(), results })
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn bytes(&self) -> u64 {
        self.slots.iter().chain([&self.results]).map(|slot| 4 * slot.len() as u64).sum()
    }

    pub fn set_table(&mut self, input: Input, table: &[f32]) {
        self.tables.set(input, table.to_vec());
    }

    pub async fn run(
        &mut self,
        weights: &CpuWeights,
        mut states: Option<&mut CpuStates>,
        inputs: RunInputs,
        sizes: Sizes,
        reads: &Reads,
        cancel: &dyn Cancellation,
    ) -> Result<(ReadBack, usize), Error> {
        self.inputs = inputs;
        self.run_ops(None, weights, states.as_deref_mut(), sizes, cancel).await?;
        let read_back = self.probe(weights, states, sizes, reads, cancel).await?;
        Ok((read_back, self.plan.steps.len() + reads.probes().len()))
    }

    pub async fn probe(
        &mut self,
        weights: &CpuWeights,
        states: Option<&mut CpuStates>,
        sizes: Sizes,
        reads: &Reads,
        cancel: &dyn Cancellation,
    ) -> Result<ReadBack, Error> {
        self.reserve_results(reads.result_numbers())?;
        self.run_ops(Some(reads.probes()), weights, states, sizes, cancel).await?;
        Ok(self.read(reads.reads()))
    }

    pub fn write_results(&mut self, numbers: &[f32], capacity: u64) -> Result<(), Error> {
        self.reserve_results(capacity.max(numbers.len() as u64))?;
        self.results[..numbers.len()].copy_from_slice(numbers);
        Ok(())
    }

    /// Grows the result buffer to `numbers`; growing clears it.
    fn reserve_results(&mut self, numbers: u64) -> Result<(), Error> {
        if (self.results.len() as u64) < numbers {
            self.results = zeros(numbers, Allocation::Results)?;
        }
        Ok(())
    }

    /// Runs `probes`, or the plan's steps for `None`.
    async fn run_ops(
        &mut self,
        probes: Option<&[Box<dyn Op>]>,
        weights: &CpuWeights,
        states: Option<&mut CpuStates>,
        sizes: Sizes,
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        let _awake = THREAD_POOL.begin_run();
        let states = states.map(|states| &mut states.0[..]).unwrap_or_default();
        let constants = Constants { weights, tables: &self.tables, inputs: &self.inputs, sizes };
        for op in probes.unwrap_or(&self.plan.steps) {
            let Chunks { count, work } = op.chunks(sizes);
            let stride = (cancel.work() / work.max(1)).max(1);
            for first in (0..count).step_by(stride) {
                if cancel.is_due() && !cancel.pause().await {
                    return Err(Error::Cancelled);
                }
                let chunks = first..count.min(first.saturating_add(stride));
                run_op(&**op, chunks, &self.plan, &mut self.slots, states, &mut self.results, &constants);
            }
        }
        Ok(())
    }

    fn read(&self, reads: &[Read]) -> ReadBack {
        let numbers = |of: Operand| match of {
            Operand::Value(value) => &self.slots[self.plan.slots.by_value[value.index()]][..],
            _ => &self.results[..],
        };
        ReadBack::new(reads.iter().map(|read| numbers(read.of)[read.first..][..read.count].to_vec()).collect())
    }
}

/// Operands that no op writes.
struct Constants<'a> {
    weights: &'a CpuWeights,
    tables: &'a RunInputs,
    inputs: &'a RunInputs,
    sizes: Sizes,
}

/// Runs a range of an op's chunks. Written buffers are moved out meanwhile: the planner never assigns the slot of an input to an
/// output of the same op.
fn run_op(
    op: &dyn Op,
    chunks: Range<usize>,
    plan: &Plan,
    slots: &mut [Vec<f32>],
    states: &mut [Vec<f32>],
    results: &mut Vec<f32>,
    constants: &Constants<'_>,
) {
    let sizes = constants.sizes;
    let writes: Vec<Use> = op.uses().into_iter().filter(|used| used.access != Access::Read).collect();
    let slot = |value: Value| plan.slots.by_value[value.index()];
    let mut outputs: Vec<Vec<f32>> = writes
        .iter()
        .map(|write| match write.operand {
            Operand::Value(value) => std::mem::take(&mut slots[slot(value)]),
            Operand::State(state) => std::mem::take(&mut states[state.index]),
            Operand::Results => std::mem::take(results),
            Operand::Weight(_) | Operand::Input(_) | Operand::Nothing => Vec::new(),
        })
        .collect();
    let mut slices: Vec<&mut [f32]> = outputs
        .iter_mut()
        .zip(&writes)
        .map(|(output, write)| match write.operand {
            Operand::Value(value) => &mut output[..plan.elements(value, sizes) as usize],
            _ => &mut output[..],
        })
        .collect();
    let inputs = OpInputs { plan, slots, states, constants };
    op.run(chunks, &inputs, &mut slices, sizes);
    for (write, output) in writes.iter().zip(outputs) {
        match write.operand {
            Operand::Value(value) => slots[slot(value)] = output,
            Operand::State(state) => states[state.index] = output,
            Operand::Results => *results = output,
            Operand::Weight(_) | Operand::Input(_) | Operand::Nothing => {}
        }
    }
}

/// The operands that one op may read.
struct OpInputs<'a> {
    plan: &'a Plan,
    slots: &'a [Vec<f32>],
    states: &'a [Vec<f32>],
    constants: &'a Constants<'a>,
}

impl Inputs for OpInputs<'_> {
    fn value(&self, value: Value) -> &[f32] {
        &self.slots[self.plan.slots.by_value[value.index()]][..self.plan.elements(value, self.constants.sizes) as usize]
    }

    fn state(&self, state: State) -> &[f32] {
        &self.states[state.index]
    }

    fn weight(&self, weight: Weight) -> &[f32] {
        match self.matrix(weight) {
            WeightView::Plain(numbers) => numbers,
            WeightView::Packed(_) | WeightView::Quantised(..) => &[],
        }
    }

    fn matrix(&self, weight: Weight) -> WeightView<'_> {
        self.constants.weights[weight.index].view()
    }

    fn indices(&self, input: Input) -> &[u32] {
        self.constants.inputs.indices(input)
    }

    fn numbers(&self, input: Input) -> &[f32] {
        match input {
            Input::Rotary { .. } => self.constants.tables.numbers(input),
            _ => self.constants.inputs.numbers(input),
        }
    }
}
