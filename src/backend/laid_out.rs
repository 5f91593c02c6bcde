//! A plan laid out on the device of its model's weights, and the states that it reads and writes.

use super::cpu::{CpuPlan, CpuStates, CpuWeights};
use super::gpu::{Gpu, GpuDevice, GpuPlan, GpuStates, GpuWeights, On};
use super::{Cancellation, ReadBack, Reads, RunInputs, Stretch};
use crate::error::Error;
use crate::kernels::WeightData;
use crate::plan::{Input, Plan, Sizes, State};
use std::rc::Rc;

/// A model's weights on a device. A clone shares them.
#[derive(Clone)]
pub enum Weights {
    Cpu(Rc<CpuWeights>),
    Gpu { device: Rc<GpuDevice>, weights: Rc<GpuWeights> },
}

/// A plan with buffers of its own, on the device of the weights. Dropping it frees them.
pub enum LaidOut {
    Cpu { weights: Rc<CpuWeights>, plan: CpuPlan },
    Gpu { device: Rc<GpuDevice>, weights: Rc<GpuWeights>, plan: GpuPlan },
}

/// The states that outlive a run: keys and values, recurrent sums. Dropping them frees their memory.
pub enum States {
    Cpu(CpuStates),
    Gpu { device: Rc<GpuDevice>, states: GpuStates },
}

impl Weights {
    /// The GPU, with its pipelines; `None` on the CPU.
    pub fn device(&self) -> Option<&Rc<GpuDevice>> {
        match self {
            Weights::Cpu(_) => None,
            Weights::Gpu { device, .. } => Some(device),
        }
    }

    /// Buffers, bind groups and pipelines that were created on the device so far; 0 on the CPU.
    pub fn created(&self) -> u64 {
        self.device().map_or(0, |device| device.gpu.created())
    }

    pub fn bytes(&self) -> u64 {
        match self {
            Weights::Cpu(weights) => weights.iter().map(WeightData::bytes).sum(),
            Weights::Gpu { weights, .. } => weights.bytes(),
        }
    }

    /// States of zeros for these sizes.
    ///
    /// # Errors
    /// No memory for them; a lost device.
    pub async fn states(&self, shapes: &[State], sizes: Sizes) -> Result<States, Error> {
        Ok(match self {
            Weights::Cpu(_) => States::Cpu(CpuStates::new(shapes, sizes)?),
            Weights::Gpu { device, .. } => {
                States::Gpu { device: Rc::clone(device), states: GpuStates::new(&device.gpu, shapes, sizes).await? }
            }
        })
    }

    /// Lays a plan out. `read_back`, `answer`: numbers to make room for, of what one run reads and of what questions answer. Both buffers
    /// grow where that is too little.
    ///
    /// # Errors
    /// No memory for it; a lost device.
    pub async fn lay_out(&self, plan: Plan, read_back: u64, answer: u64) -> Result<LaidOut, Error> {
        Ok(match self {
            Weights::Cpu(weights) => LaidOut::Cpu { weights: Rc::clone(weights), plan: CpuPlan::new(plan, answer)? },
            Weights::Gpu { device, weights } => {
                let plan = GpuPlan::new(&device.gpu, &device.pipelines, plan, read_back, answer).await?;
                LaidOut::Gpu { device: Rc::clone(device), weights: Rc::clone(weights), plan }
            }
        })
    }
}

impl States {
    pub fn bytes(&self) -> u64 {
        match self {
            States::Cpu(states) => states.bytes(),
            States::Gpu { states, .. } => states.bytes(),
        }
    }

    /// Copies ranges from states of the same shapes.
    ///
    /// # Errors
    /// States of another device.
    pub fn copy_from(&mut self, from: &States, stretches: &[Stretch]) -> Result<(), Error> {
        match (self, from) {
            (States::Cpu(to), States::Cpu(from)) => to.copy_from(from, stretches),
            (States::Gpu { device, states: to }, States::Gpu { states: from, .. }) => {
                to.copy_from(&device.gpu, from, stretches);
            }
            _ => return Err(other_device()),
        }
        Ok(())
    }
}

impl LaidOut {
    pub fn plan(&self) -> &Plan {
        match self {
            LaidOut::Cpu { plan, .. } => plan.plan(),
            LaidOut::Gpu { plan, .. } => plan.plan(),
        }
    }

    /// Bytes of activations, inputs and answers.
    pub fn bytes(&self) -> u64 {
        match self {
            LaidOut::Cpu { plan, .. } => plan.bytes(),
            LaidOut::Gpu { plan, .. } => plan.bytes(),
        }
    }

    /// Writes a rotary table: (keys, head_size / 2, 2) of cos, sin.
    pub fn set_table(&mut self, input: Input, table: &[f32]) {
        match self {
            LaidOut::Cpu { plan, .. } => plan.set_table(input, table),
            LaidOut::Gpu { device, plan, .. } => plan.set_table(&device.gpu, input, table),
        }
    }

    /// Writes numbers to the start of the answer buffer, for questions that read them, and makes `room` numbers of room there.
    ///
    /// # Errors
    /// No memory for them.
    pub fn write_answer(&mut self, numbers: &[f32], room: u64) -> Result<(), Error> {
        match self {
            LaidOut::Cpu { plan, .. } => plan.give(numbers, room),
            LaidOut::Gpu { device, plan, .. } => {
                plan.give(&device.gpu, numbers, room);
                Ok(())
            }
        }
    }

