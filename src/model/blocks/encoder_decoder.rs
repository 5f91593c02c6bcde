//! The encoder–decoders that go by BART's names: two stacks of attention and feed-forward layers, positions added to the
//! embeddings, the decoder with attention to what the encoder makes (Hugging Face's modeling_bart.py, modeling_marian.py,
//! modeling_pegasus.py). What a family's own file says is where they differ.

use super::{CrossAttention, FeedForward, Head, SelfAttention, enter_layer, layer_norm, linear, packed_projection};
use crate::error::Error;
use crate::kernels::Activation;
use crate::model::settings::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_HEADS, MOST_LAYERS, activation};
use crate::model::{Architecture, Attention, Class, Facts, Keys, Network, Output};
use crate::ops::{AddedEmbedding, EmbeddingWeights, Epilogue, LinearWeights, NormWeights};
use crate::plan::{PlanBuilder, State, Value, Weight};
use crate::transcendental::pow;
use crate::weight_table::{Aliases, WeightPart, WeightTable};
use std::rc::Rc;

/// Of every LayerNorm: no key of config.json sets it.
const EPSILON: f32 = 1e-5;

/// Positions that a config may claim.
const MOST_POSITIONS: u64 = 1 << 15;

/// What is added to the words of a text by their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// Sines in the first half, cosines in the second; a file that holds them has them as it rounds them.
    Sinusoids,
    /// A learned table of each stack, whose first rows, so many, are no positions.
    Learned(usize),
}

/// Where one family differs from another.
pub struct Variant {
    /// Of its class with a head.
    pub architecture: &'static str,
    pub positions: Positions,
    /// Whether embeddings are normed (`layernorm_embedding`).
    pub norms_embeddings: bool,
    /// Norms before attention and feed-forward, and one at the end of each stack; else behind what they add.
    pub norms_first: bool,
    /// Default of vocab_size.
    pub vocab_size: usize,
    /// Defaults of decoder_start_token_id, eos_token_id.
    pub tokens: [u64; 2],
    /// Whether `share_encoder_decoder_embeddings` and `decoder_vocab_size` may give the decoder words of its own.
    pub has_two_vocabularies: bool,
}

/// Reads a family's config, declares its weights and puts both stacks together.
///
/// # Errors
/// Numbers out of bounds, heads that do not divide the hidden size.
pub fn read(keys: &Keys, class: Class<'_>, variant: &Variant) -> Result<Architecture, Error> {
    let architecture = class.name.unwrap_or(variant.architecture);
    let makes_logits = architecture == variant.architecture;
    let hidden = keys.size("d_model", 1024, LARGEST_SIZE)?;
    let vocab_size = keys.size("vocab_size", variant.vocab_size, LARGEST_VOCABULARY)?;
    let shared = !variant.has_two_vocabularies || keys.flag("share_encoder_decoder_embeddings", true)?;
    let tied = keys.flag("tie_word_embeddings", true)?;
    // Words that the decoder reads. Hugging Face's class makes a table of decoder_vocab_size and replaces it by the shared one where
    // words are tied; its output head writes the words of the shared one either way.
    let target_words = match variant.has_two_vocabularies && !(shared && tied) {
        true => keys.size("decoder_vocab_size", vocab_size, LARGEST_VOCABULARY)?,
        false => vocab_size,
    };
    let target_size = if shared && makes_logits { vocab_size } else { target_words };
    if target_size > target_words {
        return Err(Error::Unsupported {
            key: "decoder_vocab_size".into(),
            found: target_words.to_string(),
            supported: format!("at least vocab_size, {vocab_size}: the decoder reads what the output head writes"),
        });
    }
    let positions = keys.size("max_position_embeddings", 1024, MOST_POSITIONS)?;
    if variant.positions == Positions::Sinusoids && !hidden.is_multiple_of(2) {
        return Err(keys.error("d_model", "even: positions have as many cosines as sines".into()));
    }
    let side = |side: &str, vocab_size| -> Result<Facts, Error> {
        let heads = keys.size(&format!("{side}_attention_heads"), 16, MOST_HEADS)?;
        if !hidden.is_multiple_of(heads) {
            return Err(Error::HeadsDoNotDivide { hidden_size: hidden, heads });
        }
        let head_size = hidden / heads;
        Ok(Facts {
            architecture,
            layers: keys.size(&format!("{side}_layers"), 12, MOST_LAYERS)?,
            heads,
            key_heads: heads,
            head_size,
            hidden_size: hidden,
            embedding_size: hidden,
            intermediate_size: keys.size(&format!("{side}_ffn_dim"), 4096, LARGEST_INNER)?,
            vocab_size,
            max_position_embeddings: positions,
            longest: Some(positions as u64),
            adds_positions: true,
            scale: 1.0 / (head_size as f64).sqrt(),
            ..Facts::default()
        })
    };
    let encoder = side("encoder", vocab_size)?;
    let [start, end] = variant.tokens;
    let last = target_size as u64 - 1;
    let facts = Facts {
        output: if makes_logits { Output::Vocabulary } else { Output::HiddenStates },
        causal: true,
        eos_token_ids: if keys.contains("eos_token_id") {
            keys.ids("eos_token_id")?
        } else {
            vec![end.min(last) as u32]
        },
        decoder_start_token_id: Some(keys.whole("decoder_start_token_id", start.min(last), 0, last)? as u32),
        encoder: Some(Box::new(encoder)),
        ..side("decoder", target_size)?
    };
    let mut declared = Declared {
        table: WeightTable::new(Aliases { prefix: "model.", gamma_beta: false }),
        variant,
        activation: activation(keys, "activation_function", Activation::Gelu)?,
        scale: if keys.flag("scale_embedding", false)? { (hidden as f32).sqrt() } else { 1.0 },
        hidden,
        positions,
        sinusoids: None,
    };
    let words = declared.words([vocab_size, target_words], shared, tied);
    let encoder_facts = facts.encoder.as_deref().unwrap_or(&facts);
    let encoder = declared.stack("encoder", encoder_facts, words[0]);
    let decoder = declared.stack("decoder", &facts, words[1]);
    let name = |index: usize, part: &str| format!("model.decoder.layers.{index}.encoder_attn{part}");
    let cross = |index| declared.cross(&|part| name(index, part), &facts);
    let crosses: Rc<Vec<Cross>> = Rc::new((0..facts.layers).map(cross).collect());
    let head = if makes_logits { declared.head(words[1], target_size, shared, tied) } else { Head::default() };
    let table = declared.table;
    let norms_first = variant.norms_first;
    let encoder = Encoder { stack: encoder, crosses: Rc::clone(&crosses), norms_first };
    let network = Decoder { stack: decoder, crosses, norms_first, head };
    Ok(Architecture { encoder: Some(Box::new(encoder)), ..Architecture::new(facts, table, Vec::new(), network) })
}

