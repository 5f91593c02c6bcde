//! The embeddings: LayerNorm(word[id] + token_type[type]), (batch, length, embedding_size). RoFormer adds no position here.

use super::LayerNormWeights;
use super::layer_norm::normalise;
use crate::plan::{
    Access, Binding, Dispatch, Input, Inputs, Kernel, Launch, Op, Plan, Shape, Sizes, Value, Weight, grid,
};

/// word: (vocab_size, embedding_size), token_type: (type_vocab_size, embedding_size) as one row that is never split, and the
/// LayerNorm after their sum.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddingWeights {
    pub word: Weight,
    pub token_type: Weight,
    pub norm: LayerNormWeights,
}

struct Embedding {
    weights: EmbeddingWeights,
    y: Value,
}

impl Plan {
    /// Embeds the run's ids and token types. Ids and types must be below the tables' rows: the session checks that.
    pub fn embedding(&mut self, weights: &EmbeddingWeights) -> Value {
        let width = weights.word.columns;
        if weights.token_type.rows != 1
            || !weights.token_type.columns.is_multiple_of(width)
            || weights.norm.gain.columns != width
        {
            self.fail(
                "embedding",
                format!(
                    "words are {width} wide, token types are {} rows of {}, the norm is {} wide",
                    weights.token_type.rows, weights.token_type.columns, weights.norm.gain.columns
                ),
            );
        }
        let y = self.value(Shape::Tokens { width });
        self.step(Embedding { weights: *weights, y });
        y
    }
}

impl Op for Embedding {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn reads(&self) -> Vec<Value> {
        Vec::new()
    }

    fn writes(&self) -> Vec<Value> {
        vec![self.y]
    }

    fn run(&self, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let EmbeddingWeights { word, token_type, norm } = self.weights;
        let width = word.columns;
        let (words, types) = (inputs.weight(word), inputs.weight(token_type));
        let (gain, shift) = (inputs.weight(norm.gain), inputs.weight(norm.shift));
        let mut summed = vec![0.0; width];
        let tokens = inputs.indices(Input::Ids).iter().zip(inputs.indices(Input::TokenTypes));
        for ((id, kind), out) in tokens.zip(outputs[0].chunks_exact_mut(width)) {
            let (id, kind) = (*id as usize * width, *kind as usize * width);
            for ((sum, w), t) in summed.iter_mut().zip(&words[id..id + width]).zip(&types[kind..kind + width]) {
                *sum = w + t;
            }
            normalise(&summed, gain, shift, norm.epsilon, out);
        }
    }

    fn dispatches(&self, binding_limit: u64) -> Vec<Dispatch> {
        let EmbeddingWeights { word, token_type, norm } = self.weights;
        let whole = |weight| Binding::Weight { weight, part: 0 };
        let parts = word.parts(binding_limit).len();
        (0..parts)
            .map(|part| Dispatch {
                kernel: Kernel {
                    name: "embedding",
                    source: concat!(
                        include_str!("../../shaders/workgroup_sum.wgsl"),
                        include_str!("../../shaders/embedding.wgsl")
                    ),
                    entry: "main",
                    constants: Vec::new(),
                    accesses: &[
                        Access::Read,
                        Access::Read,
                        Access::Read,
                        Access::Read,
                        Access::Read,
                        Access::Read,
                        Access::ReadWrite,
                    ],
                },
                bindings: vec![
                    Binding::Input(Input::Ids),
                    Binding::Input(Input::TokenTypes),
                    Binding::Weight { weight: word, part },
                    whole(token_type),
                    whole(norm.gain),
                    whole(norm.shift),
                    Binding::Value(self.y),
                ],
            })
            .collect()
    }

    fn launch(&self, part: usize, sizes: Sizes, binding_limit: u64) -> Launch {
        let word = self.weights.word;
        let ids = word.parts(binding_limit)[part].clone();
        let tokens = sizes.tokens();
        Launch {
            workgroups: grid(tokens),
            parameters: vec![
                tokens as u32,
                word.columns as u32,
                ids.start as u32,
                ids.len() as u32,
                self.weights.norm.epsilon.to_bits(),
            ],
        }
    }
}
