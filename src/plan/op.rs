//! The interface of ops: operands, CPU kernel, and GPU dispatches as data.

use super::{Derivation, Input, Operand, Parameter, ParameterType, Sizes, State, Use, Value, Weight};
use crate::kernels::WeightView;
use crate::shaders;
use std::ops::Range;

/// One compute pipeline. Its entry point is `main`.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// A file in `shaders/`: `folder/file`, without `.wgsl`.
    pub shader: &'static str,
    /// The shader's `#if` conditions that hold.
    pub conditions: Vec<&'static str>,
    /// The shader's override constants.
    pub constants: Vec<(&'static str, f64)>,
}

impl Kernel {
    pub fn new(shader: &'static str) -> Self {
        Self { shader, conditions: Vec::new(), constants: Vec::new() }
    }

    /// Sets a condition of the shader if it holds.
    pub fn when(mut self, condition: &'static str, holds: bool) -> Self {
        self.conditions.extend(holds.then_some(condition));
        self
    }

    /// Sets an override constant.
    pub fn set(mut self, constant: &'static str, value: impl Into<f64>) -> Self {
        self.constants.push((constant, value.into()));
        self
    }

    /// Its WGSL. In the browser it needs the text of the shaders (`giveShaders`).
    pub fn wgsl(&self) -> String {
        shaders::resolve(self.shader, &self.conditions)
    }
}

/// Invocations of a workgroup in most shaders, which use the same name.
pub const WORKGROUP: usize = 64;

/// Workgroups and parameters of a dispatch in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// A zero skips the dispatch.
    pub workgroups: [u32; 3],
    /// The op's parameters, up to [`Launch::PARAMETERS`] words.
    pub parameters: Vec<u32>,
    /// The type of the parameters. A test compares it with the shader's.
    pub parameter_type: ParameterType,
}

impl Launch {
    /// Words of the uniform buffer binding of every kernel.
    pub const PARAMETERS: usize = 32;

    /// A workgroup for each of `count` items.
    pub fn new<P: Parameter>(count: usize, parameters: P) -> Self {
        Self {
            workgroups: grid(count),
            parameters: bytemuck::cast_slice(&[parameters]).to_vec(),
            parameter_type: P::TYPE,
        }
    }

    /// An invocation for each of `elements`, in workgroups of [`WORKGROUP`].
    pub fn for_elements<P: Parameter>(elements: usize, parameters: P) -> Self {
        Self::new(elements.div_ceil(WORKGROUP), parameters)
    }

    /// The u32 parameter with this name.
    pub fn parameter(&self, name: &str) -> Option<u32> {
        self.parameters.get(self.parameter_type.offset_of(name)? / 4).copied()
    }
}

/// Workgroups in a row of a [`grid`], as `shaders/shared/group.wgsl` counts them.
const GRID_COLUMNS: usize = 32_768;

/// A workgroup for each of `count` items, in two dimensions if one would exceed WebGPU's limit of 65,535.
pub fn grid(count: usize) -> [u32; 3] {
    let columns = count.min(GRID_COLUMNS);
    let rows = if columns == 0 { 0 } else { count.div_ceil(columns) };
    [columns as u32, rows as u32, 1]
}

/// The operands that a CPU kernel reads.
pub trait Inputs {
    /// A value, compact at the sizes of the run.
    fn value(&self, value: Value) -> &[f32];
    /// A state's numbers: (batch, context, width).
    fn state(&self, state: State) -> &[f32];
    /// (rows, columns) row-major, of a weight that is never quantised.
    fn weight(&self, weight: Weight) -> &[f32];
    /// (rows, columns) row-major, in its storage format.
    fn matrix(&self, weight: Weight) -> WeightView<'_>;
    /// Ids, token types, positions, row indices, labels or seen ids.
    fn indices(&self, input: Input) -> &[u32];
    /// Key mask, rotary table or penalty.
    fn numbers(&self, input: Input) -> &[f32];

    /// The f32 numbers of an operand; empty for the result buffer, which no CPU kernel reads as an operand.
    fn of(&self, operand: Operand) -> &[f32] {
        match operand {
            Operand::Value(value) => self.value(value),
            Operand::State(state) => self.state(state),
            Operand::Weight(weight) => self.weight(weight),
            Operand::Input(input) => self.numbers(input),
            Operand::Results | Operand::Nothing => &[],
        }
    }
}

/// An op of a plan. Its shader and its CPU kernel compute the same, and its derivation says the same of one number.
pub trait Op: Send + Sync {
    /// Its operands in the order and by the names of the shader's storage bindings; the parameters (a uniform) have the binding after the
    /// last.
    fn uses(&self) -> Vec<Use>;
    /// The shader with its conditions and constants.
    fn kernel(&self) -> Kernel;
    /// The name of its shader, `folder/file`, or `file` where both are the same.
    fn name(&self) -> &'static str {
        let shader = self.kernel().shader;
        shader.split_once('/').filter(|(folder, file)| folder == file).map_or(shader, |(_, file)| file)
    }
    /// The weight that may be split by rows if it is too large for a binding. Each slice has a dispatch of its own.
    fn split(&self) -> Option<Weight> {
        None
    }
    /// The dispatch for these rows of the weight of [`Op::split`].
    fn launch(&self, rows: Range<usize>, sizes: Sizes) -> Launch;
    /// The chunks of the CPU kernel at these sizes.
    fn chunks(&self, _sizes: Sizes) -> Chunks {
        Chunks { count: 1, work: 1 }
    }
    /// Computes some chunks of the CPU kernel. outputs: a slice for each written operand, in the order of [`Op::uses`]. A value has the
    /// numbers of `sizes`, a state all numbers of its context. Ops that join the slices of split work have none: the unsplit op is their
    /// reference.
    fn run(&self, _chunks: Range<usize>, _inputs: &dyn Inputs, _outputs: &mut [&mut [f32]], _sizes: Sizes) {
        unreachable!("{} runs on a GPU only", self.name());
    }
    /// How one number of a value that it writes follows from what it reads; `None` for an op that records no tensor of a plain forward pass: of a
    /// cache, of most interventions, of split work, of results. row: of all tokens of the batch.
    fn derive(&self, _value: Value, _row: usize, _column: usize) -> Option<Derivation> {
        None
    }
}

/// The chunks of a CPU kernel, which are computed in order. Between two of them a run can pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunks {
    pub count: usize,
    /// The approximate number of multiplications of a chunk.
    pub work: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_a_workgroup_for_each_item() {
        assert_eq!(grid(0), [0, 0, 1]);
        for count in [1, 2, 32_767, 32_768, 32_769, 65_535, 65_536, 1_000_000, 50_000_000] {
            let [x, y, z] = grid(count);
            assert!(x <= 65_535 && y <= 65_535 && z == 1, "{count}: more than WebGPU takes");
            let workgroups = x as usize * y as usize;
            assert!(workgroups >= count && workgroups - count < 32_768, "{count}: {workgroups} workgroups");
        }
    }

    #[test]
    fn shaders_count_the_workgroups_of_a_row_as_the_grid_does() {
        let shader = include_str!("../../shaders/shared/group.wgsl");
        assert!(shader.contains(&format!("const GRID_COLUMNS: u32 = {GRID_COLUMNS}u;")));
    }
}
