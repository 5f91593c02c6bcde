//! Feed-forward networks: down(activation(up x)), or gated (SwiGLU, GeGLU): down(activation(gate x) · up x).

use super::{linear, linear_of_parts};
use crate::kernels::Activation;
use crate::model::Facts;
use crate::ops::{Epilogue, LinearInput, LinearWeights};
use crate::plan::{PlanBuilder, TapView, TensorName, Value};
use crate::weight_table::{RowOrder, WeightTable};

pub struct FeedForward {
    /// If the network is gated, its rows are those of gate and up in turn.
    pub up: LinearWeights,
    pub down: LinearWeights,
    pub activation: Activation,
    pub is_gated: bool,
}

impl FeedForward {
    /// Declares down(activation(up x)) under the names of up and down.
    pub fn new(
        table: &mut WeightTable,
        [up, down]: [String; 2],
        facts: &Facts,
        bias: bool,
        activation: Activation,
    ) -> Self {
        let (hidden, inner) = (facts.hidden_size, facts.intermediate_size);
        Self {
            up: linear(table, &up, inner, hidden, bias),
            down: linear(table, &down, hidden, inner, bias),
            activation,
            is_gated: false,
        }
    }

    /// Declares down(activation(gate x) · up x) under the names of gate, up and down.
    pub fn gated(
        table: &mut WeightTable,
        [gate, up, down]: [String; 3],
        facts: &Facts,
        bias: bool,
        activation: Activation,
    ) -> Self {
        let (hidden, inner) = (facts.hidden_size, facts.intermediate_size);
        let interleaved = |with| RowOrder::Interleaved { with, of: 2 };
        let up = linear_of_parts(table, 2 * inner, hidden, bias, |part| {
            vec![part(&gate, inner).ordered(interleaved(0)), part(&up, inner).ordered(interleaved(1))]
        });
        Self { up, down: linear(table, &down, hidden, inner, bias), activation, is_gated: true }
    }

    /// Records the network up to what its last linear layer, `down`, reads: (batch, length, intermediate_size). x: (batch, length, hidden_size).
    /// A product fuses its activation and gate, so that what is tapped in between is computed once more.
    pub fn record(&self, plan: &mut PlanBuilder, layer: usize, x: LinearInput) -> Value {
        if [TensorName::FeedForwardInner, TensorName::FeedForwardGate].iter().any(|name| plan.has_tap(*name, layer)) {
            let product = plan.linear(x, &self.up, Epilogue::None);
            if self.is_gated {
                plan.tap(TensorName::FeedForwardGate, layer, TapView::EverySecond { value: product, first: 0 });
                plan.tap(TensorName::FeedForwardInner, layer, TapView::EverySecond { value: product, first: 1 });
            } else {
                plan.tap(TensorName::FeedForwardInner, layer, TapView::Value(product));
            }
        }
        let activate = Epilogue::Activate(self.activation);
        if !self.is_gated {
            let activated = plan.linear(x, &self.up, activate);
            plan.tap(TensorName::FeedForwardActivated, layer, TapView::Value(activated));
            return plan.replace_and_tap(TensorName::FeedForward, layer, activated);
        }
        if plan.has_tap(TensorName::FeedForwardActivated, layer) {
            let activated = plan.linear(x, &self.up, activate);
            plan.tap(TensorName::FeedForwardActivated, layer, TapView::EverySecond { value: activated, first: 0 });
        }
        let gated = plan.linear(x, &self.up, Epilogue::Gate(self.activation));
        plan.replace_and_tap(TensorName::FeedForward, layer, gated)
    }
}
