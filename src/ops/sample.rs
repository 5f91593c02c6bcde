//! A token of each row, drawn from the whole distribution behind temperature and cut-offs.

use super::bans::{banned, bans_of};
use crate::kernels::{self, Warpers};
use crate::plan::{DRAW_WORDS, Input, Inputs, Kernel, Launch, Op, PlanBuilder, Shape, Sizes, Use, Value, parameters};
use std::ops::Range;

/// Numbers of a row's result.
pub const SAMPLE_NUMBERS: usize = 4;

struct Sample {
    logits: Value,
    vocabulary: usize,
    bans: Option<Input>,
    samples: Value,
}

impl PlanBuilder {
    /// Draws a token of each row as [`Input::Draws`] says: (rows, vocabulary) → (rows, 4): the id as exact f32, the number of tokens that
    /// the cut-offs leave, ln of the sum of their weights e^((logit − best logit) / temperature), and the drawn token's logit less the
    /// best one. Tokens of [`Input::Bans`], with `has_bans`, and those with logit −∞ are not left. A row without any other is zeros. The
    /// sum is NaN for a row with NaN or +∞. Errors: a vocabulary of 2²⁴ or more, whose ids f32 cannot hold.
    pub fn sample(&mut self, logits: Value, has_bans: bool) -> Value {
        let shape = self.shape(logits);
        let Some(vocabulary) = shape.fixed_width().filter(|_| shape.is_rows()) else {
            self.fail("sample", format!("logits are {}, expected (rows, vocabulary)", shape.describe()));
            return logits;
        };
        if vocabulary >= 1 << 24 {
            self.fail("sample", format!("a vocabulary of {vocabulary} is too large: ids must stay below 16777216"));
        }
        let bans = has_bans.then(|| bans_of(vocabulary));
        let samples = self.value(Shape::rows(SAMPLE_NUMBERS));
        self.step(Sample { logits, vocabulary, bans, samples });
        samples
    }
}

impl Op for Sample {
    fn uses(&self) -> Vec<Use> {
        vec![
            Use::read("logits", self.logits),
            Use::read_if("bans", self.bans),
            Use::read("draws", Input::Draws),
            Use::write("samples", self.samples),
        ]
    }

    fn kernel(&self) -> Kernel {
        Kernel::new("sample/sample").when("bans", self.bans.is_some())
    }

    fn launch(&self, _rows: Range<usize>, sizes: Sizes) -> Launch {
        Launch::new(sizes.rows, parameters! { rows: u32 = sizes.rows, vocabulary: u32 = self.vocabulary })
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let rows = inputs.value(self.logits).chunks_exact(self.vocabulary);
        let draws = inputs.indices(Input::Draws).chunks_exact(DRAW_WORDS);
        for (row, ((logits, words), out)) in
            rows.zip(draws).zip(outputs[0].chunks_exact_mut(SAMPLE_NUMBERS)).enumerate()
        {
            let bans = self.bans.map(|bans| banned(inputs.indices(bans), row, self.vocabulary));
            let number = |word: usize| f64::from(f32::from_bits(words[word]));
            let warpers = Warpers {
                inverse_temperature: number(0),
                top_k: words[1] as usize,
                tail: number(2),
                log_min_p: number(3),
            };
            let random = u64::from(words[4]) | u64::from(words[5]) << 32;
            let found = kernels::sample(logits, bans, &warpers, random);
            let (id, count) = (found.id as f32, found.count as f32);
            out.copy_from_slice(&[id, count, found.log_sum as f32, found.relative_logit]);
        }
    }
}
