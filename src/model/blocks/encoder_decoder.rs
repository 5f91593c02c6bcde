//! Encoder–decoders with BART's names: two stacks of attention and feed-forward layers, positions added to the embeddings, a decoder with
//! cross-attention to the encoder's output (Hugging Face's modeling_bart.py, modeling_marian.py, modeling_pegasus.py). Each family states
//! how it differs.

use super::{
    CrossAttention, FeedForward, Head, Layer, Norms, SelfAttention, Stack, fused_projection, layer_norm, linear,
    linear_of_parts, output_weight,
};
use crate::error::{Error, Expected};
use crate::kernels::Activation;
use crate::model::settings::{LARGEST_INNER, LARGEST_SIZE, LARGEST_VOCABULARY, MOST_HEADS, MOST_LAYERS, activation};
use crate::model::{Architecture, Facts, HeadKind, Keys};
use crate::ops::{AddedEmbedding, EmbeddingWeights, LinearWeights, NormWeights};
use crate::plan::Weight;
use crate::weight_table::{Aliases, WeightPart, WeightTable};

/// Of every LayerNorm: no key of config.json sets it.
const EPSILON: f32 = 1e-5;

const LARGEST_POSITIONS: u64 = 1 << 15;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// Sines in the first half, cosines in the second. If the file stores them, its rounding is used.
    Sinusoids,
    /// A learned table in each stack. Its first rows, of this number, are no positions.
    Learned(usize),
}

pub struct EncoderDecoder {
    pub positions: Positions,
    /// Whether embeddings are normed (`layernorm_embedding`).
    pub norms_embeddings: bool,
    /// Pre-LN: norms in front of attention and feed-forward network, and one at the end of each stack; else post-LN.
    pub pre_norm: bool,
    /// Default of vocab_size.
    pub vocab_size: usize,
    /// Defaults of decoder_start_token_id, eos_token_id.
    pub tokens: [u64; 2],
    /// Whether `share_encoder_decoder_embeddings` and `decoder_vocab_size` may give the decoder a vocabulary of its own.
    pub has_two_vocabularies: bool,
}

