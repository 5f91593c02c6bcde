//! Feed-forward networks: down(activation(up x)), or gated (SwiGLU, GeGLU): down(activation(gate x) · up x).

use super::{linear, linear_of_parts};
use crate::kernels::Activation;
use crate::model::Facts;
use crate::ops::{Epilogue, LinearInput, LinearWeights};
use crate::plan::{PlanBuilder, Value};
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

    /// x: (batch, length, hidden_size). epilogue: of the last linear layer.
    pub fn record(&self, plan: &mut PlanBuilder, x: LinearInput, epilogue: Epilogue) -> Value {
        let activate =
            if self.is_gated { Epilogue::Gate(self.activation) } else { Epilogue::Activate(self.activation) };
        let inner = plan.linear(x, &self.up, activate);
        plan.linear(inner, &self.down, epilogue)
    }
}
