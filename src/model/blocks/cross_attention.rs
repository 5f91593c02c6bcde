//! Cross-attention: queries of the decoder's text, keys and values of the encoder's hidden states.

use super::attention::{append_to_state, statistics};
use crate::model::Facts;
use crate::ops::{Epilogue, LinearInput, LinearWeights};
use crate::plan::{Axis, HeadValues, Heads, Operand, Part, PlanBuilder, State, TapView, TensorName, Value, View};

/// The weights and settings of one layer's cross-attention.
#[derive(Clone, Copy)]
pub struct CrossAttention {
    pub query: LinearWeights,
    /// Key and value projection. Rows: key heads, then value heads.
    pub memory: LinearWeights,
    pub output: LinearWeights,
    pub heads: usize,
}

impl CrossAttention {
    /// Columns of a token's keys and values.
    fn width(&self) -> usize {
        self.memory.weight.rows
    }

    /// The keys and the values in rows with both side by side.
    fn key_and_value(&self, operand: Operand) -> [View; 2] {
        let (heads, stride) = (self.heads, self.width());
        let view = |first| View { operand, first, stride, heads, head_size: stride / 2 / heads };
        [view(0), view(stride / 2)]
    }

    /// Adds the states of the source's keys and values, one a layer. The plans of encoder and decoder both add them before any other
    /// state, so that they have the same indices.
    pub fn memories<'a>(plan: &mut PlanBuilder, layers: impl IntoIterator<Item = &'a Self>) -> Vec<State> {
        layers.into_iter().map(|cross| plan.state(Axis::Source, cross.width())).collect()
    }

    /// Computes keys and values of the source and writes them to `memory`. hidden: the encoder's output, (batch, length, hidden_size).
    pub fn write_memory(&self, plan: &mut PlanBuilder, layer: usize, hidden: Value, memory: State) {
        let projected = plan.linear(hidden, &self.memory, Epilogue::None);
        for (name, view) in [TensorName::Key, TensorName::Value].into_iter().zip(self.key_and_value(projected.into())) {
            let columns = TapView::Columns { value: projected, view, halves: 0 };
            plan.tap_at(name.at(layer).in_part(Part::Cross), columns);
        }
        plan.append_to_cache(View::full(projected, self.width()), memory);
    }

    /// The weighted sums of values of each token of the text, (batch, length, heads · head_size), before the output projection.
    /// x: (batch, length, hidden_size).
    pub fn head_outputs(
        &self,
        plan: &mut PlanBuilder,
        facts: &Facts,
        layer: usize,
        x: LinearInput,
        memory: State,
    ) -> Value {
        let Facts { heads, head_size, .. } = *facts;
        let width = heads * head_size;
        let projected = plan.linear(x, &self.query, Epilogue::None);
        let view = |operand: Operand, first, stride| View { operand, first, stride, heads, head_size };
        let query = view(projected.into(), 0, width);
        let site = |name: TensorName| name.at(layer).in_part(Part::Cross);
        plan.tap_at(site(TensorName::Query), TapView::Columns { value: projected, view: query, halves: 0 });
        let [key, value] = self.key_and_value(memory.into());
        // Probes read the queries of earlier runs, too.
        let reads_earlier = plan.options().has_cache && plan.options().keeps_heads;
        let probed_query = if reads_earlier { append_to_state(plan, projected, 0, width)(query) } else { query };
        let (statistics, scale) = (statistics(plan, heads, reads_earlier), facts.scale as f32);
        let (causal, window, table, max_distance) = (false, None, None, None);
        let heads = Heads { query, key, statistics, causal, window, scale, table, max_distance, linear: false };
        let output = (self.output.weight, plan.format(self.output.weight));
        let values = HeadValues { view: value, output, has_inverse_rotation: false };
        plan.add_heads(Part::Cross, Heads { query: probed_query, ..heads }, values);
        let head_outputs = plan.attention(heads, value);
        plan.tap_at(
            site(TensorName::Head),
            TapView::Columns { value: head_outputs, view: view(head_outputs.into(), 0, width), halves: 0 },
        );
        head_outputs
    }
}
