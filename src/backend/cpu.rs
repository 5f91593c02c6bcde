//! Walks a plan with the ops' CPU kernels: the reference of the shaders, and what runs where there is no WebGPU.

use super::{Cancellation, Read, RunInputs, Stretch};
use crate::error::Error;
use crate::kernels::{WeightData, WeightView};
use crate::plan::{Access, Input, Inputs, Op, Operand, Plan, Sizes, State, Use, Value, Weight};
use std::ops::Range;

/// Weights by index: (rows, columns) each.
pub type CpuWeights = Vec<WeightData>;

/// What outlives a run, by index: (batch, context, width) each.
#[derive(Default)]
pub struct CpuStates(Vec<Vec<f32>>);

impl CpuStates {
    /// Zeros, for a batch and contexts of these sizes.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`] where the machine cannot give them.
    pub fn new(states: &[State], sizes: Sizes) -> Result<Self, Error> {
        states.iter().map(|state| zeros(state.elements(sizes), "the cache")).collect::<Result<_, _>>().map(Self)
    }

    /// Takes over stretches of another one's states.
    pub fn copy_from(&mut self, other: &CpuStates, stretches: &[Stretch]) {
        for Stretch { state, from, to, count } in stretches {
            if let (Some(target), Some(source)) = (self.0.get_mut(*state), other.0.get(*state)) {
                target[*to..to + count].copy_from_slice(&source[*from..from + count]);
            }
        }
    }

    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|state| 4 * state.len() as u64).sum()
    }
}

/// A slice of zeros that may be refused.
fn zeros(count: u64, what: &str) -> Result<Vec<f32>, Error> {
    let refused = || Error::MemoryRefused { what: what.into(), needed: count.saturating_mul(4) };
    let length = usize::try_from(count).map_err(|_| refused())?;
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(length).map_err(|_| refused())?;
    numbers.resize(length, 0.0);
    Ok(numbers)
}

/// A plan with its slots in memory.
pub struct CpuPlan {
    plan: Plan,
    slots: Vec<Vec<f32>>,
    tables: Vec<(Input, Vec<f32>)>,
    /// Of the last run: what questions about it read.
    inputs: RunInputs,
    answer: Vec<f32>,
}

impl CpuPlan {
    /// Lays out the slots at the plan's capacity. answer: numbers that questions answer, as a start.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`] where the machine cannot give them.
    pub fn new(plan: Plan, answer: u64) -> Result<Self, Error> {
        let slots = plan.slots.sizes.iter().map(|size| zeros(*size, "an activation")).collect::<Result<_, _>>()?;
        let answer = zeros(answer, "an answer")?;
        Ok(Self { plan, slots, tables: Vec::new(), inputs: RunInputs::default(), answer })
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Bytes of the activations.
    pub fn bytes(&self) -> u64 {
        self.slots.iter().chain([&self.answer]).map(|slot| 4 * slot.len() as u64).sum()
    }

    /// table: (keys, head_size / 2, 2) of cos, sin.
    pub fn set_table(&mut self, input: Input, table: &[f32]) {
        self.tables.retain(|(held, _)| *held != input);
        self.tables.push((input, table.to_vec()));
    }

    /// Runs all steps. Returns their number.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when a pause says so.
    pub async fn run(
        &mut self,
        weights: &CpuWeights,
        states: &mut CpuStates,
        inputs: RunInputs,
        sizes: Sizes,
        cancel: &dyn Cancellation,
    ) -> Result<usize, Error> {
        self.inputs = inputs;
        self.walk(weights, states, None, sizes, cancel).await?;
        Ok(self.plan.steps.len())
    }

    /// Walks questions, or the plan's own steps.
    async fn walk(
        &mut self,
        weights: &CpuWeights,
        states: &mut CpuStates,
        questions: Option<&[Box<dyn Op>]>,
        sizes: Sizes,
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        let held = Held { weights, tables: &self.tables, inputs: &self.inputs, sizes };
        for op in questions.unwrap_or(&self.plan.steps) {
            let (parts, at_once) = strides(&**op, sizes, cancel.work());
            for first in (0..parts).step_by(at_once) {
                if cancel.is_due() && !cancel.pause().await {
                    return Err(Error::Cancelled);
                }
                let some = (at_once < parts).then(|| first..parts.min(first + at_once));
                run_op(&**op, some, &self.plan, &mut self.slots, &mut states.0, &mut self.answer, &held);
            }
        }
        Ok(())
    }

    /// Puts numbers that questions read where their answer begins, which takes `room`.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`].
    pub fn give(&mut self, numbers: &[f32], room: u64) -> Result<(), Error> {
        let room = room.max(numbers.len() as u64);
        if (self.answer.len() as u64) < room {
            self.answer = zeros(room, "an answer")?;
        }
        self.answer[..numbers.len()].copy_from_slice(numbers);
        Ok(())
    }

    /// Runs questions about the last run; their answers take `numbers`.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`]; [`Error::Cancelled`] when a pause says so.
    pub async fn ask(
        &mut self,
        weights: &CpuWeights,
        states: &mut CpuStates,
        questions: &[Box<dyn Op>],
        numbers: u64,
        sizes: Sizes,
        cancel: &dyn Cancellation,
    ) -> Result<(), Error> {
        if (self.answer.len() as u64) < numbers {
            self.answer = zeros(numbers, "an answer")?;
        }
        self.walk(weights, states, Some(questions), sizes, cancel).await
    }

    /// Copies out what is read.
    pub fn read(&self, reads: &[Read]) -> Vec<Vec<f32>> {
        let numbers = |of: Operand| match of {
            Operand::Value(value) => &self.slots[self.plan.slots.of[value.index()]][..],
            _ => &self.answer[..],
        };
        reads.iter().map(|read| numbers(read.of)[read.first..read.first + read.count].to_vec()).collect()
    }
}

/// What does not change while a plan runs.
struct Held<'a> {
    weights: &'a CpuWeights,
    tables: &'a [(Input, Vec<f32>)],
    inputs: &'a RunInputs,
    sizes: Sizes,
}

