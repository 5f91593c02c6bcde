//! Embeddings: norm(scale · word[id] + added[row]), (batch, length, embedding_size). The added table (token types or positions) and the norm are
//! optional. A model with RoPE adds no position here: attention rotates.

use super::norm::NormWeights;
use crate::kernels::{self, Format, add, normalise};
use crate::plan::{
    Cell, Derivation, Input, Inputs, Kernel, Launch, Op, PlanBuilder, Shape, Sizes, Use, Value, Weight, parameters,
};
use std::ops::Range;

/// word: (vocab_size, embedding_size).
#[derive(Debug, Clone, Copy)]
pub struct EmbeddingWeights {
    pub word: Weight,
    pub added: Option<AddedEmbedding>,
    pub norm: Option<NormWeights>,
    /// Factor of the word embeddings.
    pub scale: f32,
}

/// A table (rows, embedding_size), of which each token adds a row.
#[derive(Debug, Clone, Copy)]
pub struct AddedEmbedding {
    pub table: Weight,
    /// [`Input::TokenTypes`] or [`Input::Positions`]: the row of each token less `first`.
    pub by: Input,
    pub first: usize,
}

impl AddedEmbedding {
    /// table: (type_vocab_size, embedding_size)
    pub fn types(table: Weight) -> Self {
        Self { table, by: Input::TokenTypes, first: 0 }
    }

    /// table: (first + positions, embedding_size)
    pub fn positions(table: Weight, first: usize) -> Self {
        Self { table, by: Input::Positions, first }
    }
}

struct Embedding {
    weights: EmbeddingWeights,
    /// Storage format of the word embeddings.
    format: Format,
    y: Value,
}

impl PlanBuilder {
    /// Embeds the run's ids. Ids and rows are inside of their tables: requests are checked before they run.
    pub fn embedding(&mut self, weights: &EmbeddingWeights) -> Value {
        let width = weights.word.columns;
        let norms = weights.norm.into_iter().flat_map(|norm| [norm.gain, norm.shift]).flatten();
        if weights.added.map(|added| added.table).into_iter().chain(norms).any(|weight| weight.columns != width) {
            self.fail("embedding", format!("words are {width} wide, what is added or the norm is not"));
        }
        let y = self.value(Shape::tokens(width));
        let format = self.format(weights.word);
        self.step(Embedding { weights: *weights, format, y });
        y
    }
}

impl Op for Embedding {
    fn uses(&self) -> Vec<Use> {
        let EmbeddingWeights { word, added, norm, .. } = self.weights;
        vec![
            Use::read("ids", Input::Ids),
            Use::read_if("rows", added.map(|added| added.by)),
            Use::read("weight", word),
            Use::read_if("added", added.map(|added| added.table)),
            Use::read_if("gain", norm.and_then(|norm| norm.gain)),
            Use::read_if("shift", norm.and_then(|norm| norm.shift)),
            Use::write("y", self.y),
        ]
    }

    fn kernel(&self) -> Kernel {
        let EmbeddingWeights { added, norm, .. } = self.weights;
        Kernel::new("embedding/embedding")
            .set("format", self.format.code())
            .set("centres", norm.is_some_and(|norm| norm.centres()))
            .set("has_added", added.is_some())
            .set("has_norm", norm.is_some())
            .set("has_gain", norm.is_some_and(|norm| norm.gain.is_some()))
            .set("has_shift", norm.is_some_and(|norm| norm.shift.is_some()))
    }

    fn split(&self) -> Option<Weight> {
        Some(self.weights.word)
    }

    fn launch(&self, rows: Range<usize>, sizes: Sizes) -> Launch {
        let tokens = sizes.tokens();
        let params = parameters! {
            tokens: u32 = tokens,
            width: u32 = self.weights.word.columns,
            first_id: u32 = rows.start,
            ids_in_part: u32 = rows.len(),
            first_row: u32 = self.weights.added.map_or(0, |added| added.first),
            epsilon: f32 = self.weights.norm.map_or(0.0, |norm| norm.epsilon),
            scale: f32 = self.weights.scale,
        };
        Launch::new(tokens, params)
    }

    fn run(&self, _chunks: Range<usize>, inputs: &dyn Inputs, outputs: &mut [&mut [f32]], _sizes: Sizes) {
        let EmbeddingWeights { word, added, norm, scale } = self.weights;
        let width = word.columns;
        let words = inputs.matrix(word);
        let added = added.map(|added| (inputs.weight(added.table), inputs.indices(added.by), added.first));
        let norm = norm.map(|norm| norm.filled(inputs));
        for (token, (id, out)) in inputs.indices(Input::Ids).iter().zip(outputs[0].chunks_exact_mut(width)).enumerate()
        {
            words.row(*id as usize, out);
            kernels::scale(out, scale);
            if let Some((table, rows, first)) = added {
                add(out, &table[(first + rows[token] as usize) * width..][..width]);
            }
            if let Some(norm) = &norm {
                normalise(out, norm);
            }
        }
    }

    fn derive(&self, _value: Value, token: usize, column: usize) -> Option<Derivation> {
        let EmbeddingWeights { word, added, norm, scale } = self.weights;
        if norm.is_some() {
            return None;
        }
        let lookup = |name, table, by, first| Derivation::Cell(name, Cell::Lookup { table, by, first, token, column });
        let scale_factor = (scale != 1.0).then_some(Derivation::Constant { name: "scale", value: f64::from(scale) });
        let words = lookup("word embedding", word, Input::Ids, 0).times(scale_factor);
        let added = added.map(|AddedEmbedding { table, by, first }| {
            lookup(if by == Input::Positions { "position embedding" } else { "type embedding" }, table, by, first)
        });
        // Without the words the op reads the added row alone.
        Some(match added {
            Some(added) if scale == 0.0 => added,
            added => words.plus(added),
        })
    }
}
