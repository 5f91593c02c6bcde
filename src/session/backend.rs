//! A model's weights on their backend, with the plans laid out there and the states of its sequences.

use super::device::GpuDevice;
use crate::backend::cpu::{CpuPlan, CpuStates, CpuWeights};
use crate::backend::gpu::{Gpu, GpuPlan, GpuStates, GpuWeights, On};
use crate::backend::{Pace, Read, RunInputs, Stretch};
use crate::error::Error;
use crate::kernels::WeightData;
use crate::plan::{Finished, Input, Op, Sizes, State};
use std::rc::Rc;

/// A plan that is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlanId(usize);

/// The states of one sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StatesId(usize);

/// One backend, with everything of a model that lies on it.
pub enum Backend {
    Cpu { weights: CpuWeights, plans: Held<CpuPlan>, states: Held<CpuStates> },
    Gpu { device: Rc<GpuDevice>, weights: GpuWeights, plans: Held<GpuPlan>, states: Held<GpuStates> },
}

/// Things by number; a number is never used twice. There are few: a list is searched as quickly as a map.
pub struct Held<T> {
    things: Vec<(usize, T)>,
    next: usize,
}

impl<T> Default for Held<T> {
    fn default() -> Self {
        Self { things: Vec::new(), next: 0 }
    }
}

impl<T> Held<T> {
    fn add(&mut self, thing: T) -> usize {
        self.next += 1;
        self.things.push((self.next, thing));
        self.next
    }

    fn at(&self, number: usize) -> Result<usize, Error> {
        self.things.iter().position(|(held, _)| *held == number).ok_or_else(gone)
    }

    fn get(&self, number: usize) -> Result<&T, Error> {
        self.at(number).map(|at| &self.things[at].1)
    }

    fn get_mut(&mut self, number: usize) -> Result<&mut T, Error> {
        self.at(number).map(|at| &mut self.things[at].1)
    }

    /// Takes a thing out, where it is there.
    fn take(&mut self, number: usize) -> Result<T, Error> {
        self.at(number).map(|at| self.things.swap_remove(at).1)
    }

    fn all(&self) -> impl Iterator<Item = &T> {
        self.things.iter().map(|(_, thing)| thing)
    }
}

fn gone() -> Error {
    Error::InvalidInput { reason: "this sequence or plan has been given back".into() }
}

/// Questions about a run, how many numbers they answer with, and what is read back.
pub struct Asked<'a> {
    pub questions: &'a [Box<dyn Op>],
    pub numbers: u64,
    pub reads: &'a [Read],
}

impl Backend {
    pub fn on_cpu(weights: CpuWeights) -> Self {
        Backend::Cpu { weights, plans: Held::default(), states: Held::default() }
    }

    pub fn on_gpu(device: Rc<GpuDevice>, weights: GpuWeights) -> Self {
        Backend::Gpu { device, weights, plans: Held::default(), states: Held::default() }
    }

    /// The GPU that it is on.
    pub fn gpu(&self) -> Option<&Gpu> {
        match self {
            Backend::Cpu { .. } => None,
            Backend::Gpu { device, .. } => Some(&device.gpu),
        }
    }

    /// The GPU with its pipelines.
    pub fn device(&self) -> Option<Rc<GpuDevice>> {
        match self {
            Backend::Cpu { .. } => None,
            Backend::Gpu { device, .. } => Some(Rc::clone(device)),
        }
    }

    /// Buffers, bind groups and pipelines created on its device so far.
    pub fn created(&self) -> u64 {
        self.gpu().map_or(0, Gpu::created)
    }

    /// Bytes of weights, plans and states.
    pub fn bytes(&self) -> u64 {
        match self {
            Backend::Cpu { weights, plans, states } => {
                weights.iter().map(WeightData::bytes).sum::<u64>()
                    + plans.all().map(CpuPlan::bytes).sum::<u64>()
                    + states.all().map(CpuStates::bytes).sum::<u64>()
            }
            Backend::Gpu { weights, plans, states, .. } => {
                weights.bytes()
                    + plans.all().map(GpuPlan::bytes).sum::<u64>()
                    + states.all().map(GpuStates::bytes).sum::<u64>()
            }
        }
    }

    /// Lays a plan out. read_back, answer: numbers that one run reads and questions answer, as a start.
    ///
    /// # Errors
    /// No room for it; a lost device.
    pub async fn lay_out(&mut self, plan: Finished, read_back: u64, answer: u64) -> Result<PlanId, Error> {
        let number = match self {
            Backend::Cpu { plans, .. } => plans.add(CpuPlan::new(plan, answer)?),
            Backend::Gpu { device, plans, .. } => {
                plans.add(GpuPlan::new(&device.gpu, &device.pipelines, plan, read_back, answer).await?)
            }
        };
        Ok(PlanId(number))
    }

