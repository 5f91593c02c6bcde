//! Walks a plan with the ops' CPU kernels: the reference of the shaders, and what runs where there is no WebGPU.

use super::{Pace, Pass, Read, RunInputs};
use crate::error::Error;
use crate::plan::{Finished, Input, Inputs, Sizes, Value, Weight};
use std::rc::Rc;

/// Weights as f32, by index: (rows, columns) row-major each.
pub type CpuWeights = Rc<Vec<Vec<f32>>>;

/// A plan with its slots in memory.
pub struct CpuPlan {
    plan: Finished,
    weights: CpuWeights,
    slots: Vec<Vec<f32>>,
    table: Vec<f32>,
}

impl CpuPlan {
    /// Lays out the slots at the plan's capacity.
    ///
    /// # Errors
    /// [`Error::MemoryRefused`] where the machine cannot give them.
    pub fn new(plan: Finished, weights: CpuWeights) -> Result<Self, Error> {
        let mut slots = Vec::with_capacity(plan.slots.sizes.len());
        for &size in &plan.slots.sizes {
            let mut slot = Vec::new();
            slot.try_reserve_exact(size)
                .map_err(|_| Error::MemoryRefused { what: "an activation".into(), needed: 4 * size as u64 })?;
            slot.resize(size, 0.0);
            slots.push(slot);
        }
        Ok(Self { plan, weights, slots, table: Vec::new() })
    }

    pub fn plan(&self) -> &Finished {
        &self.plan
    }

    /// Bytes of the activations.
    pub fn bytes(&self) -> u64 {
        self.slots.iter().map(|slot| 4 * slot.len() as u64).sum()
    }

    /// table: (length, head_size / 2, 2) of cos, sin.
    pub fn set_rotary_table(&mut self, table: Vec<f32>) {
        self.table = table;
    }

    /// Runs the steps of `pass`, then copies out `reads`. Returns them and the number of ops that ran.
    ///
    /// # Errors
    /// [`Error::Overtaken`] when a pause says so.
    pub async fn run(
        &mut self,
        inputs: &RunInputs,
        sizes: Sizes,
        pass: Pass,
        reads: &[Read],
        pace: &dyn Pace,
    ) -> Result<(Vec<Vec<f32>>, usize), Error> {
        let mut ran = 0;
        for step in self.plan.steps.iter().filter(|step| pass.includes(step.phase, sizes)) {
            if pace.due() && !pace.pause().await {
                return Err(Error::Overtaken);
            }
            // Outputs leave the slots while the op runs: the planner never lets one be an input of the same op.
            let written: Vec<usize> = step.op.writes().iter().map(|value| self.plan.slots.of[value.index()]).collect();
            let mut outputs: Vec<Vec<f32>> =
                written.iter().map(|&slot| std::mem::take(&mut self.slots[slot])).collect();
            let view = View {
                plan: &self.plan,
                weights: &self.weights,
                slots: &self.slots,
                table: &self.table,
                inputs,
                sizes,
            };
            let mut slices: Vec<&mut [f32]> = outputs
                .iter_mut()
                .zip(step.op.writes())
                .map(|(output, value)| &mut output[..self.plan.shapes[value.index()].elements(sizes)])
                .collect();
            step.op.run(&view, &mut slices, sizes);
            for (slot, output) in written.into_iter().zip(outputs) {
                self.slots[slot] = output;
            }
            ran += 1;
        }
        let copies = reads.iter().map(|read| self.value(read.value)[read.first..read.first + read.count].to_vec());
        Ok((copies.collect(), ran))
    }

    /// The slot of a value, at its full capacity.
    pub fn value(&self, value: Value) -> &[f32] {
        &self.slots[self.plan.slots.of[value.index()]]
    }
}

/// What one op may read.
struct View<'a> {
    plan: &'a Finished,
    weights: &'a [Vec<f32>],
    slots: &'a [Vec<f32>],
    table: &'a [f32],
    inputs: &'a RunInputs,
    sizes: Sizes,
}

impl Inputs for View<'_> {
    fn value(&self, value: Value) -> &[f32] {
        &self.slots[self.plan.slots.of[value.index()]][..self.plan.shapes[value.index()].elements(self.sizes)]
    }

    fn weight(&self, weight: Weight) -> &[f32] {
        &self.weights[weight.index]
    }

    fn indices(&self, input: Input) -> &[u32] {
        match input {
            Input::Ids => &self.inputs.ids,
            Input::TokenTypes => &self.inputs.token_types,
            Input::RowIndices => &self.inputs.row_indices,
            Input::KeyMask | Input::RotaryTable => &[],
        }
    }

    fn numbers(&self, input: Input) -> &[f32] {
        match input {
            Input::KeyMask => &self.inputs.key_mask,
            Input::RotaryTable => self.table,
            Input::Ids | Input::TokenTypes | Input::RowIndices => &[],
        }
    }
}
