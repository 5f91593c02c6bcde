//! Linear layers and norms under the names of their tensors.

use crate::ops::{LinearWeights, NormKind, NormWeights};
use crate::plan::Weight;
use crate::weight_table::{WeightPart, WeightTable};

/// Declares a linear layer: `name.weight`, (columns, inner), and with `bias` also `name.bias`, (columns).
pub fn linear(table: &mut WeightTable, name: &str, columns: usize, inner: usize, bias: bool) -> LinearWeights {
    linear_of_parts(table, columns, inner, bias, |part| vec![part(name, columns)])
}

/// Declares a linear layer whose weight, (columns, inner), and bias, (columns), consist of several tensors or have another row order.
/// parts: called for the weight and for the bias; `part(name, rows)` is the tensor of one linear layer.
pub fn linear_of_parts(
    table: &mut WeightTable,
    columns: usize,
    inner: usize,
    bias: bool,
    parts: impl Fn(&dyn Fn(&str, usize) -> WeightPart) -> Vec<WeightPart>,
) -> LinearWeights {
    let of_weight = parts(&|name, rows| WeightPart::new(format!("{name}.weight"), &[rows, inner]));
    let weight = table.weight(columns, inner, of_weight);
    let of_bias = || parts(&|name, rows| WeightPart::new(format!("{name}.bias"), &[rows]));
    LinearWeights { weight, bias: bias.then(|| table.weight(1, columns, of_bias())) }
}

/// Declares the weight of an output head. Tied, it is `word`, and a file may hold a copy under one of `names`; else the first of `names`
/// that the file has, (rows, columns).
pub fn output_weight(
    table: &mut WeightTable,
    names: impl Into<Vec<String>>,
    word: Weight,
    is_tied: bool,
    [rows, columns]: [usize; 2],
) -> Weight {
    if is_tied {
        table.tie(names, word);
        return word;
    }
    table.weight(rows, columns, vec![WeightPart::either(names, &[rows, columns])])
}

/// Declares a LayerNorm: `name.weight` and `name.bias`, (width) each.
pub fn layer_norm(table: &mut WeightTable, name: &str, width: usize, epsilon: f32) -> NormWeights {
    layer_norm_with_bias(table, name, width, epsilon, true)
}

/// Declares a LayerNorm, which has a bias only if `bias`.
pub fn layer_norm_with_bias(
    table: &mut WeightTable,
    name: &str,
    width: usize,
    epsilon: f32,
    bias: bool,
) -> NormWeights {
    let gain = Some(table.vector(format!("{name}.weight"), width));
    let shift = bias.then(|| table.vector(format!("{name}.bias"), width));
    NormWeights { kind: NormKind::Layer, gain, shift, epsilon }
}
