//! Linear layers and norms under the names of their tensors, and what every layer begins with.

use crate::ops::{LinearWeights, NormKind, NormWeights};
use crate::plan::{Plan, TapView, TensorName, Value};
use crate::weight_table::WeightTable;

/// Aliases what enters a layer, and keeps its prediction rows where the output head is to look at them. hidden: (batch, length,
/// hidden_size).
pub fn enter_layer(plan: &mut Plan, layer: usize, hidden: Value) {
    plan.tap(TensorName::HiddenStates, layer, TapView::Whole(hidden));
    if plan.has_lens() {
        let rows = plan.gather(hidden);
        plan.keep_layer_rows(rows);
    }
}

/// weight: (columns, inner), and bias: (columns) where there is one, under `name`.
pub fn linear(table: &mut WeightTable, name: &str, columns: usize, inner: usize, bias: bool) -> LinearWeights {
    let weight = table.matrix(format!("{name}.weight"), columns, inner);
    let bias = bias.then(|| table.vector(format!("{name}.bias"), columns));
    LinearWeights { weight, bias }
}

/// A LayerNorm's gain and shift: (width) under `name`.
pub fn layer_norm(table: &mut WeightTable, name: &str, width: usize, epsilon: f32) -> NormWeights {
    layer_norm_but(table, name, width, epsilon, true)
}

/// The same, with a shift where it has one.
pub fn layer_norm_but(table: &mut WeightTable, name: &str, width: usize, epsilon: f32, shifts: bool) -> NormWeights {
    let gain = Some(table.vector(format!("{name}.weight"), width));
    let shift = shifts.then(|| table.vector(format!("{name}.bias"), width));
    NormWeights { kind: NormKind::Layer, gain, shift, epsilon }
}
