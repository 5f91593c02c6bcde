//! The RoFormer of a Hungarian notebook in plain PyTorch, under the names of its own state dict. It has pre-LN layers and an output matrix
//! of its own. The sum of the feed-forward network's input and output is normed; embeddings and the last hidden states are not. The rotary
//! table is rounded to bf16, so that cosine and sine of an angle have a length between 0.9973 and 1.0028.

use super::Family;
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::blocks::{FeedForward, Layer, Norms, SelfAttention, Stack, fused_projection, layer_norm, linear};
use crate::model::settings::{
    LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_HEADS, MOST_LAYERS, one_of, split_heads,
};
use crate::model::{Architecture, Facts, HeadKind, Keys};
use crate::ops::EmbeddingWeights;
use crate::rope::{Rope, Scaling};
use crate::weight_table::{Aliases, WeightTable};
use crate::weights::Header;

pub static FAMILY: Family = Family { model_type: "roformer_notebook", architectures: &["NotebookRoFormer"], read };

fn read(keys: &Keys, class: &'static str, _: Option<&Header>) -> Result<Architecture, Error> {
    let hidden_size = keys.size("hidden_size", 768, LARGEST_SIZE)?;
    let sizes = split_heads(hidden_size, keys.size("n_heads", 4, MOST_HEADS)?)?;
    let [_, _, head_size] = sizes;
    let block_size = keys.size("block_size", 1024, LARGEST_VOCABULARY)?;
    let base = keys.number("rope_base", 1e6, f64::MIN_POSITIVE, 1e18)?;
    let rope = Rope::new(head_size, 1.0, base, Scaling::Default, block_size as u64)?;
    let is_exact = one_of(keys, "rope_table_dtype", &["bfloat16", "float32"])? == 1;
    let rope = if is_exact { rope } else { rope.with_bf16_table()? };
    let facts = Facts {
        output: HeadKind::Vocabulary,
        intermediate_size: keys.size("intermediate_size", 3072, LARGEST_INNER)?,
        vocab_size: keys.size("vocab_size", 32_000, LARGEST_VOCABULARY)?,
        max_position_embeddings: block_size,
        longest: Some(block_size as u64),
        ..Facts::new(class, keys.size("n_layers", 4, MOST_LAYERS)?, sizes, hidden_size)
    };
    let epsilon = keys.number("layer_norm_eps", 1e-5, 0.0, 1.0)? as f32;
    let mut table = WeightTable::new(Aliases { prefix: "", gamma_beta: false });
    let word = table.lookup("token_embeddings.weight", facts.vocab_size, hidden_size);
    let layers = (0..facts.layers).map(|index| layer(&facts, &mut table, index, epsilon)).collect();
    let head = linear(&mut table, "output", facts.vocab_size, hidden_size, false).into();
    let embeddings = EmbeddingWeights { word, added: None, norm: None, scale: 1.0 }.into();
    Ok(Architecture::new(facts, table, vec![rope], Stack { embeddings, layers, norm: None, head }))
}

fn layer(facts: &Facts, table: &mut WeightTable, index: usize, epsilon: f32) -> Layer {
    let hidden = facts.hidden_size;
    let name = |part: &str| format!("layers.{index}.{part}");
    let projections = ["query", "key", "value"].map(|part| name(&format!("attention.{part}")));
    let projection = fused_projection(table, projections, facts, 0, true);
    let output = linear(table, &name("attention.w_o"), hidden, hidden, true);
    let names = ["feed_forward.c_fc", "feed_forward.c_proj"].map(name);
    let feed_forward = FeedForward::new(table, names, facts, true, Activation::Gelu);
    let mut norm = |part: &str| Some(layer_norm(table, &name(part), hidden, epsilon));
    let output_norm = norm("feed_forward.layer_norm");
    Layer {
        attention: SelfAttention::new(projection, output).rotated_by(facts, 0, 0),
        attention_norms: Norms { input: norm("attention_norm"), ..Norms::default() },
        cross: None,
        feed_forward,
        feed_forward_norms: Norms { input: norm("ffn_norm"), output: output_norm, after: None, adds_input: true },
        parallel: false,
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Architecture;

    #[test]
    fn a_table_of_another_type_and_heads_that_do_not_divide_are_refused() {
        for (setting, reason) in [("\"rope_table_dtype\": \"int8\"", "bfloat16"), ("\"n_heads\": 5", "divide")] {
            let config = format!(r#"{{"model_type": "roformer_notebook", {setting}}}"#);
            let error = Architecture::read(&config, None).err().unwrap().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
