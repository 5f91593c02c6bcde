//! What a dispatch has to do, by its operands' shapes: operations, and bytes that come from memory and go there if each number is moved
//! once. How often a kernel fetches a number again, and what it computes besides, is the kernel's own affair: that is what is measured.

use ropescope::backend::gpu::Dispatch;
use ropescope::kernels::Format;
use ropescope::plan::{Access, Axis, Finished, Input, Operand, Shape, Sizes, State, Use, Value, Weight};

/// Of one dispatch or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Additions and multiplications of the formula; an exponential is one. Of products and attention only those of the products.
    pub operations: u64,
    pub bytes: u64,
}

/// What tells how large operands are.
#[derive(Debug, Clone, Copy)]
pub struct Extents<'a> {
    /// Of the plan's values, by their index.
    pub shapes: &'a [Shape],
    /// How weights are kept, by their index; f32 where there is no entry.
    pub formats: &'a [Format],
    pub sizes: Sizes,
}

/// Words of `shaders/attended.wgsl`'s parameters.
mod attended {
    pub const LENGTH: usize = 0;
    pub const KEYS: usize = 1;
    pub const PAST: usize = 2;
    pub const SEQUENCE_HEADS: usize = 3;
    pub const GROUP: usize = 5;
    pub const HEAD_SIZE: usize = 6;
    pub const CAUSAL: usize = 18;
    pub const WINDOW: usize = 19;
    pub const SLICES: usize = 20;
}

/// Words of `shaders/rotation.wgsl`'s parameters.
mod rotation {
    pub const ROWS: usize = 0;
    pub const HEAD_SIZE: usize = 2;
    pub const ROTATED_HEADS: usize = 3;
    pub const QUERY_HEADS: usize = 4;
    pub const KEY_HEADS: usize = 5;
}