/// The table that weights are declared in, and what both stacks share.
struct Declared<'a> {
    table: WeightTable,
    variant: &'a Variant,
    activation: Activation,
    scale: f32,
    hidden: usize,
    positions: usize,
    sinusoids: Option<Weight>,
}

impl Declared<'_> {
    /// Words of the encoder and of the decoder, which may be one table.
    fn words(&mut self, [source, target]: [usize; 2], shared: bool, tied: bool) -> [Weight; 2] {
        const SHARED: &str = "model.shared.weight";
        const OF: [&str; 2] = ["model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"];
        let names = |first: &str, then: &[&str]| {
            let mut names = vec![first.to_string()];
            then.iter().for_each(|name| names.push(name.to_string()));
            names
        };
        if shared && tied {
            let words = self.table.lookup_either(names(SHARED, &OF), source, self.hidden);
            OF.iter().for_each(|name| self.table.tie(names(name, &[]), words));
            return [words; 2];
        }
        // A file in which they are equal may hold them once.
        let then: &[&str] = if shared { &[SHARED] } else { &[] };
        let encoder = self.table.lookup_either(names(OF[0], then), source, self.hidden);
        [encoder, self.table.lookup_either(names(OF[1], then), target, self.hidden)]
    }

    /// The output head: the decoder's words, or a matrix of its own, and a bias that a file may lack.
    fn head(&mut self, words: Weight, vocabulary: usize, shared: bool, tied: bool) -> Head {
        let name = "lm_head.weight";
        let weight = if tied {
            self.table.tie(vec![name.into()], words);
            words
        } else {
            let mut names = vec![name.to_string()];
            if shared {
                names.push("model.shared.weight".into());
            }
            self.table.weight(vocabulary, self.hidden, vec![WeightPart::either(names, &[vocabulary, self.hidden])])
        };
        let bias = self.table.weight(1, vocabulary, vec![WeightPart::new("final_logits_bias", &[1, vocabulary])]);
        self.table.optional(bias);
        LinearWeights { weight, bias: Some(bias) }.into()
    }

    fn stack(&mut self, side: &str, facts: &Facts, word: Weight) -> Stack {
        let name = |part: &str| format!("model.{side}.{part}");
        let added = self.added(&name("embed_positions.weight"));
        let norm = self.variant.norms_embeddings.then(|| self.norm(&name("layernorm_embedding")));
        let layers = (0..facts.layers).map(|index| self.layer(&name(&format!("layers.{index}")), facts)).collect();
        Stack {
            embeddings: EmbeddingWeights { word, added: Some(added), norm, scale: self.scale },
            layers,
            norm: self.variant.norms_first.then(|| self.norm(&name("layer_norm"))),
        }
    }

    /// What is added by position. Sinusoids are the same for both stacks: they are kept once.
    fn added(&mut self, name: &str) -> AddedEmbedding {
        let Self { hidden, positions, .. } = *self;
        let first = match self.variant.positions {
            Positions::Learned(first) => first,
            Positions::Sinusoids => 0,
        };
        if let Some(table) = self.sinusoids {
            self.table.tie(vec![name.into()], table);
            return AddedEmbedding::positions(table, 0);
        }
        let table = self.table.matrix(name, first + positions, hidden);
        self.table.keep_f32(table);
        if self.variant.positions == Positions::Sinusoids {
            self.table.generate_if_missing(table, sinusoids);
            self.sinusoids = Some(table);
        }
        AddedEmbedding::positions(table, first)
    }

    fn layer(&mut self, name: &str, facts: &Facts) -> Layer {
        let Facts { heads, head_size, intermediate_size: inner, causal, .. } = *facts;
        let hidden = self.hidden;
        let of = |part: &str| format!("{name}.{part}");
        let projections = ["q_proj", "k_proj", "v_proj"].map(|part| of(&format!("self_attn.{part}")));
        let projections = projections.each_ref().map(String::as_str);
        Layer {
            attention: SelfAttention {
                projection: packed_projection(&mut self.table, projections, [heads, heads, head_size, hidden], 0, true),
                output: linear(&mut self.table, &of("self_attn.out_proj"), hidden, hidden, true),
                layers: facts.layers,
                heads,
                key_heads: heads,
                head_size,
                rotary: None,
                norms: None,
                causal,
                attention: Attention::Softmax,
                window: None,
                // Hugging Face scales queries, which is the same.
                scale: facts.scale as f32,
                halves: 0,
            },
            attention_norm: self.norm(&of("self_attn_layer_norm")),
            feed_forward: FeedForward {
                up: linear(&mut self.table, &of("fc1"), inner, hidden, true),
                down: linear(&mut self.table, &of("fc2"), hidden, inner, true),
                activation: self.activation,
                gated: false,
            },
            feed_forward_norm: self.norm(&of("final_layer_norm")),
        }
    }

    /// name: of the attention with what follows, "" for its norm's beginning.
    fn cross(&mut self, name: &dyn Fn(&str) -> String, facts: &Facts) -> Cross {
        let Facts { heads, head_size, .. } = *facts;
        let hidden = self.hidden;
        let part = |part: &str, end: &str, shape: &[usize]| WeightPart::new(name(&format!(".{part}.{end}")), shape);
        let both =
            |end: &str, shape: &[usize]| WeightPart::stacked([part("k_proj", end, shape), part("v_proj", end, shape)]);
        let weight = self.table.weight(2 * hidden, hidden, both("weight", &[hidden, hidden]));
        let bias = Some(self.table.weight(1, 2 * hidden, both("bias", &[hidden])));
        let attention = CrossAttention {
            query: linear(&mut self.table, &name(".q_proj"), hidden, hidden, true),
            memory: LinearWeights { weight, bias },
            output: linear(&mut self.table, &name(".out_proj"), hidden, hidden, true),
            heads,
            head_size,
            scale: facts.scale as f32,
        };
        Cross { attention, norm: self.norm(&name("_layer_norm")) }
    }

    fn norm(&mut self, name: &str) -> NormWeights {
        layer_norm(&mut self.table, name, self.hidden, EPSILON)
    }
}