/// How many parts an op has, and how many of them are made for so many multiplications: one at least.
fn strides(op: &dyn Op, sizes: Sizes, work: usize) -> (usize, usize) {
    op.by_parts().map_or((1, 1), |op| {
        let parts = op.parts(sizes).max(1);
        (parts, (work / op.work(sizes).max(1)).clamp(1, parts))
    })
}

/// Runs one op, or some of its parts. What it writes leaves its place meanwhile: the planner never lets that be an input of the same op.
fn run_op(
    op: &dyn Op,
    parts: Option<Range<usize>>,
    plan: &Plan,
    slots: &mut [Vec<f32>],
    states: &mut [Vec<f32>],
    answer: &mut Vec<f32>,
    held: &Held<'_>,
) {
    let written: Vec<Use> = op.uses().into_iter().filter(|used| used.access != Access::Read).collect();
    let slot = |value: Value| plan.slots.of[value.index()];
    let mut outputs: Vec<Vec<f32>> = written
        .iter()
        .map(|used| match used.operand {
            Operand::Value(value) => std::mem::take(&mut slots[slot(value)]),
            Operand::State(state) => std::mem::take(&mut states[state.index]),
            Operand::Answer => std::mem::take(answer),
            Operand::Weight(_) | Operand::Input(_) | Operand::Nothing => Vec::new(),
        })
        .collect();
    let mut slices: Vec<&mut [f32]> = outputs
        .iter_mut()
        .zip(&written)
        .map(|(output, used)| match used.operand {
            Operand::Value(value) => &mut output[..plan.elements(value, held.sizes) as usize],
            _ => &mut output[..],
        })
        .collect();
    let view = View { plan, slots, states, held };
    match parts.zip(op.by_parts()) {
        Some((parts, op)) => op.run_parts(parts, &view, &mut slices, held.sizes),
        None => op.run(&view, &mut slices, held.sizes),
    }
    for (used, output) in written.iter().zip(outputs) {
        match used.operand {
            Operand::Value(value) => slots[slot(value)] = output,
            Operand::State(state) => states[state.index] = output,
            Operand::Answer => *answer = output,
            Operand::Weight(_) | Operand::Input(_) | Operand::Nothing => {}
        }
    }
}

/// What one op may read.
struct View<'a> {
    plan: &'a Plan,
    slots: &'a [Vec<f32>],
    states: &'a [Vec<f32>],
    held: &'a Held<'a>,
}

impl Inputs for View<'_> {
    fn value(&self, value: Value) -> &[f32] {
        &self.slots[self.plan.slots.of[value.index()]][..self.plan.elements(value, self.held.sizes) as usize]
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
        self.held.weights[weight.index].view()
    }

    fn indices(&self, input: Input) -> &[u32] {
        self.held.inputs.indices(input)
    }

    fn numbers(&self, input: Input) -> &[f32] {
        match input {
            Input::Rotary { .. } => {
                self.held.tables.iter().find(|(held, _)| *held == input).map_or(&[], |(_, table)| table)
            }
            _ => self.held.inputs.numbers(input),
        }
    }
}