impl EncoderDecoder {
    /// Reads the config of a class of the family, and declares the weights of both stacks.
    pub fn read(&self, keys: &Keys, class: &'static str) -> Result<Architecture, Error> {
        let hidden = keys.size("d_model", 1024, LARGEST_SIZE)?;
        let vocab_size = keys.size("vocab_size", self.vocab_size, LARGEST_VOCABULARY)?;
        let output = HeadKind::of_class(class);
        let shared = !self.has_two_vocabularies || keys.flag("share_encoder_decoder_embeddings", true)?;
        let tied = keys.flag("tie_word_embeddings", true)?;
        // Rows of the decoder's word embeddings. Hugging Face's class creates a table of decoder_vocab_size and replaces it by the
        // shared one if embeddings are tied; its output head has the shared vocabulary either way.
        let target_words = match self.has_two_vocabularies && !(shared && tied) {
            true => keys.size("decoder_vocab_size", vocab_size, LARGEST_VOCABULARY)?,
            false => vocab_size,
        };
        let target_size = if shared && output == HeadKind::Vocabulary { vocab_size } else { target_words };
        if target_size > target_words {
            // The output head's ids are the decoder's next input.
            let expected = Expected::IntegerBetween { least: vocab_size as u64, most: LARGEST_VOCABULARY };
            return Err(keys.error("decoder_vocab_size", expected));
        }
        let positions = keys.size("max_position_embeddings", 1024, LARGEST_POSITIONS)?;
        if self.positions == Positions::Sinusoids && !hidden.is_multiple_of(2) {
            return Err(keys.error("d_model", Expected::EvenNumber));
        }
        let side = |side: &str, vocab_size| -> Result<Facts, Error> {
            let heads = keys.size(&format!("{side}_attention_heads"), 16, MOST_HEADS)?;
            if !hidden.is_multiple_of(heads) {
                return Err(Error::HeadsDoNotDivide { hidden_size: hidden, heads });
            }
            let layers = keys.size(&format!("{side}_layers"), 12, MOST_LAYERS)?;
            Ok(Facts {
                output: HeadKind::HiddenStates,
                intermediate_size: keys.size(&format!("{side}_ffn_dim"), 4096, LARGEST_INNER)?,
                vocab_size,
                max_position_embeddings: positions,
                longest: Some(positions as u64),
                adds_positions: true,
                ..Facts::new(class, layers, [heads, heads, hidden / heads], hidden)
            })
        };
        let encoder_facts = side("encoder", vocab_size)?;
        let [start, end] = self.tokens;
        let last = target_size as u64 - 1;
        let facts = Facts {
            output,
            causal: true,
            eos_token_ids: if keys.contains("eos_token_id") {
                keys.ids("eos_token_id")?
            } else {
                vec![end.min(last) as u32]
            },
            decoder_start_token_id: Some(keys.integer("decoder_start_token_id", start.min(last), 0, last)? as u32),
            encoder: Some(Box::new(encoder_facts.clone())),
            ..side("decoder", target_size)?
        };
        let mut weights = LayerBuilder {
            table: WeightTable::new(Aliases { prefix: "model.", gamma_beta: false }),
            family: self,
            activation: activation(keys, "activation_function", Activation::Gelu)?,
            scale: if keys.flag("scale_embedding", false)? { (hidden as f32).sqrt() } else { 1.0 },
            hidden,
            positions,
            sinusoids: None,
        };
        let words = weights.words([vocab_size, target_words], shared, tied);
        let mut encoder = weights.stack("encoder", &encoder_facts, words[0]);
        let mut decoder = weights.stack("decoder", &facts, words[1]);
        for (index, layer) in decoder.layers.iter_mut().enumerate() {
            let cross = weights.cross(&format!("model.decoder.layers.{index}.encoder_attn"), &facts);
            encoder.head.cross.push(cross.0);
            layer.cross = Some(cross);
        }
        if output == HeadKind::Vocabulary {
            decoder.head = weights.head(words[1], target_size, shared, tied);
        }
        let architecture = Architecture::new(facts, weights.table, Vec::new(), decoder);
        Ok(Architecture { encoder: Some(Box::new(encoder)), ..architecture })
    }
}

/// The table of weights while a family declares them, and the settings of both stacks.
struct LayerBuilder<'a> {
    table: WeightTable,
    family: &'a EncoderDecoder,
    activation: Activation,
    scale: f32,
    hidden: usize,
    positions: usize,
    sinusoids: Option<Weight>,
}