    /// Gives a plan's memory back.
    pub fn drop_plan(&mut self, plan: PlanId) {
        match self {
            Backend::Cpu { plans, .. } => drop(plans.take(plan.0)),
            Backend::Gpu { plans, .. } => drop(plans.take(plan.0)),
        }
    }

    /// # Errors
    /// The plan has been given back.
    pub fn plan(&self, plan: PlanId) -> Result<&Finished, Error> {
        match self {
            Backend::Cpu { plans, .. } => plans.get(plan.0).map(CpuPlan::plan),
            Backend::Gpu { plans, .. } => plans.get(plan.0).map(GpuPlan::plan),
        }
    }

    /// States of zeros, for a batch and contexts of these sizes.
    ///
    /// # Errors
    /// No room for them; a lost device.
    pub async fn new_states(&mut self, shapes: &[State], sizes: Sizes) -> Result<StatesId, Error> {
        let number = match self {
            Backend::Cpu { states, .. } => states.add(CpuStates::new(shapes, sizes)?),
            Backend::Gpu { device, states, .. } => states.add(GpuStates::new(&device.gpu, shapes, sizes).await?),
        };
        Ok(StatesId(number))
    }

    /// Copies stretches of states from one to another.
    ///
    /// # Errors
    /// One of them has been given back; on the CPU, both are the same.
    pub fn copy_states(&mut self, [from, to]: [StatesId; 2], stretches: &[Stretch]) -> Result<(), Error> {
        match self {
            Backend::Cpu { states, .. } => {
                let source = states.take(from.0)?;
                let copied = states.get_mut(to.0).map(|target| target.copy_from(&source, stretches));
                states.things.push((from.0, source));
                copied
            }
            Backend::Gpu { device, states, .. } => {
                let (source, target) = (states.get(from.0)?, states.get(to.0)?);
                target.copy_from(&device.gpu, source, stretches);
                Ok(())
            }
        }
    }

    /// Gives the memory of states back.
    pub fn drop_states(&mut self, id: StatesId) {
        match self {
            Backend::Cpu { states, .. } => drop(states.take(id.0)),
            Backend::Gpu { states, .. } => drop(states.take(id.0)),
        }
    }

    /// table: (keys, head_size / 2, 2) of cos, sin.
    ///
    /// # Errors
    /// The plan has been given back.
    pub fn set_table(&mut self, plan: PlanId, input: Input, table: &[f32]) -> Result<(), Error> {
        match self {
            Backend::Cpu { plans, .. } => plans.get_mut(plan.0)?.set_table(input, table),
            Backend::Gpu { device, plans, .. } => plans.get_mut(plan.0)?.set_table(&device.gpu, input, table),
        }
        Ok(())
    }

    /// Puts numbers that questions about a plan's last run read where their answer begins, which takes `room`.
    ///
    /// # Errors
    /// The plan has been given back; no room.
    pub fn give(&mut self, plan: PlanId, numbers: &[f32], room: u64) -> Result<(), Error> {
        match self {
            Backend::Cpu { plans, .. } => plans.get_mut(plan.0)?.give(numbers, room),
            Backend::Gpu { device, plans, .. } => {
                plans.get_mut(plan.0)?.give(&device.gpu, numbers, room);
                Ok(())
            }
        }
    }

    /// Runs a plan, then questions. Returns what was read, and the dispatches (ops on the CPU).
    ///
    /// # Errors
    /// [`Error::Overtaken`]; a lost device.
    pub async fn run(
        &mut self,
        (plan, on): (PlanId, Option<StatesId>),
        inputs: RunInputs,
        sizes: Sizes,
        asked: Asked<'_>,
        pace: &dyn Pace,
    ) -> Result<(Vec<Vec<f32>>, usize), Error> {
        match self {
            Backend::Cpu { weights, plans, states } => {
                let plan = plans.get_mut(plan.0)?;
                let mut none = CpuStates::default();
                let states = on.map_or(Ok(&mut none), |id| states.get_mut(id.0))?;
                let ran = plan.run(weights, states, inputs, sizes, pace).await?;
                plan.ask(weights, states, asked.questions, asked.numbers, sizes, pace).await?;
                Ok((plan.read(asked.reads), ran + asked.questions.len()))
            }
            Backend::Gpu { device, weights, plans, states } => {
                let none = GpuStates::default();
                let states = on.map_or(Ok(&none), |id| states.get(id.0))?;
                let on = On { gpu: &device.gpu, weights, states };
                let questions = (asked.questions, asked.numbers);
                plans.get_mut(plan.0)?.run(on, &device.pipelines, &inputs, sizes, questions, asked.reads).await
            }
        }
    }

