//! The RoFormer that a Hungarian notebook writes in plain PyTorch, by its own state dict: norms before attention, a feed-forward network
//! that ends in a norm of what it gives and of what it reads, no norm of embeddings or at the end, an output of its own. Its rotary
//! table is rounded to bf16, where cosine and sine of an angle come to a length between 0.9973 and 1.0028.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{FeedForward, SelfAttention, enter_layer, layer_norm, linear, packed_projection};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_HEADS, MOST_LAYERS, one_of, split_heads,
};
use crate::model::{Architecture, Attention, Class, Facts, Keys, Network, Output};
use crate::ops::{EmbeddingWeights, Epilogue, LinearWeights, NormWeights, Rotary};
use crate::plan::{PlanBuilder, Value};
use crate::rope::{Rope, Scaling};
use crate::weight_table::{Aliases, WeightTable};

pub static FAMILY: Family = Family { model_type: "roformer_notebook", architectures: &["NotebookRoFormer"], read };

fn read(keys: &Keys, _class: Class<'_>) -> Result<Architecture, Error> {
    let hidden_size = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let heads = keys.size("n_heads", 4, MOST_HEADS)?;
    let head_size = split_heads(hidden_size, heads)?;
    let block_size = keys.size("block_size", 1024, LARGEST_VOCABULARY)?;
    let base = keys.number("rope_base", 1e6, f64::MIN_POSITIVE, 1e18)?;
    let rope = Rope::new(head_size, head_size, base, Scaling::Default, block_size as u64)?;
    let exact = one_of(keys, "rope_table_dtype", &["bfloat16", "float32"])? == 1;
    let rope = if exact { rope } else { rope.with_bf16_table()? };
    let facts = Facts {
        architecture: "NotebookRoFormer",
        output: Output::Vocabulary,
        layers: keys.size("n_layers", 4, MOST_LAYERS)?,
        heads,
        key_heads: heads,
        head_size,
        hidden_size,
        embedding_size: hidden_size,
        intermediate_size: keys.size("intermediate_size", 3072, LARGEST_INNER)?,
        vocab_size: keys.size("vocab_size", 32_000, LARGEST_VOCABULARY)?,
        max_position_embeddings: block_size,
        longest: Some(block_size as u64),
        scale: 1.0 / (head_size as f64).sqrt(),
        ..Facts::default()
    };
    let epsilon = keys.number("layer_norm_eps", 1e-5, 0.0, 1.0)? as f32;
    let mut table = WeightTable::new(Aliases { prefix: "", gamma_beta: false });
    let word = table.lookup("token_embeddings.weight", facts.vocab_size, hidden_size);
    let layers = (0..facts.layers).map(|index| Layer::declare(&facts, &mut table, index, epsilon)).collect();
    let output = linear(&mut table, "output", facts.vocab_size, hidden_size, false);
    let embeddings = EmbeddingWeights { word, added: None, norm: None, scale: 1.0 };
    Ok(Architecture::new(facts, table, vec![rope], Notebook { embeddings, layers, output }))
}

struct Layer {
    attention_norm: NormWeights,
    attention: SelfAttention,
    feed_forward_norm: NormWeights,
    feed_forward: FeedForward,
    /// Of the network's output and its input.
    fed_norm: NormWeights,
}

impl Layer {
    fn declare(facts: &Facts, table: &mut WeightTable, index: usize, epsilon: f32) -> Self {
        let Facts { hidden_size: hidden, intermediate_size: inner, heads, head_size, layers, .. } = *facts;
        let name = |part: &str| format!("layers.{index}.{part}");
        let projections = ["query", "key", "value"].map(|part| name(&format!("attention.{part}")));
        let projections = projections.each_ref().map(String::as_str);
        let attention = SelfAttention {
            projection: packed_projection(table, projections, [heads, heads, head_size, hidden], 0, true),
            output: linear(table, &name("attention.w_o"), hidden, hidden, true),
            layers,
            heads,
            key_heads: heads,
            head_size,
            rotary: Some(Rotary { rope: 0, head_size, rotated_columns: 2 * hidden }),
            norms: None,
            causal: false,
            window: None,
            scale: facts.scale as f32,
            attention: Attention::Softmax,
            halves: 0,
        };
        Self {
            attention,
            feed_forward: FeedForward {
                up: linear(table, &name("feed_forward.c_fc"), inner, hidden, true),
                down: linear(table, &name("feed_forward.c_proj"), hidden, inner, true),
                activation: Activation::Gelu,
                gated: false,
            },
            fed_norm: layer_norm(table, &name("feed_forward.layer_norm"), hidden, epsilon),
            attention_norm: layer_norm(table, &name("attention_norm"), hidden, epsilon),
            feed_forward_norm: layer_norm(table, &name("ffn_norm"), hidden, epsilon),
        }
    }

    /// x: (batch, length, hidden_size).
    fn record(&self, plan: &mut PlanBuilder, index: usize, x: Value) -> Value {
        let context = self.attention.context(plan, index, self.attention_norm.of(x));
        let attended = plan.linear(context, &self.attention.output, Epilogue::Add(x));
        let read = plan.norm(attended, &self.feed_forward_norm);
        let fed = self.feed_forward.record(plan, read.into(), Epilogue::Add(read));
        plan.norm_onto(fed, &self.fed_norm, attended)
    }
}

struct Notebook {
    embeddings: EmbeddingWeights,
    layers: Vec<Layer>,
    output: LinearWeights,
}

impl Network for Notebook {
    fn hidden(&self, plan: &mut PlanBuilder) -> Value {
        let mut hidden = plan.embedding(&self.embeddings);
        for (index, layer) in self.layers.iter().enumerate() {
            enter_layer(plan, index, hidden);
            hidden = layer.record(plan, index, hidden);
        }
        hidden
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        plan.linear(hidden, &self.output, Epilogue::None)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Architecture;

    #[test]
    fn the_notebooks_sizes_come_to_its_count() {
        let model = Architecture::read(r#"{"model_type": "roformer_notebook"}"#, None).unwrap();
        assert_eq!(model.table.parameters(), 77_509_632);
        assert_eq!((model.facts.head_size, model.facts.longest), (192, Some(1024)));
    }

    #[test]
    fn a_table_of_another_type_and_heads_that_do_not_divide_are_refused() {
        for (setting, told) in [("\"rope_table_dtype\": \"int8\"", "bfloat16"), ("\"n_heads\": 5", "divide")] {
            let config = format!(r#"{{"model_type": "roformer_notebook", {setting}}}"#);
            let error = Architecture::read(&config, None).err().unwrap().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
