//! Self-attention up to its output projection: query, key and value projection, rotation, KV cache, attention.

use super::linear_of_parts;
use crate::model::{Attention, Facts};
use crate::ops::{
    Append, Epilogue, HeadAblations, HeadNorms, InPlaceRotation, LinearAttentionInputs, LinearInput, LinearWeights,
    PairModes, Rotary,
};
use crate::plan::{
    Axis, HeadValues, Heads, Input, Operand, PlanBuilder, PlanOptions, Shape, TapView, TensorName, Value, View,
};
use crate::weight_table::{RowOrder, WeightPart, WeightTable};

/// The weights and settings of one layer's self-attention.
pub struct SelfAttention {
    /// Query, key and value projection. Rows: query heads, key heads, value heads; the two rows of a rotary pair are adjacent.
    pub projection: LinearWeights,
    pub output: LinearWeights,
    /// `None`: queries and keys are not rotated.
    pub rotary: Option<Rotary>,
    /// Norms of each query and key head, before rotation.
    pub norms: Option<HeadNorms>,
    /// See [`Heads::window`].
    pub window: Option<usize>,
    /// The number of a head's dimensions that Hugging Face rotates in half-split order, which taps restore; 0 if it rotates adjacent pairs.
    pub halves: usize,
}

/// What attention reads.
struct Operands {
    query: View,
    /// Where probes read queries.
    probed_query: View,
    key: View,
    value: View,
    /// `None` with a softmax.
    linear: Option<LinearAttentionInputs>,
}

/// Declares the projections `names` (query, key, value) as one linear layer. halves: how many dimensions of each query and key head the
/// file stores in half-split order.
pub fn fused_projection(
    table: &mut WeightTable,
    names: [String; 3],
    facts: &Facts,
    halves: usize,
    bias: bool,
) -> LinearWeights {
    let Facts { heads, key_heads, head_size, hidden_size, .. } = *facts;
    let order = |heads| RowOrder::HalvesToPairs { heads, head_size, rotated: halves };
    let parts = [(heads, order(heads)), (key_heads, order(key_heads)), (key_heads, RowOrder::AsStored)];
    linear_of_parts(table, (heads + 2 * key_heads) * head_size, hidden_size, bias, |part| {
        let parts = names.iter().zip(parts);
        WeightPart::stacked(parts.map(|(name, (heads, order))| part(name, heads * head_size).ordered(order)))
    })
}

impl SelfAttention {
    /// Attention of one layer without rotation, head norms and window.
    pub fn new(projection: LinearWeights, output: LinearWeights) -> Self {
        Self { projection, output, rotary: None, norms: None, window: None, halves: 0 }
    }

    /// Rotates queries and keys by one of the model's ropes. halves: see [`SelfAttention::halves`].
    pub fn rotated_by(self, facts: &Facts, rope: usize, halves: usize) -> Self {
        let rotated_columns = (facts.heads + facts.key_heads) * facts.head_size;
        Self { rotary: Some(Rotary { rope, head_size: facts.head_size, rotated_columns }), halves, ..self }
    }

    /// The weighted sums of values of each token, (batch, length, heads · head_size), before the output projection. x: (batch,
    /// length, hidden_size).
    pub fn head_outputs(&self, plan: &mut PlanBuilder, facts: &Facts, layer: usize, x: LinearInput) -> Value {
        let Operands { query, probed_query, key, value, linear } = match self.can_append(plan, facts, layer) {
            true => self.append_projection(plan, facts, x),
            false => self.operands(plan, facts, layer, x),
        };
        let PlanOptions { interventions, has_cache, keeps_heads, .. } = *plan.options();
        let statistics = statistics(plan, facts.heads, has_cache && keeps_heads);
        let (causal, window, scale) = (facts.causal, self.window, facts.scale as f32);
        // A feature map after the rotation cannot be undone by the inverse rotation.
        let table =
            self.rotary.filter(|_| facts.attention != Attention::LinearRotateFirst).map(|rotary| rotary.table());
        let max_distance = interventions.max_distance;
        let heads =
            Heads { query, key, statistics, causal, window, scale, table, max_distance, linear: linear.is_some() };
        let values = HeadValues {
            view: value,
            output: (self.output.weight, plan.format(self.output.weight)),
            has_inverse_rotation: interventions.rotated_values,
        };
        let part = plan.options().part;
        plan.add_heads(part, Heads { query: probed_query, ..heads }, values);
        let head_outputs = match linear {
            Some(inputs) => plan.linear_attention(heads, inputs),
            None => plan.attention(heads, value),
        };
        let view_of_heads = View { operand: head_outputs.into(), first: 0, stride: query.width(), ..query };
        if let Some(rotary) = self.rotary.filter(|_| interventions.rotated_values) {
            plan.rotate_in_place(view_of_heads, InPlaceRotation { rotary, halves: self.halves, inverse: true });
        }
        if interventions.heads {
            let Facts { layers, heads, .. } = *facts;
            let input = Input::HeadAblations { heads: layers * heads };
            plan.ablate_heads(head_outputs, HeadAblations { input, first: layer * heads, heads });
        }
        let columns = |value| TapView::Columns {
            value,
            view: View { operand: Operand::Value(value), ..view_of_heads },
            halves: 0,
        };
        let site = plan.in_own_part(TensorName::Head.at(layer));
        let head_outputs = plan.replace_numbers(site, columns(head_outputs));
        let columns = columns(head_outputs);
        [TensorName::Head, TensorName::Written].into_iter().for_each(|name| plan.tap(name, layer, columns));
        head_outputs
    }