impl Extents<'_> {
    /// What one dispatch has to do; none of an op that no model measured here has.
    pub fn work(&self, dispatch: &Dispatch) -> Option<Work> {
        let word = |at: usize| u64::from(dispatch.launch.parameters.get(at).copied().unwrap_or(0));
        let uses = &dispatch.uses;
        let all = self.bytes(dispatch);
        let (operations, bytes) = match dispatch.op {
            "product" => {
                let (x, weight) = (self.value(uses.first()?)?, weight(uses.get(1)?)?);
                (2 * x * part(dispatch, weight) as u64, all)
            }
            "product_join" => (self.value(uses.first()?)?, all),
            "attention" => (
                4 * word(attended::HEAD_SIZE) * word(attended::SEQUENCE_HEADS) * seen_pairs(&word),
                self.bytes_of_attention(uses, &word)?,
            ),
            "attention_join" => (2 * self.value(uses.first()?)?, all),
            "norm" => (self.value(uses.first()?)? * of_norm(dispatch, uses.get(1..4)?), all),
            "embedding" => self.embedding(dispatch)?,
            "rotation" => {
                let rotated = word(rotation::ROTATED_HEADS) * word(rotation::HEAD_SIZE);
                let normed = (word(rotation::QUERY_HEADS) + word(rotation::KEY_HEADS)) * word(rotation::HEAD_SIZE);
                (word(rotation::ROWS) * (3 * rotated + 4 * normed), all)
            }
            "top_k" => (2 * self.value(uses.first()?)?, all),
            // Rows of what is gathered, not all of it.
            "gather" => (0, 2 * self.value_bytes(uses.get(2)?)? + self.operand(uses.get(1)?, dispatch)),
            "copy" => (0, 8 * word(0)),
            "feed" => (0, all),
            _ => return None,
        };
        Some(Work { operations, bytes })
    }

    /// What a whole plan has to do.
    ///
    /// # Errors
    /// The name of an op that is not known.
    pub fn of_plan(plan: &Finished, sizes: Sizes) -> Result<Work, &'static str> {
        let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes };
        let mut sum = Work::default();
        for op in &plan.steps {
            let rows = op.split().map_or(0..0, |weight| 0..weight.rows);
            let dispatch = Dispatch::of(&**op, rows.clone(), op.launch(rows, sizes));
            sum = sum + extents.work(&dispatch).ok_or(op.name())?;
        }
        Ok(sum)
    }

    /// Bytes of all operands, each once.
    fn bytes(&self, dispatch: &Dispatch) -> u64 {
        let mut counted: Vec<Operand> = Vec::new();
        let mut bytes = 0;
        for used in &dispatch.uses {
            if !counted.contains(&used.operand) {
                counted.push(used.operand);
                bytes += self.operand(used, dispatch);
            }
        }
        bytes
    }

    fn operand(&self, used: &Use, dispatch: &Dispatch) -> u64 {
        match used.operand {
            Operand::Value(value) => {
                let whole = 4 * self.elements(value);
                // Of a weight in parts each makes columns of its own.
                match dispatch.uses.get(1).and_then(weight) {
                    Some(weight) if dispatch.op == "product" && used.writes() => {
                        whole * part(dispatch, weight) as u64 / weight.rows as u64
                    }
                    _ => whole,
                }
            }
            Operand::Weight(weight) => part(dispatch, weight) as u64 * self.row_bytes(weight),
            Operand::State(state) => 4 * (self.sizes.batch * state.width * self.rows(state, used.access)) as u64,
            // A row for each position of the run.
            Operand::Input(Input::Rotary { head_size, .. }) => 4 * (self.sizes.length * head_size) as u64,
            Operand::Input(input) => 4 * input.shape().elements(self.sizes),
            Operand::Answer | Operand::Nothing => 0,
        }
    }

    /// Rows of each sequence that are read, or those that the run writes.
    fn rows(&self, state: State, access: Access) -> usize {
        match (state.of, access) {
            (Axis::Batch, _) => 1,
            (Axis::Source, _) => self.sizes.source,
            (_, Access::Read) => self.sizes.keys(),
            _ => self.sizes.length,
        }
    }

    /// Queries, keys and values of the heads alone: they may lie beside others.
    fn bytes_of_attention(&self, uses: &[Use], word: &dyn Fn(usize) -> u64) -> Option<u64> {
        let [length, keys, head_size, slices] =
            [attended::LENGTH, attended::KEYS, attended::HEAD_SIZE, attended::SLICES].map(word);
        let rows = word(attended::SEQUENCE_HEADS) * length;
        let key_rows = word(attended::SEQUENCE_HEADS) / word(attended::GROUP).max(1) * keys;
        let context = self.value(uses.get(4)?)?;
        let mask = self.sizes.batch as u64 * keys;
        Some(4 * (rows * head_size + 2 * key_rows * head_size + mask + context + 2 * rows * slices))
    }

    /// Rows of the tables that the tokens take.
    fn embedding(&self, dispatch: &Dispatch) -> Option<(u64, u64)> {
        let [ids, by, word, table, gain, shift, y] = dispatch.uses.get(..7)?.try_into().ok()?;
        let word = weight(&word)?;
        let (tokens, width) = (self.sizes.tokens() as u64, word.columns as u64);
        let is_there = |used: &Use| u64::from(used.operand != Operand::Nothing);
        let norm = if constant(dispatch, "has_norm") { of_norm(dispatch, &[gain, shift]) } else { 0 };
        let small = [ids, by, gain, shift].iter().map(|used| self.operand(used, dispatch)).sum::<u64>();
        let rows = tokens * (self.row_bytes(word) + is_there(&table) * 4 * width);
        Some((tokens * width * (1 + is_there(&table) + norm), small + rows + self.value_bytes(&y)?))
    }

    fn row_bytes(&self, weight: Weight) -> u64 {
        let format = self.formats.get(weight.index).copied().unwrap_or_default();
        4 * format.row_words(weight.columns) as u64
    }

    fn elements(&self, value: Value) -> u64 {
        self.shapes.get(value.index()).map_or(0, |shape| shape.elements(self.sizes))
    }

    fn value(&self, used: &Use) -> Option<u64> {
        used.value().map(|value| self.elements(value))
    }

    fn value_bytes(&self, used: &Use) -> Option<u64> {
        self.value(used).map(|numbers| 4 * numbers)
    }
}

impl std::ops::Add for Work {
    type Output = Work;

    fn add(self, other: Work) -> Work {
        Work { operations: self.operations + other.operations, bytes: self.bytes + other.bytes }
    }
}