/// Row `position` of a table so wide: sin(position · 10000^(−2i / width)) for every i, then their cosines.
fn sinusoids(position: usize, width: usize) -> Vec<f32> {
    let angle = |i: usize| position as f64 / pow(10_000.0, 2.0 * i as f64 / width as f64);
    let half = || (0..width / 2).map(angle);
    half().map(f64::sin).chain(half().map(f64::cos)).map(|number| number as f32).collect()
}

struct Stack {
    embeddings: EmbeddingWeights,
    layers: Vec<Layer>,
    /// At the end.
    norm: Option<NormWeights>,
}

struct Layer {
    attention: SelfAttention,
    attention_norm: NormWeights,
    feed_forward: FeedForward,
    feed_forward_norm: NormWeights,
}

/// A layer's attention to the source.
struct Cross {
    attention: CrossAttention,
    norm: NormWeights,
}

impl Stack {
    /// (batch, length, hidden_size), after the final norm where there is one. cross: what a layer adds between attention and
    /// feed-forward network.
    fn record(
        &self,
        plan: &mut PlanBuilder,
        norms_first: bool,
        cross: &dyn Fn(&mut PlanBuilder, usize, Value) -> Value,
    ) -> Value {
        let mut hidden = plan.embedding(&self.embeddings);
        for (index, layer) in self.layers.iter().enumerate() {
            enter_layer(plan, index, hidden);
            hidden = added(plan, norms_first, &layer.attention_norm, hidden, |plan, x, then| {
                let context = layer.attention.context(plan, index, x.into());
                plan.linear(context, &layer.attention.output, then)
            });
            hidden = cross(plan, index, hidden);
            hidden = added(plan, norms_first, &layer.feed_forward_norm, hidden, |plan, x, then| {
                layer.feed_forward.record(plan, x.into(), then)
            });
        }
        self.normed(plan, hidden)
    }

