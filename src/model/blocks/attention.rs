//! Self-attention, with rotated queries and keys where positions are not added to the embeddings, from hidden states to what is added
//! to them.

use crate::model::Attention;
use crate::ops::{
    Epilogue, HeadAblations, HeadNorms, InPlaceRotation, LinearAttentionInputs, LinearInput, LinearWeights, PairModes,
    Rotary,
};
use crate::plan::{Heads, Input, Operand, Plan, Shape, TapView, TensorName, Value, View, Weighed};
use crate::weight_table::{RowOrder, WeightPart, WeightTable};

/// Query, key and value projection in one, output projection, and what the scores are made with.
pub struct SelfAttention {
    /// Rows: query heads, key heads, value heads, pairs of each adjacent.
    pub projection: LinearWeights,
    pub output: LinearWeights,
    /// Of the whole model: tables for all layers are laid out by it.
    pub layers: usize,
    pub heads: usize,
    pub key_heads: usize,
    pub head_size: usize,
    /// None: queries and keys do not turn.
    pub rotary: Option<Rotary>,
    pub norms: Option<HeadNorms>,
    pub causal: bool,
    /// A query sees only keys that are nearer than this: the last so many, itself among them, or as many on either side.
    pub window: Option<usize>,
    pub scale: f32,
    pub attention: Attention,
    /// Dimensions of a head that Hugging Face pairs half of them apart: its order for taps; 0 where pairs are adjacent there, too.
    pub halves: usize,
}

/// Declares q, k and v under their names as one weight, with biases where there are any. halves: dimensions of each query and key
/// head whose two halves hold the pairs.
pub fn packed_projection(
    table: &mut WeightTable,
    names: [&str; 3],
    [heads, key_heads, head_size, inner]: [usize; 4],
    halves: usize,
    bias: bool,
) -> LinearWeights {
    let order = |heads| RowOrder::HalvesToPairs { heads, head_size, rotated: halves };
    let orders = [order(heads), order(key_heads), RowOrder::AsStored];
    let rows = [heads * head_size, key_heads * head_size, key_heads * head_size];
    let total = rows.iter().sum();
    let parts = |end: &str, columns: Option<usize>| {
        let part = |((name, rows), order): ((&str, usize), RowOrder)| {
            let shape = [Some(rows), columns];
            let shape: Vec<usize> = shape.into_iter().flatten().collect();
            WeightPart::new(format!("{name}.{end}"), &shape).ordered(order)
        };
        WeightPart::stacked(names.into_iter().zip(rows).zip(orders).map(part))
    };
    let weight = table.weight(total, inner, parts("weight", Some(inner)));
    let bias = bias.then(|| table.weight(1, total, parts("bias", None)));
    LinearWeights { weight, bias }
}

impl SelfAttention {
    /// Context of each token, (batch, length, heads · head_size), before the output projection. x: (batch, length, hidden_size).
    pub fn context(&self, plan: &mut Plan, layer: usize, x: LinearInput) -> Value {
        let [projected, plain] = self.project(plan, layer, x);
        let [query, key, value] = self.views(projected.into());
        let mapped = LinearAttentionInputs { rows: projected, plain, query, key, value };
        let turned_back = plan.intervenes().rotated_values;
        let turn = self.rotary.map(|rotary| InPlaceRotation { rotary, halves: self.halves, inverse: false });
        let turn = turn.filter(|_| turned_back);
        // RoFormer's rotary_value has turned them already.
        if let Some(turn) = turn.filter(|turn| turn.rotary.rotated_columns <= value.first) {
            plan.rotate_in_place(value, turn);
        }
        if plan.intervenes().scaled_queries {
            plan.scale_tokens(query, Input::QueryScales);
        }
        let width = query.stride;
        let linear = self.attention != Attention::Softmax;
        // Linear attention needs no earlier key: its sums are a state of their own.
        let remembers = plan.is_cached() && (plan.keeps_heads() || !linear);
        let (query_kept, key, value, statistics) = if remembers {
            // Whoever looks at heads later needs the queries of earlier runs, too.
            let first = if plan.keeps_heads() { 0 } else { query.width() };
            let state = plan.state(width - first);
            let fresh = View { of: projected.into(), first, stride: width, heads: 1, head_size: width - first };
            plan.append_to_cache(fresh, state);
            let of_state =
                |view: View| View { of: state.into(), first: view.first - first, stride: width - first, ..view };
            let statistics: Operand = match plan.keeps_heads() {
                true => plan.state(2 * self.heads).into(),
                false => plan.value(Shape::tokens(2 * self.heads)).into(),
            };
            (if plan.keeps_heads() { of_state(query) } else { query }, of_state(key), of_state(value), statistics)
        } else {
            (query, key, value, plan.value(Shape::tokens(2 * self.heads)).into())
        };
        let (causal, window, scale) = (self.causal, self.window, self.scale);
        // What was rotated before the feature map cannot be turned back by the table.
        let table = self.rotary.filter(|_| self.attention != Attention::LinearRotateFirst).map(|rotary| rotary.table());
        let reach = plan.intervenes().reach;
        let heads = Heads { query, key, statistics, causal, window, scale, table, reach, linear };
        let weighed = Weighed { value, output: (self.output.weight, plan.format(self.output.weight)), turned_back };
        plan.layer_heads(plan.part(), Heads { query: query_kept, ..heads }, weighed);
        let context = if linear { plan.linear_attention(heads, mapped) } else { plan.attention(heads, value) };
        let given = View { of: context.into(), first: 0, stride: query.width(), ..query };
        if let Some(turn) = turn {
            plan.rotate_in_place(given, InPlaceRotation { inverse: true, ..turn });
        }
        if plan.intervenes().heads {
            let input = Input::HeadAblations { heads: self.layers * self.heads };
            plan.ablate_heads(context, HeadAblations { input, first: layer * self.heads, heads: self.heads });
        }
        plan.tap(TensorName::Written, layer, TapView::Columns { value: context, view: given, halves: 0 });
        context
    }