fn weight(used: &Use) -> Option<Weight> {
    match used.operand {
        Operand::Weight(weight) => Some(weight),
        _ => None,
    }
}

/// Rows of a weight that the dispatch reads: vectors are whole.
fn part(dispatch: &Dispatch, weight: Weight) -> usize {
    if weight.rows > 1 && !dispatch.rows.is_empty() { dispatch.rows.len() } else { weight.rows }
}

fn constant(dispatch: &Dispatch, name: &str) -> bool {
    dispatch.kernel.constants.iter().any(|(other, value)| *other == name && *value != 0.0)
}

/// Operations a number of a norm: its square is summed and it is scaled; the mean, where that is taken off, is a sum and a difference;
/// then gain, shift and a residual, where they are.
fn of_norm(dispatch: &Dispatch, more: &[Use]) -> u64 {
    let more = more.iter().filter(|used| used.operand != Operand::Nothing).count() as u64;
    3 + more + if constant(dispatch, "centres") { 2 } else { 0 }
}

/// Pairs of a query and a key that it sees, of one head of one sequence, padding aside.
fn seen_pairs(word: &dyn Fn(usize) -> u64) -> u64 {
    let [length, keys, past, causal, window] =
        [attended::LENGTH, attended::KEYS, attended::PAST, attended::CAUSAL, attended::WINDOW].map(word);
    let seen = |query: u64| {
        let (mut first, mut end) = (0, keys);
        if window != 0 {
            (first, end) = ((query + 1).saturating_sub(window).min(keys), (query + window).min(keys));
        }
        if causal != 0 {
            end = (query + 1).min(keys);
        }
        end.saturating_sub(first)
    };
    (past..past + length).map(seen).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ropescope::kernels::Activation;
    use ropescope::ops::{Added, EmbeddingWeights, Epilogue, Feed, LinearWeights, NormKind, NormWeights, Rotary};
    use ropescope::plan::{Capacity, Heads, Op, Plan, Taps, View};
    use std::rc::Rc;

    fn weight(index: usize, rows: usize, columns: usize) -> Weight {
        Weight { index, rows, columns }
    }

    fn norm(kind: NormKind, gain: Option<Weight>, shift: Option<Weight>) -> NormWeights {
        NormWeights { kind, gain, shift, epsilon: 1e-6 }
    }

    /// A plan for two texts of five tokens and three prediction rows.
    fn plan() -> Plan {
        Plan::new(Capacity::new(2, 5, 3), Taps::none())
    }

    const SIZES: Sizes = Sizes { batch: 2, length: 5, past: 0, context: 0, rows: 3, source: 0, source_context: 0 };

    /// Operations and bytes of every step.
    fn of_steps(plan: Plan, sizes: Sizes) -> Vec<(&'static str, u64, u64)> {
        let plan = plan.finish().unwrap();
        let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes };
        let of = |op: &dyn Op| {
            let rows = op.split().map_or(0..0, |weight| 0..weight.rows);
            let work = extents.work(&Dispatch::of(op, rows.clone(), op.launch(rows, sizes))).unwrap();
            (op.name(), work.operations, work.bytes)
        };
        plan.steps.iter().map(|op| of(&**op)).collect()
    }

    fn embedded(plan: &mut Plan, width: usize) -> Value {
        let word = weight(0, 40, width);
        plan.embedding(&EmbeddingWeights { word, added: None, norm: None, scale: 1.0 })
    }

    #[test]
    fn an_embedding_reads_rows_of_its_tokens() {
        let mut plan = plan();
        plan.set_formats(Rc::new([Format::F16]));
        let normed = norm(NormKind::Layer, Some(weight(2, 1, 8)), Some(weight(3, 1, 8)));
        let added = Some(Added::types(weight(1, 2, 8)));
        plan.embedding(&EmbeddingWeights { word: weight(0, 40, 8), added, norm: Some(normed), scale: 1.0 });
        // 10 tokens of 8: scaled, a type added, and seven of the norm. 10 ids and types, 10 rows of 16 bytes and 10 of 32, gain and shift, y.
        assert_eq!(of_steps(plan, SIZES), [("embedding", 80 * 9, 40 + 40 + 160 + 320 + 32 + 32 + 320)]);
    }

    #[test]
    fn products_multiply_and_add_along_the_inner_axis() {
        let mut plan = plan();
        plan.set_formats(Rc::new([Format::F32, Format::F16]));
        let x = embedded(&mut plan, 8);
        let linear = LinearWeights { weight: weight(1, 12, 8), bias: Some(weight(2, 1, 12)) };
        plan.linear(x, &linear, Epilogue::Gate(Activation::Silu));
        let rotary = Rotary { rope: 0, head_size: 4, rotated_columns: 8 };
        plan.linear(x, &linear, Epilogue::Rotate(rotary));
        let steps = of_steps(plan, SIZES);
        // x of 10 rows, 12 rows of 16 bytes, the bias, and y.
        assert_eq!(steps[1], ("product", 2 * 10 * 8 * 12, 320 + 192 + 48 + 4 * 10 * 6));
        // The table's rows for 5 positions, and 10 position ids.
        assert_eq!(steps[2], ("product", 2 * 10 * 8 * 12, 320 + 192 + 48 + 4 * 10 * 12 + 4 * 5 * 4 + 40));
    }

    #[test]
    fn parts_of_a_weight_are_counted_apart() {
        let mut plan = plan();
        let x = embedded(&mut plan, 8);
        plan.linear(x, &LinearWeights { weight: weight(1, 12, 8), bias: None }, Epilogue::None);
        let plan = plan.finish().unwrap();
        let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes: SIZES };
        let op = &*plan.steps[1];
        let part = |rows: std::ops::Range<usize>| extents.work(&Dispatch::of(op, rows.clone(), op.launch(rows, SIZES)));
        assert_eq!(part(0..8), Some(Work { operations: 2 * 10 * 8 * 8, bytes: 320 + 8 * 32 + 4 * 10 * 8 }));
        assert_eq!(part(8..12), Some(Work { operations: 2 * 10 * 8 * 4, bytes: 320 + 4 * 32 + 4 * 10 * 4 }));
    }

    #[test]
    fn slices_of_a_product_are_joined() {
        let mut plan = Plan::new(Capacity::new(1, 5, 1), Taps::none()).with_spreading(Rc::default());
        let x = embedded(&mut plan, 3072);
        plan.linear(x, &LinearWeights { weight: weight(1, 12, 3072), bias: None }, Epilogue::None);
        let steps = of_steps(plan, Sizes::new(1, 5, 1));
        // Two slices of tiles of 16: sums of both are written, and read.
        assert_eq!(steps[1], ("product", 2 * 5 * 3072 * 12, 4 * (5 * 3072 + 12 * 3072 + 2 * 5 * 12)));
        assert_eq!(steps[2], ("product_join", 2 * 5 * 12, 4 * (2 * 5 * 12 + 5 * 12)));
    }

    /// Two heads of 4 over packed rows of 24: queries, keys, values.
    fn attention(causal: bool, window: Option<usize>) -> (&'static str, u64, u64) {
        let mut plan = plan();
        let x = embedded(&mut plan, 24);
        let view = |first: usize| View { of: x.into(), first, stride: 24, heads: 2, head_size: 4 };
        let statistics = plan.value(Shape::tokens(4)).into();
        let heads = Heads {
            query: view(0),
            key: view(8),
            statistics,
            causal,
            window,
            scale: 0.5,
            table: None,
            reach: None,
            linear: false,
        };
        plan.attention(heads, view(16));
        of_steps(plan, SIZES)[1]
    }

    #[test]
    fn attention_takes_the_keys_that_are_seen() {
        // Queries, keys and values, the mask, context, statistics.
        let bytes = 4 * (3 * 10 * 8 + 10 + 10 * 8 + 10 * 4);
        // 2 texts, 2 heads, 4 numbers of a query and a key, then of a weight and a value.
        let of_pair = 2 * 2 * 4 * 4;
        assert_eq!(attention(false, None), ("attention", of_pair * 25, bytes));
        assert_eq!(attention(true, None), ("attention", of_pair * 15, bytes));
        assert_eq!(attention(false, Some(2)), ("attention", of_pair * (2 + 3 + 3 + 3 + 2), bytes));
        assert_eq!(attention(true, Some(2)), ("attention", of_pair * (1 + 4 * 2), bytes));
    }

    #[test]
    fn a_step_over_a_cache_reads_all_of_it_and_writes_one_row() {
        // One more token behind six of a text that may have 512, a key head for two query heads; room for slices of the keys.
        let capacity = Capacity { keys: 512, ..Capacity::new(1, 1, 1) };
        let mut plan = Plan::new(capacity, Taps::none()).with_cache().with_spreading(Rc::default());
        let x = embedded(&mut plan, 16);
        let cached = plan.state(8);
        let view = |of: Operand, first, stride, heads| View { of, first, stride, heads, head_size: 4 };
        plan.remember(view(x.into(), 8, 16, 2), cached);
        let statistics = plan.value(Shape::tokens(4)).into();
        let heads = Heads {
            query: view(x.into(), 0, 16, 2),
            key: view(cached.into(), 0, 8, 1),
            statistics,
            causal: true,
            window: None,
            scale: 0.5,
            table: None,
            reach: None,
            linear: false,
        };
        plan.attention(heads, view(cached.into(), 4, 8, 1));
        let sizes = Sizes { past: 6, context: 512, ..Sizes::new(1, 1, 1) };
        let steps = of_steps(plan, sizes);
        assert_eq!(steps[1], ("copy", 0, 2 * 4 * 8));
        // Two slices: queries, 7 keys and values of a head, the mask, two contexts and two pairs of statistics a head.
        assert_eq!(steps[2], ("attention", 4 * 4 * 2 * 7, 4 * (8 + 2 * 7 * 4 + 7 + 2 * 8 + 2 * 4)));
        assert_eq!(steps[3], ("attention_join", 2 * 2 * 8, 4 * (2 * 8 + 2 * 4 + 8 + 4)));
    }

    #[test]
    fn norms_rotations_and_rows_are_counted_by_number() {
        let mut plan = plan();
        let x = embedded(&mut plan, 8);
        let y = plan.norm(x, &norm(NormKind::RootMeanSquare, Some(weight(1, 1, 8)), None));
        plan.norm_onto(x, &norm(NormKind::Layer, Some(weight(1, 1, 8)), Some(weight(2, 1, 8))), y);
        plan.rotate(x, 4, Some(Rotary { rope: 0, head_size: 4, rotated_columns: 4 }), None);
        let rows = plan.gather(x);
        let top = plan.top_k(rows, 2);
        let steps = of_steps(plan, SIZES);
        assert_eq!(steps[1], ("norm", 80 * 4, 320 + 32 + 320));
        assert_eq!(steps[2], ("norm", 80 * 8, 3 * 320 + 2 * 32));
        // One of two heads turns: four products and two sums a pair.
        assert_eq!(steps[3], ("rotation", 10 * 4 * 3, 320 + 4 * 5 * 4 + 40 + 320));
        assert_eq!(steps[4], ("gather", 0, 2 * 3 * 32 + 12));
        assert_eq!(steps[5], ("top_k", 2 * 24, 3 * 32 + 4 * 3 * 4));
        let feed = Feed { top, k: 2, to: Input::Ids.into() };
        let shapes =
            [Shape::tokens(8), Shape::tokens(8), Shape::tokens(8), Shape::tokens(8), Shape::rows(8), Shape::rows(4)];
        let extents = Extents { shapes: &shapes, formats: &[], sizes: Sizes::new(3, 1, 3) };
        let fed = extents.work(&Dispatch::of(&feed, 0..0, feed.launch(0..0, extents.sizes)));
        assert_eq!(fed, Some(Work { operations: 0, bytes: 48 + 12 }));
    }

    #[test]
    fn an_op_that_is_not_known_has_none() {
        let mut plan = plan();
        let x = embedded(&mut plan, 8);
        let plan = {
            plan.output(x);
            plan.finish().unwrap()
        };
        let op = &*plan.steps[0];
        let dispatch = Dispatch { op: "unheard of", ..Dispatch::of(op, 0..40, op.launch(0..40, SIZES)) };
        let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes: SIZES };
        assert_eq!(extents.work(&dispatch), None);
    }
}
