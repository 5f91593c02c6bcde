//! A decoder's attention to a source: queries of its text, keys and values of what the encoder makes of the source.

use crate::ops::{Epilogue, LinearWeights};
use crate::plan::{Heads, Operand, Part, Plan, Shape, State, Value, View, Weighed};

/// Query projection, key and value projection in one, output projection, and what the scores are made with.
pub struct CrossAttention {
    pub query: LinearWeights,
    /// Rows: key heads, value heads.
    pub memory: LinearWeights,
    pub output: LinearWeights,
    pub heads: usize,
    pub head_size: usize,
    pub scale: f32,
}

impl CrossAttention {
    /// Numbers of a token of the source: its keys and values.
    fn width(&self) -> usize {
        2 * self.heads * self.head_size
    }

    /// A place for the source's keys and values. Encoder and decoder declare those of all layers before any other state, in the
    /// order of the layers.
    pub fn memory(&self, plan: &mut Plan) -> State {
        plan.source_state(self.width())
    }

    /// Puts keys and values of the source there. hidden: (batch, length, hidden_size), as the encoder makes it.
    pub fn remember(&self, plan: &mut Plan, hidden: Value, memory: State) {
        let projected = plan.linear(hidden, &self.memory, Epilogue::None);
        plan.append_to_cache(View::whole(projected, self.width()), memory);
    }

    /// Context of each token of the text, (batch, length, heads · head_size), before the output projection. x: (batch, length,
    /// hidden_size).
    pub fn context(&self, plan: &mut Plan, x: Value, memory: State) -> Value {
        let Self { heads, head_size, scale, .. } = *self;
        let width = heads * head_size;
        let projected = plan.linear(x, &self.query, Epilogue::None);
        let view = |of: Operand, first, stride| View { of, first, stride, heads, head_size };
        let query = view(projected.into(), 0, width);
        let (key, value) = (view(memory.into(), 0, 2 * width), view(memory.into(), width, 2 * width));
        let (query_kept, statistics): (View, Operand) = match plan.is_cached() && plan.keeps_heads() {
            // Whoever looks at heads later needs the queries of earlier runs, too.
            true => {
                let state = plan.state(width);
                plan.append_to_cache(View::whole(projected, width), state);
                (View { of: state.into(), ..query }, plan.state(2 * heads).into())
            }
            false => (query, plan.value(Shape::tokens(2 * heads)).into()),
        };
        let (causal, window, table, reach) = (false, None, None, None);
        let of = Heads { query, key, statistics, causal, window, scale, table, reach, linear: false };
        let output = (self.output.weight, plan.format(self.output.weight));
        let weighed = Weighed { value, output, turned_back: false };
        plan.layer_heads(Part::Cross, Heads { query: query_kept, ..of }, weighed);
        plan.attention(of, value)
    }
}
