//! What a plan knows of an op: what it reads and writes, its CPU kernel, and its dispatches as data.

use super::{Shape, Sizes, Value, Weight};

/// When a step runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// In every run.
    Forward,
    /// Only where this layer is the chosen one; needs nothing but kept values.
    Selection { layer: usize },
}

/// Small inputs that are written before every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// u32 token ids (batch, length)
    Ids,
    /// u32 token type ids (batch, length)
    TokenTypes,
    /// f32 added to every score of a key (batch, length): 0, or f32::MIN where the attention mask is 0
    KeyMask,
    /// f32 cos and sin of position · θ_i (length, head_size / 2, 2), made in f64
    RotaryTable,
    /// u32 flattened positions sequence · length + position of the prediction rows (rows)
    RowIndices,
}

/// What is bound to a storage binding of a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    Value(Value),
    /// One part of a weight that is split by rows, see [`Weight::parts`].
    Weight {
        weight: Weight,
        part: usize,
    },
    Input(Input),
    /// Declared by the shader, not used by this variant of it.
    Unused,
}

/// How a shader declares a storage binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    Read,
    ReadWrite,
}

/// One compute pipeline: a shader's entry point with its override constants.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// File name in `shaders/`, without `.wgsl`.
    pub name: &'static str,
    pub source: &'static str,
    pub entry: &'static str,
    pub constants: Vec<(&'static str, f64)>,
    /// Storage bindings 0, 1, …; the parameters (a uniform) come after the last.
    pub accesses: &'static [Access],
}

/// One dispatch as data; its workgroups come from [`Op::launch`] when sizes are known.
#[derive(Debug, Clone)]
pub struct Dispatch {
    pub kernel: Kernel,
    pub bindings: Vec<Binding>,
}

/// Workgroups and parameters of a dispatch for one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// A zero means that there is nothing to do.
    pub workgroups: [u32; 3],
    /// Up to [`Launch::PARAMETERS`] words: u32, or f32 by their bits.
    pub parameters: Vec<u32>,
}

impl Launch {
    /// Words that the uniform of every kernel holds.
    pub const PARAMETERS: usize = 12;
}

/// A workgroup for each of `count` items, folded into two dimensions where one would pass WebGPU's 65,535.
pub fn grid(count: usize) -> [u32; 3] {
    const WIDTH: usize = 32_768;
    let columns = count.min(WIDTH);
    let rows = if columns == 0 { 0 } else { count.div_ceil(columns) };
    [columns as u32, rows as u32, 1]
}

/// What a CPU kernel reads.
pub trait Inputs {
    /// A value's numbers, compact at the sizes of the run.
    fn value(&self, value: Value) -> &[f32];
    /// (rows, columns) row-major.
    fn weight(&self, weight: Weight) -> &[f32];
    /// Ids, token types or row indices.
    fn indices(&self, input: Input) -> &[u32];
    /// Key mask or rotary table.
    fn numbers(&self, input: Input) -> &[f32];
}

/// An op of a plan. Its WGSL kernel and its CPU kernel compute the same.
pub trait Op: Send + Sync {
    fn name(&self) -> &'static str;
    fn reads(&self) -> Vec<Value>;
    fn writes(&self) -> Vec<Value>;
    /// CPU kernel. `outputs`: one slice for each of [`Op::writes`], compact at `sizes`.
    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], sizes: Sizes);
    /// GPU dispatches, where no binding may pass `binding_limit` bytes.
    fn dispatches(&self, binding_limit: u64) -> Vec<Dispatch>;
    /// Workgroups and parameters of dispatch `part`.
    fn launch(&self, part: usize, sizes: Sizes, binding_limit: u64) -> Launch;
}

impl Weight {
    /// Bytes of all its f32 numbers.
    pub fn bytes(&self) -> u64 {
        4 * self.rows as u64 * self.columns as u64
    }

    /// Row ranges, each at most `binding_limit` bytes, in the order of the rows; a row must not be larger than that. Parts
    /// start at even rows, since the outputs of two adjacent ones are rotated together.
    pub fn parts(&self, binding_limit: u64) -> Vec<std::ops::Range<usize>> {
        let fitting = (binding_limit / (4 * self.columns.max(1) as u64)).max(1) as usize;
        let rows_each = if fitting > 1 { fitting & !1 } else { 1 };
        (0..self.rows).step_by(rows_each).map(|first| first..(first + rows_each).min(self.rows)).collect()
    }
}

impl Shape {
    /// For error messages: (batch, length, 256).
    pub fn describe(self) -> String {
        match self {
            Shape::Tokens { width } => format!("(batch, length, {width})"),
            Shape::Rows { width } => format!("(rows, {width})"),
            Shape::Maps { heads } => format!("(batch, {heads}, length, length)"),
            Shape::Head { head_size } => format!("(2, length, {head_size})"),
        }
    }
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
    fn parts_cover_all_rows_within_the_limit() {
        for rows in [1, 2, 3, 5, 37, 64, 97] {
            for columns in [1, 3, 18, 64] {
                for limit in [256, 300, 777, 4096, 1 << 27] {
                    let parts = Weight { index: 0, rows, columns }.parts(limit);
                    let what = format!("({rows}, {columns}) in parts of {limit}: {parts:?}");
                    assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, rows), "{what}");
                    assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{what}");
                    assert!(parts.iter().all(|part| !part.is_empty()), "{what}");
                    assert!(parts.iter().all(|part| (4 * part.len() * columns) as u64 <= limit), "{what}");
                    // Two adjacent rows make the two outputs that are rotated together.
                    let torn = parts.iter().any(|part| !part.start.is_multiple_of(2));
                    assert!(!torn || limit < 8 * columns as u64, "{what}");
                }
            }
        }
    }
}
