//! A plan with buffers on the device of its model's weights, and the states that it reads and writes.

use super::cpu::{CpuPlan, CpuStates, CpuWeights};
use super::gpu::{GpuDevice, GpuPlan, GpuStates, GpuWeights, Resources};
use super::{Cancellation, CopyRange, ReadBack, Reads, RunInputs};
use crate::error::Error;
use crate::kernels::WeightData;
use crate::plan::{Input, Plan, Sizes, State};
use std::rc::Rc;

/// A model's weights on a device. A clone shares them.
#[derive(Clone)]
pub enum DeviceWeights {
    Cpu(Rc<CpuWeights>),
    Gpu { device: Rc<GpuDevice>, weights: Rc<GpuWeights> },
}

/// A plan with buffers of its own, on the device of the weights. Dropping it frees them.
pub enum DevicePlan {
    Cpu { weights: Rc<CpuWeights>, plan: Box<CpuPlan> },
    Gpu { device: Rc<GpuDevice>, weights: Rc<GpuWeights>, plan: Box<GpuPlan> },
}

/// The states of a text that outlive a run: keys and values, recurrent sums. Dropping them frees their memory.
pub enum States {
    Cpu(CpuStates),
    Gpu { device: Rc<GpuDevice>, states: GpuStates },
}

impl DeviceWeights {
    /// The GPU; `None` on the CPU.
    pub fn device(&self) -> Option<&Rc<GpuDevice>> {
        match self {
            DeviceWeights::Cpu(_) => None,
            DeviceWeights::Gpu { device, .. } => Some(device),
        }
    }

    pub fn bytes(&self) -> u64 {
        match self {
            DeviceWeights::Cpu(weights) => weights.iter().map(WeightData::bytes).sum(),
            DeviceWeights::Gpu { weights, .. } => weights.bytes(),
        }
    }

    pub async fn states(&self, shapes: &[State], sizes: Sizes) -> Result<States, Error> {
        Ok(match self {
            DeviceWeights::Cpu(_) => States::Cpu(CpuStates::new(shapes, sizes)?),
            DeviceWeights::Gpu { device, .. } => {
                States::Gpu { device: Rc::clone(device), states: GpuStates::new(&device.gpu, shapes, sizes).await? }
            }
        })
    }