impl LayerBuilder<'_> {
    /// Word embeddings of the encoder and of the decoder, which may be one table.
    fn words(&mut self, [source, target]: [usize; 2], shared: bool, tied: bool) -> [Weight; 2] {
        let name = |owner: &str| format!("model.{owner}.weight");
        let [common, encoder, decoder] = ["shared", "encoder.embed_tokens", "decoder.embed_tokens"].map(name);
        if shared && tied {
            let names = vec![common, encoder.clone(), decoder.clone()];
            let words = self.table.lookup_either(names, source, self.hidden);
            [encoder, decoder].into_iter().for_each(|name| self.table.tie([name], words));
            return [words; 2];
        }
        // A file in which both are equal may store them once.
        let common = shared.then_some(common);
        [(encoder, source), (decoder, target)].map(|(name, rows)| {
            self.table.lookup_either([name].into_iter().chain(common.clone()).collect(), rows, self.hidden)
        })
    }

    /// The output head: the decoder's words or a matrix of its own, and a bias that a file may lack.
    fn head(&mut self, words: Weight, vocabulary: usize, shared: bool, tied: bool) -> Head {
        let mut names = vec!["lm_head.weight".to_string()];
        names.extend((shared && !tied).then(|| "model.shared.weight".into()));
        let weight = output_weight(&mut self.table, names, words, tied, [vocabulary, self.hidden]);
        let bias = self.table.weight(1, vocabulary, vec![WeightPart::new("final_logits_bias", &[1, vocabulary])]);
        self.table.optional(bias);
        LinearWeights { weight, bias: Some(bias) }.into()
    }

    fn stack(&mut self, side: &str, facts: &Facts, word: Weight) -> Stack {
        let name = |part: &str| format!("model.{side}.{part}");
        let added = Some(self.position_embedding(&name("embed_positions.weight")));
        let norm = self.family.norms_embeddings.then(|| self.norm(&name("layernorm_embedding")));
        let layers = (0..facts.layers).map(|index| self.layer(&name(&format!("layers.{index}")), facts)).collect();
        Stack {
            embeddings: EmbeddingWeights { word, added, norm, scale: self.scale }.into(),
            layers,
            norm: self.family.pre_norm.then(|| self.norm(&name("layer_norm"))),
            head: Head::default(),
        }
    }

    /// The table of positions. Both stacks share one table of sinusoids.
    fn position_embedding(&mut self, name: &str) -> AddedEmbedding {
        let Self { hidden, positions, .. } = *self;
        let first = match self.family.positions {
            Positions::Learned(first) => first,
            Positions::Sinusoids => 0,
        };
        if let Some(table) = self.sinusoids {
            self.table.tie(vec![name.into()], table);
            return AddedEmbedding::positions(table, 0);
        }
        let table = self.table.matrix(name, first + positions, hidden);
        self.table.keep_f32(table);
        if self.family.positions == Positions::Sinusoids {
            self.table.generate_if_missing(table, sinusoids);
            self.sinusoids = Some(table);
        }
        AddedEmbedding::positions(table, first)
    }

    fn layer(&mut self, name: &str, facts: &Facts) -> Layer {
        let hidden = self.hidden;
        let name = |part: &str| format!("{name}.{part}");
        let projections = ["q_proj", "k_proj", "v_proj"].map(|part| name(&format!("self_attn.{part}")));
        let projection = fused_projection(&mut self.table, projections, facts, 0, true);
        let output = linear(&mut self.table, &name("self_attn.out_proj"), hidden, hidden, true);
        let attention_norms = self.norms(&name("self_attn_layer_norm"));
        let names = ["fc1", "fc2"].map(name);
        Layer {
            attention: SelfAttention::new(projection, output),
            attention_norms,
            cross: None,
            feed_forward: FeedForward::new(&mut self.table, names, facts, true, self.activation),
            feed_forward_norms: self.norms(&name("final_layer_norm")),
            parallel: false,
        }
    }

    /// The cross-attention `name` of a layer of the decoder, and its norms.
    fn cross(&mut self, name: &str, facts: &Facts) -> (CrossAttention, Norms) {
        let hidden = facts.hidden_size;
        let part = |part: &str| format!("{name}.{part}");
        let memory = linear_of_parts(&mut self.table, 2 * hidden, hidden, true, |tensor| {
            WeightPart::stacked(["k_proj", "v_proj"].map(|name| tensor(&part(name), hidden)))
        });
        let attention = CrossAttention {
            query: linear(&mut self.table, &part("q_proj"), hidden, hidden, true),
            memory,
            output: linear(&mut self.table, &part("out_proj"), hidden, hidden, true),
            heads: facts.heads,
        };
        (attention, self.norms(&format!("{name}_layer_norm")))
    }

    fn norm(&mut self, name: &str) -> NormWeights {
        layer_norm(&mut self.table, name, self.hidden, EPSILON)
    }

    /// The one norm of a sublayer.
    fn norms(&mut self, name: &str) -> Norms {
        let norm = self.norm(name);
        if self.family.pre_norm { Norms::pre(norm) } else { Norms::post(norm) }
    }
}

/// Row `position` of the table of sinusoids, of this width: sin(position · 10000^(−2i / width)) for every i, then the cosines.
fn sinusoids(position: usize, width: usize) -> Vec<f32> {
    let angle = |i: usize| position as f64 / 10_000_f64.powf(2.0 * i as f64 / width as f64);
    let half = || (0..width / 2).map(angle);
    half().map(f64::sin).chain(half().map(f64::cos)).map(|number| number as f32).collect()
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