    /// Whether the projection itself can append keys and values to the cache: nothing changes or taps them, or queries, in between.
    fn can_append(&self, plan: &PlanBuilder, facts: &Facts, layer: usize) -> bool {
        let PlanOptions { interventions, has_cache, .. } = *plan.options();
        let tapped = [TensorName::QueryRotated, TensorName::KeyRotated].iter().any(|name| plan.has_tap(*name, layer));
        let changed = tapped || interventions.rotated_values || interventions.scaled_queries;
        has_cache && facts.attention == Attention::Softmax && !changed && self.is_fused(plan, facts, layer)
    }

    /// Projects queries; the projection appends keys and values to the cache, and queries if probes read them.
    fn append_projection(&self, plan: &mut PlanBuilder, facts: &Facts, x: LinearInput) -> Operands {
        let columns = facts.heads * facts.head_size;
        let first = if plan.options().keeps_heads { 0 } else { columns };
        let width = self.projection.weight.rows;
        let to = plan.cache_state(width - first);
        let append = Append { rotary: self.rotary, to, first, columns };
        let projected = plan.linear(x, &self.projection, Epilogue::Append(append));
        let of_state = |view: View| View { first: view.first - first, stride: width - first, ..view };
        let [all_queries, key, value] = views(facts, to.into());
        let query = View { operand: projected.into(), stride: columns, ..all_queries };
        let probed_query = if first == 0 { of_state(all_queries) } else { query };
        Operands { query, probed_query, key: of_state(key), value: of_state(value), linear: None }
    }

    /// Queries, keys and values after everything that changes them; keys and values in the cache if there is one.
    fn operands(&self, plan: &mut PlanBuilder, facts: &Facts, layer: usize, x: LinearInput) -> Operands {
        let [projected, plain] = self.project(plan, facts, layer, x);
        let [query, key, value] = views(facts, projected.into());
        let PlanOptions { interventions, has_cache, keeps_heads, .. } = *plan.options();
        // With RoFormer's rotary_value the projection has rotated the values already.
        let rotary = self.rotary.filter(|rotary| interventions.rotated_values && rotary.rotated_columns <= value.first);
        if let Some(rotary) = rotary {
            plan.rotate_in_place(value, InPlaceRotation { rotary, halves: self.halves, inverse: false });
        }
        if interventions.scaled_queries {
            plan.scale_tokens(query, Input::QueryScales);
        }
        let linear = (facts.attention != Attention::Softmax).then_some(LinearAttentionInputs {
            rows: projected,
            plain,
            query,
            key,
            value,
        });
        // Linear attention reads sums of keys from a state of its own. Only probes need its keys.
        if !has_cache || (linear.is_some() && !keeps_heads) {
            return Operands { query, probed_query: query, key, value, linear };
        }
        // Probes read the queries of earlier runs, too.
        let first = if keeps_heads { 0 } else { query.width() };
        let of_state = append_to_state(plan, projected, first, query.stride);
        let probed_query = if keeps_heads { of_state(query) } else { query };
        Operands { query, probed_query, key: of_state(key), value: of_state(value), linear }
    }

    /// Whether one step projects and rotates.
    fn is_fused(&self, plan: &PlanBuilder, facts: &Facts, layer: usize) -> bool {
        let linear = facts.attention == Attention::Linear;
        !linear && !has_unrotated_rows(plan, layer) && self.norms.is_none() && !plan.options().interventions.pairs
    }