    /// Allocates the buffers of a plan, with room for `read_back` numbers read back by one run and for `results` numbers that probes
    /// write. Both buffers grow on demand.
    pub async fn allocate(&self, plan: Plan, read_back: u64, results: u64) -> Result<DevicePlan, Error> {
        Ok(match self {
            DeviceWeights::Cpu(weights) => {
                DevicePlan::Cpu { weights: Rc::clone(weights), plan: Box::new(CpuPlan::new(plan, results)?) }
            }
            DeviceWeights::Gpu { device, weights } => {
                let plan = Box::new(GpuPlan::new(device, plan, read_back, results).await?);
                DevicePlan::Gpu { device: Rc::clone(device), weights: Rc::clone(weights), plan }
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
    pub fn copy_from(&mut self, from: &States, ranges: &[CopyRange]) -> Result<(), Error> {
        match (self, from) {
            (States::Cpu(to), States::Cpu(from)) => to.copy_from(from, ranges),
            (States::Gpu { device, states: to }, States::Gpu { states: from, .. }) => {
                to.copy_from(&device.gpu, from, ranges);
            }
            _ => return Err(other_device()),
        }
        Ok(())
    }
}

impl DevicePlan {
    pub fn plan(&self) -> &Plan {
        match self {
            DevicePlan::Cpu { plan, .. } => plan.plan(),
            DevicePlan::Gpu { plan, .. } => plan.plan(),
        }
    }

    pub fn bytes(&self) -> u64 {
        match self {
            DevicePlan::Cpu { plan, .. } => plan.bytes(),
            DevicePlan::Gpu { plan, .. } => plan.bytes(),
        }
    }

    /// Writes a rotary table: (keys, head_size / 2, 2) of cos, sin.
    pub fn set_table(&mut self, input: Input, table: &[f32]) {
        match self {
            DevicePlan::Cpu { plan, .. } => plan.set_table(input, table),
            DevicePlan::Gpu { device, plan, .. } => plan.set_table(&device.gpu, input, table),
        }
    }

    /// Writes numbers to the start of the result buffer, for probes that read them, and grows it to `capacity` numbers.
    pub fn write_results(&mut self, numbers: &[f32], capacity: u64) -> Result<(), Error> {
        match self {
            DevicePlan::Cpu { plan, .. } => plan.write_results(numbers, capacity),
            DevicePlan::Gpu { device, plan, .. } => {
                plan.write_results(&device.gpu, numbers, capacity);
                Ok(())
            }
        }
    }

    /// Runs the plan, then the probes. Returns the numbers read back, and the count of dispatches (of ops on the CPU).
    pub async fn run(
        &mut self,
        states: Option<&mut States>,
        inputs: RunInputs,
        sizes: Sizes,
        reads: &Reads,
        cancel: &dyn Cancellation,
    ) -> Result<(ReadBack, usize), Error> {
        match self {
            DevicePlan::Cpu { weights, plan } => {
                plan.run(weights, cpu_states(states)?, inputs, sizes, reads, cancel).await
            }
            DevicePlan::Gpu { device, weights, plan } => {
                let resources = resources(device, weights, states.as_deref())?;
                plan.run(resources, &inputs, sizes, reads).await
            }
        }
    }

    /// Runs probes about the last run.
    pub async fn probe(
        &mut self,
        states: Option<&mut States>,
        sizes: Sizes,
        reads: &Reads,
        cancel: &dyn Cancellation,
    ) -> Result<ReadBack, Error> {
        match self {
            DevicePlan::Cpu { weights, plan } => plan.probe(weights, cpu_states(states)?, sizes, reads, cancel).await,
            DevicePlan::Gpu { device, weights, plan } => {
                let resources = resources(device, weights, states.as_deref())?;
                plan.probe(resources, sizes, reads).await
            }
        }
    }

    /// Creates the pipelines and bind groups of the probes and room for `results` numbers, so that asking them later creates nothing.
    pub fn prepare(&mut self, states: Option<&States>, probes: &Reads, results: u64) -> Result<(), Error> {
        let DevicePlan::Gpu { device, weights, plan } = self else { return Ok(()) };
        let resources = resources(device, weights, states)?;
        plan.prepare(&resources, probes.probes(), results).map(|_| ())
    }

    /// Submits probes on a GPU and returns the result buffer, without reading it back; `None` on the CPU.
    pub fn submit_probes(
        &mut self,
        states: Option<&States>,
        sizes: Sizes,
        probes: &Reads,
        results: u64,
    ) -> Result<Option<wgpu::Buffer>, Error> {
        let DevicePlan::Gpu { device, weights, plan } = self else { return Ok(None) };
        let resources = resources(device, weights, states)?;
        plan.submit_probes(&resources, sizes, probes.probes(), results).cloned().map(Some)
    }

    /// Submits a run without waiting for it, on a GPU only; [`DevicePlan::finish_in_flight`] reads it from the same `slot`. An empty input
    /// keeps its numbers of earlier runs. Returns the count of dispatches.
    pub fn submit_in_flight(
        &mut self,
        states: &States,
        inputs: &RunInputs,
        sizes: Sizes,
        reads: &Reads,
        slot: usize,
    ) -> Result<usize, Error> {
        let DevicePlan::Gpu { device, weights, plan } = self else { return Err(other_device()) };
        let resources = resources(device, weights, Some(states))?;
        plan.submit(&resources, inputs, sizes, reads, slot)
    }

    /// Waits for the run in a slot, and returns the numbers read back.
    pub async fn finish_in_flight(&mut self, slot: usize) -> Result<ReadBack, Error> {
        let DevicePlan::Gpu { device, plan, .. } = self else { return Err(other_device()) };
        plan.finish(&device.gpu, slot).await
    }
}

fn cpu_states(states: Option<&mut States>) -> Result<Option<&mut CpuStates>, Error> {
    match states {
        None => Ok(None),
        Some(States::Cpu(states)) => Ok(Some(states)),
        Some(States::Gpu { .. }) => Err(other_device()),
    }
}

fn resources<'a>(
    device: &'a GpuDevice,
    weights: &'a GpuWeights,
    states: Option<&'a States>,
) -> Result<Resources<'a>, Error> {
    match states {
        None => Ok(Resources { device, weights, states: None }),
        Some(States::Gpu { states, .. }) => Ok(Resources { device, weights, states: Some(states) }),
        Some(States::Cpu(_)) => Err(other_device()),
    }
}

fn other_device() -> Error {
    Error::Internal { reason: "a plan and its states are on different devices".into() }
}
