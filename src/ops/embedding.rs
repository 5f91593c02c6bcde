//! The embeddings: norm(scale · word[id] + token_type[type]), (batch, length, embedding_size); types and norm where the family has them.
//! No position is added here: RoPE does that in attention.

use super::NormWeights;
use crate::kernels::{self, Format, add, normalise};
use crate::plan::{Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Use, Value, Weight};
use std::ops::Range;

/// word: (vocab_size, embedding_size), token_type: (type_vocab_size, embedding_size), and the norm after their sum.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddingWeights {
    pub word: Weight,
    pub token_type: Option<Weight>,
    pub norm: Option<NormWeights>,
    /// What words are multiplied with.
    pub scale: f32,
}

struct Embedding {
    weights: EmbeddingWeights,
    /// Of the words.
    format: Format,
    y: Value,
}

impl Plan {
    /// Embeds the run's ids and token types. Ids and types must be below the tables' rows: the session checks that.
    pub fn embedding(&mut self, weights: &EmbeddingWeights) -> Value {
        let width = weights.word.columns;
        let norms = weights.norm.into_iter().flat_map(|norm| [norm.gain, norm.shift]).flatten();
        if weights.token_type.into_iter().chain(norms).any(|weight| weight.columns != width) {
            self.fail("embedding", format!("words are {width} wide, token types or the norm are not"));
        }
        let y = self.value(Shape::tokens(width));
        let format = self.format(weights.word);
        self.step(Embedding { weights: *weights, format, y });
        y
    }
}

impl Op for Embedding {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn uses(&self) -> Vec<Use> {
        let EmbeddingWeights { word, token_type, norm, .. } = self.weights;
        vec![
            Use::read(Input::Ids),
            Use::read_if(token_type.map(|_| Input::TokenTypes)),
            Use::read(word),
            Use::read_if(token_type),
            Use::read_if(norm.and_then(|norm| norm.gain)),
            Use::read_if(norm.and_then(|norm| norm.shift)),
            Use::write(self.y),
        ]
    }

    fn kernel(&self) -> Kernel {
        let EmbeddingWeights { token_type, norm, .. } = self.weights;
        let has = |present: bool| if present { 1.0 } else { 0.0 };
        Kernel {
            name: "embedding",
            source: concat!(shader!("workgroup_sum"), shader!("packed"), shader!("embedding")),
            entry: "main",
            constants: vec![
                ("format", self.format.code()),
                ("centres", norm.map_or(0.0, |norm| norm.centres())),
                ("has_types", has(token_type.is_some())),
                ("has_norm", has(norm.is_some())),
                ("has_gain", has(norm.is_some_and(|norm| norm.gain.is_some()))),
                ("has_shift", has(norm.is_some_and(|norm| norm.shift.is_some()))),
            ],
        }
    }

    fn split(&self) -> Option<Weight> {
        Some(self.weights.word)
    }

    fn launch(&self, rows: Range<usize>, sizes: Sizes) -> Launch {
        let tokens = sizes.tokens();
        let epsilon = self.weights.norm.map_or(0.0, |norm| norm.epsilon);
        Launch::new(tokens, &[tokens, self.weights.word.columns, rows.start, rows.len()])
            .and(epsilon)
            .and(self.weights.scale)
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let EmbeddingWeights { word, token_type, norm, scale } = self.weights;
        let width = word.columns;
        let words = inputs.matrix(word);
        let types = token_type.map(|table| (inputs.weight(table), inputs.indices(Input::TokenTypes)));
        let norm = norm.map(|norm| norm.filled(inputs));
        for (token, (id, out)) in inputs.indices(Input::Ids).iter().zip(outputs[0].chunks_exact_mut(width)).enumerate()
        {
            words.row(*id as usize, out);
            kernels::scale(out, scale);
            if let Some((table, kinds)) = types {
                add(out, &table[kinds[token] as usize * width..][..width]);
            }
            if let Some(norm) = &norm {
                normalise(out, norm);
            }
        }
    }
}