    /// Two values of rows with query, key and value side by side. In the first, queries and keys are rotated to their positions
    /// (eq. 34). From the second, linear attention computes its denominators: the feature map's result, unrotated unless the rotation
    /// comes before the feature map. The rotation is a step of its own only if the unrotated projection is tapped, changed, mapped, normed
    /// or has pair modes.
    fn project(&self, plan: &mut PlanBuilder, facts: &Facts, layer: usize, x: LinearInput) -> [Value; 2] {
        let has_unrotated_rows = has_unrotated_rows(plan, layer);
        let Facts { layers, head_size, attention, .. } = *facts;
        let rotated_heads = facts.heads + facts.key_heads;
        let columns = rotated_heads * head_size;
        let pairs = plan.options().interventions.pairs.then_some(PairModes {
            input: Input::PairModes { heads: layers * rotated_heads, pairs: head_size / 2 },
            first: layer * rotated_heads,
            heads: rotated_heads,
        });
        let mut plain = None;
        let rotated = if self.is_fused(plan, facts, layer) {
            plan.linear(x, &self.projection, self.rotary.map_or(Epilogue::None, Epilogue::Rotate))
        } else {
            let mut rows = plan.linear(x, &self.projection, Epilogue::None);
            let mut norms = self.norms;
            if attention == Attention::Linear || has_unrotated_rows {
                if let Some(norms) = norms.take() {
                    self.tap(plan, facts, layer, PROJECTED, rows);
                    rows = plan.rotate(rows, head_size, None, Some(norms));
                }
                rows = self.replace_numbers(plan, facts, layer, rows);
                self.tap(plan, facts, layer, UNROTATED, rows);
            }
            if attention == Attention::Linear {
                rows = plan.feature_map(rows, columns);
                plain = Some(rows);
            }
            match (self.rotary, norms) {
                (None, None) => rows,
                (rotary, norms) => plan.rotate_with_modes(rows, head_size, rotary, norms, pairs),
            }
        };
        self.tap(plan, facts, layer, [TensorName::QueryRotated, TensorName::KeyRotated], rotated);
        if attention == Attention::LinearRotateFirst {
            return [plan.feature_map(rotated, columns); 2];
        }
        [rotated, plain.unwrap_or(rotated)]
    }

    /// Taps queries, keys and, with three names, values. Values have rotary pairs only with RoFormer's rotary_value.
    fn tap<const N: usize>(
        &self,
        plan: &mut PlanBuilder,
        facts: &Facts,
        layer: usize,
        names: [TensorName; N],
        value: Value,
    ) {
        for (tensor, view) in names.into_iter().zip(self.tap_views(facts, value)) {
            plan.tap(tensor, layer, view);
        }
    }

    /// Queries, keys and values in rows with all three side by side.
    fn tap_views(&self, facts: &Facts, value: Value) -> [TapView; 3] {
        views(facts, value.into()).map(|view| {
            let has_pairs = self.rotary.is_some_and(|rotary| view.first < rotary.rotated_columns);
            TapView::Columns { value, view, halves: if has_pairs { self.halves } else { 0 } }
        })
    }

    /// Rows with the numbers that the run puts in queries, keys and values before rotation.
    fn replace_numbers(&self, plan: &mut PlanBuilder, facts: &Facts, layer: usize, mut rows: Value) -> Value {
        for (at, tensor) in UNROTATED.into_iter().enumerate() {
            let site = plan.in_own_part(tensor.at(layer));
            rows = plan.replace_numbers(site, self.tap_views(facts, rows)[at]);
        }
        rows
    }
}

/// Queries and keys before the norms of each head.
const PROJECTED: [TensorName; 2] = [TensorName::QueryProjected, TensorName::KeyProjected];

/// The projection before its rotation.
const UNROTATED: [TensorName; 3] = [TensorName::Query, TensorName::Key, TensorName::Value];

/// Whether a run keeps or changes queries, keys or values before rotation.
fn has_unrotated_rows(plan: &PlanBuilder, layer: usize) -> bool {
    let numbers = plan.options().interventions.numbers;
    let is_tapped = |tensor: &TensorName| plan.has_tap(*tensor, layer);
    PROJECTED.iter().chain(&UNROTATED).any(is_tapped) || UNROTATED.iter().any(|tensor| numbers.contains(*tensor))
}

/// The columns of queries, keys and values in rows with all three side by side.
fn views(facts: &Facts, operand: Operand) -> [View; 3] {
    let Facts { heads, key_heads, head_size, .. } = *facts;
    let stride = (heads + 2 * key_heads) * head_size;
    let view = |first, heads| View { operand, first: first * head_size, stride, heads, head_size };
    [view(0, heads), view(heads, key_heads), view(heads + key_heads, key_heads)]
}

/// Appends columns `first .. width` of rows to a state of their own. Returns where a view of the rows lies in the state.
pub(super) fn append_to_state(
    plan: &mut PlanBuilder,
    rows: Value,
    first: usize,
    width: usize,
) -> impl Fn(View) -> View + use<> {
    let stride = width - first;
    let state = plan.cache_state(stride);
    plan.append_to_cache(View { operand: rows.into(), first, stride: width, heads: 1, head_size: stride }, state);
    move |view| View { operand: state.into(), first: view.first - first, stride, ..view }
}

/// Room for the statistics of heads: a state where probes read those of earlier runs, too.
pub(super) fn statistics(plan: &mut PlanBuilder, heads: usize, in_state: bool) -> Operand {
    if in_state { plan.state(Axis::Keys, 2 * heads).into() } else { plan.value(Shape::tokens(2 * heads)).into() }
}
