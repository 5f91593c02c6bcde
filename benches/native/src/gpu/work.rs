//! What a dispatch has to do, by its operands' shapes: operations, and bytes that come from memory and go there if each number is moved
//! once. How often a kernel fetches a number again, and what it computes besides, is the kernel's own affair: that is what is measured.

use ropescope::backend::gpu::Dispatch;
use ropescope::kernels::Format;
use ropescope::plan::{Access, Axis, Input, Operand, Plan, Shape, Sizes, State, Use, Value, Weight};

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

impl Extents<'_> {
    /// What one dispatch has to do; none of an op that no model measured here has.
    pub fn work(&self, dispatch: &Dispatch) -> Option<Work> {
        let word = |name: &str| u64::from(dispatch.launch.parameter(name).unwrap_or(0));
        let uses = &dispatch.uses;
        let all = self.bytes(dispatch);
        let (operations, bytes) = match dispatch.op {
            "gemm" | "gemm/gemv" => {
                let (x, weight) = (self.value(uses.first()?)?, weight(uses.get(1)?)?);
                (2 * x * part(dispatch, weight) as u64, all)
            }
            "gemm/reduce" => (self.value(uses.first()?)?, all),
            "attention" | "attention/few_queries" => (
                4 * word("head_size") * word("sequence_heads") * visible_pairs(&word),
                self.bytes_of_attention(uses, &word)?,
            ),
            "attention/reduce" => (2 * self.value(uses.first()?)?, all),
            "norm" => (self.value(uses.first()?)? * of_norm(dispatch, uses.get(1..4)?), all),
            "embedding" => self.embedding(dispatch)?,
            "rotation" => {
                let rotated = word("rotated") * word("head_size");
                let normed = (word("query_heads") + word("key_heads")) * word("head_size");
                (word("tokens") * (3 * rotated + 4 * normed), all)
            }
            "top_k" => (2 * self.value(uses.first()?)?, all),
            // Rows of what is gathered, not all of it.
            "gather" => (0, 2 * self.value_bytes(uses.get(2)?)? + self.operand(uses.get(1)?, dispatch)),
            "copy_rows" => (0, 8 * word("elements")),
            "feed" => (0, all),
            _ => return None,
        };
        Some(Work { operations, bytes })
    }

    /// What a whole plan has to do.
    ///
    /// # Errors
    /// The name of an op that is not known.
    pub fn of_plan(plan: &Plan, sizes: Sizes) -> Result<Work, &'static str> {
        let extents = Extents { shapes: &plan.shapes, formats: &plan.formats, sizes };
        let mut sum = Work::default();
        for op in &plan.steps {
            let rows = op.split().map_or(0..0, |weight| 0..weight.rows);
            let dispatch = Dispatch::new(&**op, rows.clone(), op.launch(rows, sizes));
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
                let all = 4 * self.elements(value);
                // Of a weight in parts each makes columns of its own.
                match dispatch.uses.get(1).and_then(weight) {
                    Some(weight) if matches!(dispatch.op, "gemm" | "gemm/gemv") && used.writes() => {
                        all * part(dispatch, weight) as u64 / weight.rows as u64
                    }
                    _ => all,
                }
            }
            Operand::Weight(weight) => part(dispatch, weight) as u64 * self.row_bytes(weight),
            Operand::State(state) => 4 * (self.sizes.batch * state.width * self.rows(state, used.access)) as u64,
            // A row for each position of the run.
            Operand::Input(Input::Rotary { head_size, .. }) => 4 * (self.sizes.length * head_size) as u64,
            Operand::Input(input) => 4 * input.shape().elements(self.sizes),
            Operand::Results | Operand::Nothing => 0,
        }
    }

    /// Rows of each sequence that are read, or those that the run writes.
    fn rows(&self, state: State, access: Access) -> usize {
        match (state.axis, access) {
            (Axis::Batch, _) => 1,
            (Axis::Source, _) => self.sizes.source,
            (_, Access::Read) => self.sizes.keys(),
            _ => self.sizes.length,
        }
    }

    /// Queries, keys and values of the heads alone: they may lie beside others.
    fn bytes_of_attention(&self, uses: &[Use], word: &dyn Fn(&str) -> u64) -> Option<u64> {
        let [length, keys, head_size, slices] = ["length", "keys", "head_size", "slices"].map(word);
        let rows = word("sequence_heads") * length;
        let key_rows = word("sequence_heads") / word("group").max(1) * keys;
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
fn visible_pairs(word: &dyn Fn(&str) -> u64) -> u64 {
    let [length, keys, past, causal, window] = ["length", "keys", "past", "causal", "window"].map(word);
    let visible = |query: u64| {
        let (mut first, mut end) = (0, keys);
        if window != 0 {
            (first, end) = ((query + 1).saturating_sub(window).min(keys), (query + window).min(keys));
        }
        if causal != 0 {
            end = (query + 1).min(keys);
        }
        end.saturating_sub(first)
    };
    (past..past + length).map(visible).sum()
}

#[cfg(test)]
mod tests;
