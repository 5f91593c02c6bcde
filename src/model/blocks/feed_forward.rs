//! Feed-forward networks: up, activation, down; or a gate and an up projection whose product goes down (SwiGLU).

use super::linear;
use crate::kernels::Activation;
use crate::ops::{Epilogue, LinearInput, LinearWeights};
use crate::plan::{PlanBuilder, Value};
use crate::weight_table::{RowOrder, WeightPart, WeightTable};

/// The weights of one network.
pub struct FeedForward {
    /// Of a gated network: rows of gate and up, one after the other in turn.
    pub up: LinearWeights,
    pub down: LinearWeights,
    pub activation: Activation,
    pub gated: bool,
}

impl FeedForward {
    /// down(activation(gate x) · up x), as Llama has it. names: of gate, up and down; biases where `bias` says so.
    pub fn gated(
        table: &mut WeightTable,
        [gate, up, down]: [&str; 3],
        hidden: usize,
        inner: usize,
        bias: bool,
        activation: Activation,
    ) -> Self {
        let part = |name: &str, end: &str, shape: &[usize], with| {
            WeightPart::new(format!("{name}.{end}"), shape).ordered(RowOrder::Interleaved { with, of: 2 })
        };
        let parts = |end: &str, shape: &[usize]| vec![part(gate, end, shape, 0), part(up, end, shape, 1)];
        let weight = table.weight(2 * inner, hidden, parts("weight", &[inner, hidden]));
        let bias_of_up = bias.then(|| table.weight(1, 2 * inner, parts("bias", &[inner])));
        let up = LinearWeights { weight, bias: bias_of_up };
        Self { up, down: linear(table, down, hidden, inner, bias), activation, gated: true }
    }

    /// `then` of down(activation(up x)). x: (batch, length, hidden_size).
    pub fn record(&self, plan: &mut PlanBuilder, x: LinearInput, then: Epilogue) -> Value {
        let epilogue = if self.gated { Epilogue::Gate(self.activation) } else { Epilogue::Activate(self.activation) };
        let inner = plan.linear(x, &self.up, epilogue);
        plan.linear(inner, &self.down, then)
    }
}
