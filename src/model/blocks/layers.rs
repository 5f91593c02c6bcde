//! Linear layers and norms under the names of their tensors, and what every layer begins with.

use crate::ops::{LinearWeights, NormKind, NormWeights};
use crate::plan::{PlanBuilder, TapView, TensorName, Value};
use crate::weight_table::WeightTable;

/// Taps the input of a layer, and adds its prediction rows for the logit lens if the plan has one. hidden: (batch, length,
/// hidden_size).
pub fn enter_layer(plan: &mut PlanBuilder, layer: usize, hidden: Value) {
    plan.tap(TensorName::HiddenStates, layer, TapView::Value(hidden));
    if plan.options().has_lens {
        let rows = plan.gather(hidden);
        plan.add_lens_rows(rows);
    }
}

/// Declares a linear layer: `name.weight`, (columns, inner), and with `bias` also `name.bias`, (columns).
pub fn linear(table: &mut WeightTable, name: &str, columns: usize, inner: usize, bias: bool) -> LinearWeights {
    let weight = table.matrix(format!("{name}.weight"), columns, inner);
    let bias = bias.then(|| table.vector(format!("{name}.bias"), columns));
    LinearWeights { weight, bias }
}

/// Declares a LayerNorm: `name.weight` and `name.bias`, (width) each.
pub fn layer_norm(table: &mut WeightTable, name: &str, width: usize, epsilon: f32) -> NormWeights {
    layer_norm_but(table, name, width, epsilon, true)
}

/// Declares a LayerNorm, with a bias only if `shifts`.
pub fn layer_norm_but(table: &mut WeightTable, name: &str, width: usize, epsilon: f32, shifts: bool) -> NormWeights {
    let gain = Some(table.vector(format!("{name}.weight"), width));
    let shift = shifts.then(|| table.vector(format!("{name}.bias"), width));
    NormWeights { kind: NormKind::Layer, gain, shift, epsilon }
}