    fn normed(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.norm.map_or(hidden, |norm| plan.norm(hidden, &norm))
    }
}

/// x + what(norm x), or norm(x + what(x)). what: given its input and what follows its last product.
fn added(
    plan: &mut PlanBuilder,
    norms_first: bool,
    norm: &NormWeights,
    x: Value,
    what: impl FnOnce(&mut PlanBuilder, Value, Epilogue) -> Value,
) -> Value {
    let input = if norms_first { plan.norm(x, norm) } else { x };
    let sum = what(plan, input, Epilogue::Add(x));
    if norms_first { sum } else { plan.norm(sum, norm) }
}

/// The stack that reads the source, and the decoder's projections of what it makes.
struct Encoder {
    stack: Stack,
    crosses: Rc<Vec<Cross>>,
    norms_first: bool,
}

/// A place for each layer's keys and values of the source.
fn memories(plan: &mut PlanBuilder, crosses: &[Cross]) -> Vec<State> {
    crosses.iter().map(|cross| cross.attention.memory(plan)).collect()
}

impl Network for Encoder {
    fn hidden(&self, plan: &mut PlanBuilder) -> Value {
        self.stack.record(plan, self.norms_first, &|_, _, hidden| hidden)
    }

    /// Leaves keys and values for the decoder.
    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        let memories = memories(plan, &self.crosses);
        for (cross, memory) in self.crosses.iter().zip(memories) {
            cross.attention.write_memory(plan, hidden, memory);
        }
        hidden
    }
}

/// The stack that writes, with its head.
struct Decoder {
    stack: Stack,
    crosses: Rc<Vec<Cross>>,
    norms_first: bool,
    head: Head,
}

impl Network for Decoder {
    fn hidden(&self, plan: &mut PlanBuilder) -> Value {
        let memories = memories(plan, &self.crosses);
        self.stack.record(plan, self.norms_first, &|plan, index, hidden| {
            let (Cross { attention, norm }, memory) = (&self.crosses[index], memories[index]);
            added(plan, self.norms_first, norm, hidden, |plan, x, then| {
                let context = attention.context(plan, x, memory);
                plan.linear(context, &attention.output, then)
            })
        })
    }

    fn head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        self.head.record(plan, hidden)
    }

    fn early_head(&self, plan: &mut PlanBuilder, hidden: Value) -> Value {
        let normed = self.stack.normed(plan, hidden);
        self.head(plan, normed)
    }
}

#[cfg(test)]
mod tests {
    use super::sinusoids;
    use crate::model::Architecture;

    /// Hugging Face's class fails there when it writes an id that the decoder cannot read.
    #[test]
    fn a_decoder_that_reads_fewer_words_than_the_output_writes_is_refused() {
        let error = |settings: &str| {
            let config = format!(r#"{{"model_type": "marian", "d_model": 16, "vocab_size": 29, {settings}}}"#);
            Architecture::read(&config, None).err().map(|error| error.to_string()).unwrap_or_default()
        };
        let untied = r#""tie_word_embeddings": false, "decoder_start_token_id": 0"#;
        let message = error(&format!(r#"{untied}, "decoder_vocab_size": 24"#));
        assert!(message.contains("decoder_vocab_size is 24"), "{message}");
        for settings in [
            format!(r#"{untied}, "decoder_vocab_size": 37"#),
            format!(r#"{untied}, "decoder_vocab_size": 24, "share_encoder_decoder_embeddings": false"#),
            r#""decoder_vocab_size": 24, "decoder_start_token_id": 0"#.into(),
        ] {
            assert_eq!(error(&settings), "", "{settings}");
        }
    }

    #[test]
    fn sines_come_before_cosines() {
        let row = sinusoids(3, 4);
        let angles = [3.0_f64, 0.03];
        let expected = angles.map(f64::sin).into_iter().chain(angles.map(f64::cos)).map(|number| number as f32);
        assert_eq!(row, expected.collect::<Vec<f32>>());
    }
}