    /// Query, key and value side by side, rotated to their positions (eq. 34), and what of queries and keys linear attention's
    /// denominators are made: through the feature map, and not rotated unless that comes first. The unrotated projection exists
    /// only where it is tapped, mapped or its heads are normed.
    fn project(&self, plan: &mut Plan, layer: usize, x: LinearInput) -> [Value; 2] {
        let unrotated = [TensorName::Query, TensorName::Key, TensorName::Value];
        let tapped = unrotated.iter().any(|tensor| plan.wants(*tensor, layer));
        let turning = self.heads + self.key_heads;
        let columns = turning * self.head_size;
        let pairs = plan.intervenes().pairs.then_some(PairModes {
            input: Input::PairModes { heads: self.layers * turning, pairs: self.head_size / 2 },
            first: layer * turning,
            heads: turning,
        });
        let mut plain = None;
        let rotated = match (self.norms, tapped) {
            (norms, _) if self.attention == Attention::Linear => {
                let mut projected = plan.linear(x, &self.projection, Epilogue::None);
                if norms.is_some() {
                    projected = plan.rotate(projected, self.head_size, None, norms);
                }
                self.tap(plan, layer, unrotated, projected);
                let mapped = plan.feature_map(projected, columns);
                plain = Some(mapped);
                plan.rotate_with_modes(mapped, self.head_size, self.rotary, None, pairs)
            }
            (None, false) if pairs.is_none() => {
                plan.linear(x, &self.projection, self.rotary.map_or(Epilogue::None, Epilogue::Rotate))
            }
            (norms, false) => {
                let projected = plan.linear(x, &self.projection, Epilogue::None);
                plan.rotate_with_modes(projected, self.head_size, self.rotary, norms, pairs)
            }
            (norms, true) => {
                let mut projected = plan.linear(x, &self.projection, Epilogue::None);
                if norms.is_some() {
                    projected = plan.rotate(projected, self.head_size, None, norms);
                }
                self.tap(plan, layer, unrotated, projected);
                match self.rotary {
                    None => projected,
                    rotary => plan.rotate_with_modes(projected, self.head_size, rotary, None, pairs),
                }
            }
        };
        self.tap(plan, layer, [TensorName::QueryRotated, TensorName::KeyRotated], rotated);
        if self.attention == Attention::LinearRotateFirst {
            return [plan.feature_map(rotated, columns); 2];
        }
        [rotated, plain.unwrap_or(rotated)]
    }

    /// The columns of queries, keys and values in packed rows.
    fn views(&self, of: Operand) -> [View; 3] {
        let Self { heads, key_heads, head_size, .. } = *self;
        let stride = (heads + 2 * key_heads) * head_size;
        let view = |first, heads| View { of, first: first * head_size, stride, heads, head_size };
        [view(0, heads), view(heads, key_heads), view(heads + key_heads, key_heads)]
    }

    /// Names queries, keys (and values) of packed rows as taps. Values have no pairs, unless they are rotated, too.
    fn tap<const N: usize>(&self, plan: &mut Plan, layer: usize, activations: [TensorName; N], value: Value) {
        for (tensor, view) in activations.into_iter().zip(self.views(value.into())) {
            let turns = self.rotary.is_some_and(|rotary| view.first < rotary.rotated_columns);
            plan.tap(tensor, layer, TapView::Columns { value, view, halves: if turns { self.halves } else { 0 } });
        }
    }
}
