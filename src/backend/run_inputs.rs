//! The inputs of one run.

use crate::plan::{Input, Parameter};

/// The inputs of one run, without padding: numbers of u32 or f32 each. [`Input`] documents their shapes; an input that was not set is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunInputs(Vec<(Input, Vec<u32>)>);

impl RunInputs {
    /// Sets an input to numbers of u32 or f32, as [`Input`] says.
    pub fn set<N: Parameter>(&mut self, input: Input, numbers: Vec<N>) {
        self.remove(input);
        self.0.push((input, bytemuck::cast_slice(&numbers).to_vec()));
    }

    pub fn remove(&mut self, input: Input) {
        self.0.retain(|(other, _)| *other != input);
    }

    /// An input of u32 numbers, or the bits of one of f32.
    pub fn indices(&self, input: Input) -> &[u32] {
        self.0.iter().find(|(other, _)| *other == input).map_or(&[], |(_, numbers)| numbers)
    }

    /// An input of f32 numbers.
    pub fn numbers(&self, input: Input) -> &[f32] {
        bytemuck::cast_slice(self.indices(input))
    }
}
