//! Two backends that run the same plan: the CPU's walk and the GPU's compute pass.

pub mod cpu;
pub mod gpu;

use crate::plan::{Input, Phase, Sizes, Value};
use std::future::Future;
use std::pin::Pin;

/// What is written before a run; compact at its sizes. See [`Input`] for the shapes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunInputs {
    pub ids: Vec<u32>,
    pub token_types: Vec<u32>,
    pub key_mask: Vec<f32>,
    pub row_indices: Vec<u32>,
}

impl RunInputs {
    /// The words of an input, whatever their type; the rotary table is kept apart.
    fn bytes(&self, input: Input) -> &[u8] {
        match input {
            Input::Ids => bytemuck::cast_slice(&self.ids),
            Input::TokenTypes => bytemuck::cast_slice(&self.token_types),
            Input::KeyMask => bytemuck::cast_slice(&self.key_mask),
            Input::RowIndices => bytemuck::cast_slice(&self.row_indices),
            Input::RotaryTable => &[],
        }
    }
}

/// Numbers first .. first + count of a value, to be read back after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    pub value: Value,
    pub first: usize,
    pub count: usize,
}

/// Which steps of a plan run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    pub forward: bool,
    /// The chosen layer's selection steps, too.
    pub selection: bool,
}

impl Pass {
    fn includes(self, phase: Phase, sizes: Sizes) -> bool {
        match phase {
            Phase::Forward => self.forward,
            Phase::Selection { layer } => self.selection && layer == sizes.layer,
        }
    }
}

/// Lets others work while the CPU backend runs.
pub trait Pace {
    /// Whether it is time to pause.
    fn due(&self) -> bool;
    /// Pauses; false: stop the run, a newer one waits.
    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>>;
}

/// Runs without a pause: for native programs.
pub struct Unhurried;

impl Pace for Unhurried {
    fn due(&self) -> bool {
        false
    }

    fn pause(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(async { true })
    }
}