    /// Sends a run on its way to a berth, on the GPU only. An input that is empty stays as the runs before left it. Returns the
    /// dispatches.
    ///
    /// # Errors
    /// The plan or the states have been given back; a lost device.
    pub fn send(
        &mut self,
        (plan, on): (PlanId, StatesId),
        inputs: &RunInputs,
        sizes: Sizes,
        asked: Asked<'_>,
        berth: usize,
    ) -> Result<usize, Error> {
        let Backend::Gpu { device, weights, plans, states } = self else { return Err(gone()) };
        let on = On { gpu: &device.gpu, weights, states: states.get(on.0)? };
        let questions = (asked.questions, asked.numbers);
        plans.get_mut(plan.0)?.send(on, &device.pipelines, inputs, sizes, questions, asked.reads, berth)
    }

    /// What the last run that was sent to a berth reads back, once it has run.
    ///
    /// # Errors
    /// The plan has been given back; a lost device.
    pub async fn arrived(&mut self, plan: PlanId, berth: usize) -> Result<Vec<Vec<f32>>, Error> {
        let Backend::Gpu { device, plans, .. } = self else { return Err(gone()) };
        plans.get_mut(plan.0)?.arrived(&device.gpu, berth).await
    }

    /// Asks about the last run of a plan.
    ///
    /// # Errors
    /// [`Error::Overtaken`]; a lost device.
    pub async fn ask(
        &mut self,
        (plan, on): (PlanId, Option<StatesId>),
        sizes: Sizes,
        asked: Asked<'_>,
        pace: &dyn Pace,
    ) -> Result<Vec<Vec<f32>>, Error> {
        match self {
            Backend::Cpu { weights, plans, states } => {
                let plan = plans.get_mut(plan.0)?;
                let mut none = CpuStates::default();
                let states = on.map_or(Ok(&mut none), |id| states.get_mut(id.0))?;
                plan.ask(weights, states, asked.questions, asked.numbers, sizes, pace).await?;
                Ok(plan.read(asked.reads))
            }
            Backend::Gpu { device, weights, plans, states } => {
                let none = GpuStates::default();
                let states = on.map_or(Ok(&none), |id| states.get(id.0))?;
                let on = On { gpu: &device.gpu, weights, states };
                let questions = (asked.questions, asked.numbers);
                plans.get_mut(plan.0)?.ask(on, &device.pipelines, sizes, questions, asked.reads).await
            }
        }
    }

    /// Makes what questions about a plan's runs need, with room for `numbers`, so that asking them creates nothing.
    ///
    /// # Errors
    /// The plan or the states have been given back; a weight that is not whole.
    pub fn prepare(
        &mut self,
        (plan, on): (PlanId, Option<StatesId>),
        questions: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<(), Error> {
        let Backend::Gpu { device, weights, plans, states } = self else { return Ok(()) };
        let none = GpuStates::default();
        let states = on.map_or(Ok(&none), |id| states.get(id.0))?;
        let on = On { gpu: &device.gpu, weights, states };
        plans.get_mut(plan.0)?.prepare(&on, &device.pipelines, questions, numbers).map(|_| ())
    }

    /// The same on a GPU, and leaves the answer where it lies; `None` on the CPU.
    ///
    /// # Errors
    /// No room for it; a lost device.
    pub fn answer(
        &mut self,
        (plan, on): (PlanId, Option<StatesId>),
        sizes: Sizes,
        questions: &[Box<dyn Op>],
        numbers: u64,
    ) -> Result<Option<&wgpu::Buffer>, Error> {
        let Backend::Gpu { device, weights, plans, states } = self else { return Ok(None) };
        let none = GpuStates::default();
        let states = on.map_or(Ok(&none), |id| states.get(id.0))?;
        let on = On { gpu: &device.gpu, weights, states };
        plans.get_mut(plan.0)?.answer(on, &device.pipelines, sizes, (questions, numbers)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{BackendChoice, Device};

    #[test]
    fn states_that_were_given_back_are_not_copied() {
        let Ok(Device::Gpu(device)) = pollster::block_on(Device::open(BackendChoice::Gpu)) else {
            panic!("a Vulkan adapter")
        };
        let weights = pollster::block_on(GpuWeights::new(&device.gpu, &[])).unwrap();
        for mut backend in [Backend::on_cpu(Vec::new()), Backend::on_gpu(device, weights)] {
            let [one, other] = [(); 2].map(|()| pollster::block_on(backend.new_states(&[], Sizes::default())).unwrap());
            assert_eq!(backend.copy_states([one, other], &[]), Ok(()));
            backend.drop_states(other);
            assert_eq!(backend.copy_states([one, other], &[]), Err(gone()));
            assert_eq!(backend.copy_states([other, one], &[]), Err(gone()));
            // What was to be copied is still there.
            let another = pollster::block_on(backend.new_states(&[], Sizes::default())).unwrap();
            assert_eq!(backend.copy_states([one, another], &[]), Ok(()));
        }
    }
}