    /// Runs the plan, then the questions. Returns what was read, and the dispatches (ops on the CPU).
    ///
    /// # Errors
    /// [`Error::Cancelled`]; a lost device.
    pub async fn run(
        &mut self,
        states: Option<&mut States>,
        inputs: RunInputs,
        sizes: Sizes,
        reads: &Reads,
        cancel: &dyn Cancellation,
    ) -> Result<(ReadBack, usize), Error> {
        match self {
            LaidOut::Cpu { weights, plan } => {
                let mut none = CpuStates::default();
                let states = on_cpu(states, &mut none)?;
                let ran = plan.run(weights, states, inputs, sizes, cancel).await?;
                plan.ask(weights, states, reads.questions(), reads.answer_numbers(), sizes, cancel).await?;
                Ok((ReadBack::new(plan.read(reads.reads())), ran + reads.questions().len()))
            }
            LaidOut::Gpu { device, weights, plan } => {
                let none = GpuStates::default();
                let on = On { gpu: &device.gpu, weights, states: on_gpu(states.as_deref(), &none)? };
                let questions = (reads.questions(), reads.answer_numbers());
                let (read, dispatches) =
                    plan.run(on, &device.pipelines, &inputs, sizes, questions, reads.reads()).await?;
                Ok((ReadBack::new(read), dispatches))
            }
        }
    }

    /// Asks about the last run.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; a lost device.
    pub async fn ask(
        &mut self,
        states: Option<&mut States>,
        sizes: Sizes,
        reads: &Reads,
        cancel: &dyn Cancellation,
    ) -> Result<ReadBack, Error> {
        match self {
            LaidOut::Cpu { weights, plan } => {
                let mut none = CpuStates::default();
                let states = on_cpu(states, &mut none)?;
                plan.ask(weights, states, reads.questions(), reads.answer_numbers(), sizes, cancel).await?;
                Ok(ReadBack::new(plan.read(reads.reads())))
            }
            LaidOut::Gpu { device, weights, plan } => {
                let none = GpuStates::default();
                let on = On { gpu: &device.gpu, weights, states: on_gpu(states.as_deref(), &none)? };
                let questions = (reads.questions(), reads.answer_numbers());
                plan.ask(on, &device.pipelines, sizes, questions, reads.reads()).await.map(ReadBack::new)
            }
        }
    }

    /// Creates what the questions need, with room for `answer` numbers, so that asking them later creates nothing.
    ///
    /// # Errors
    /// A weight of a question that is split over several bindings.
    pub fn prepare(&mut self, states: Option<&States>, questions: &Reads, answer: u64) -> Result<(), Error> {
        let LaidOut::Gpu { device, weights, plan } = self else { return Ok(()) };
        let none = GpuStates::default();
        let on = On { gpu: &device.gpu, weights, states: on_gpu(states, &none)? };
        plan.prepare(&on, &device.pipelines, questions.questions(), answer).map(|_| ())
    }

    /// Asks on a GPU and leaves the answer in its buffer; `None` on the CPU.
    ///
    /// # Errors
    /// No memory for it; a lost device.
    pub fn ask_on_gpu(
        &mut self,
        states: Option<&States>,
        sizes: Sizes,
        questions: &Reads,
        answer: u64,
    ) -> Result<Option<wgpu::Buffer>, Error> {
        let LaidOut::Gpu { device, weights, plan } = self else { return Ok(None) };
        let none = GpuStates::default();
        let on = On { gpu: &device.gpu, weights, states: on_gpu(states, &none)? };
        plan.answer(on, &device.pipelines, sizes, (questions.questions(), answer)).cloned().map(Some)
    }

    /// Submits a run without waiting for it, on a GPU only; [`LaidOut::finish_in_flight`] reads it from the same `slot`. An empty input
    /// keeps what earlier runs left there. Returns the dispatches.
    ///
    /// # Errors
    /// The CPU backend; a lost device.
    pub fn submit_in_flight(
        &mut self,
        states: &States,
        inputs: &RunInputs,
        sizes: Sizes,
        reads: &Reads,
        slot: usize,
    ) -> Result<usize, Error> {
        let LaidOut::Gpu { device, weights, plan } = self else { return Err(other_device()) };
        let none = GpuStates::default();
        let on = On { gpu: &device.gpu, weights, states: on_gpu(Some(states), &none)? };
        let questions = (reads.questions(), reads.answer_numbers());
        plan.send(on, &device.pipelines, inputs, sizes, questions, reads.reads(), slot)
    }

    /// Waits for the run in a slot, and returns what it read back.
    ///
    /// # Errors
    /// The CPU backend; a lost device.
    pub async fn finish_in_flight(&mut self, slot: usize) -> Result<ReadBack, Error> {
        let LaidOut::Gpu { device, plan, .. } = self else { return Err(other_device()) };
        plan.arrived(&device.gpu, slot).await.map(ReadBack::new)
    }

    /// The GPU that it is on.
    pub fn gpu(&self) -> Option<&Gpu> {
        match self {
            LaidOut::Cpu { .. } => None,
            LaidOut::Gpu { device, .. } => Some(&device.gpu),
        }
    }
}

fn on_cpu<'a>(states: Option<&'a mut States>, none: &'a mut CpuStates) -> Result<&'a mut CpuStates, Error> {
    match states {
        None => Ok(none),
        Some(States::Cpu(states)) => Ok(states),
        Some(States::Gpu { .. }) => Err(other_device()),
    }
}

fn on_gpu<'a>(states: Option<&'a States>, none: &'a GpuStates) -> Result<&'a GpuStates, Error> {
    match states {
        None => Ok(none),
        Some(States::Gpu { states, .. }) => Ok(states),
        Some(States::Cpu(_)) => Err(other_device()),
    }
}

fn other_device() -> Error {
    Error::InvalidInput { reason: "a plan and its states are on different devices; make both on one".into() }
}
