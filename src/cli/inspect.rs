//! `ropescope inspect`: facts, modules, parameters and memory of a model, as a table or as JSON.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::model_folder::ModelFolder;
use super::modules::{Module, ModuleKind, Tensor};
use super::stdout::{indented_json, print};
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::model::Architecture;
use crate::plan::{Capacity, Part, PlanOptions, Sizes};
use crate::rope::Rope;

/// Bytes of a number in activations and the KV cache, which are f32.
const NUMBER_BYTES: u64 = 4;

/// The largest --batch.
const MOST_TEXTS: usize = 1 << 20;

/// The default of --length, unless the model takes fewer tokens.
const LENGTH: usize = 128;

#[derive(Args)]
pub struct Arguments {
    /// A folder with config.json and weights, as Hugging Face saves a model; config.json alone will do.
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// Length of the text that output shapes and memory are given for, in tokens [default: 128, or the longest text]
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// The number of texts of that length that output shapes and memory are given for.
    #[arg(long, value_name = "N", default_value_t = 1)]
    batch: usize,
    /// Print JSON: the same facts, modules and sums.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ModelReport {
    architecture: &'static str,
    layers: usize,
    heads: usize,
    key_heads: usize,
    head_size: usize,
    hidden_size: usize,
    vocab_size: usize,
    /// Tokens of the longest text; null: only memory limits it.
    longest_text: Option<u64>,
    /// The encoder of an encoder–decoder; else null.
    encoder: Option<Stack>,
    ropes: Vec<RopeFacts>,
    batch: usize,
    length: usize,
    modules: Vec<Row>,
    parameters: Parameters,
    memory: Memory,
}

#[derive(Debug, Serialize)]
struct Stack {
    layers: usize,
    heads: usize,
    head_size: usize,
    vocab_size: usize,
}

#[derive(Debug, Serialize)]
struct RopeFacts {
    rope_type: &'static str,
    rope_theta: f64,
    /// Layers with this rope.
    layers: usize,
    /// Pairs of a head with θ ≠ 0.
    turning_pairs: usize,
    pairs: usize,
    attention_factor: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    /// The full name, with dots.
    name: String,
    #[serde(skip)]
    label: String,
    tensors: Vec<Tensor>,
    output: Option<Vec<u64>>,
}

#[derive(Debug, Serialize)]
struct Parameters {
    learned: u64,
    fixed: u64,
    /// Tensors of the file that the model does not read, with the count of their numbers.
    unread: Vec<(String, u64)>,
}

/// Bytes.
#[derive(Debug, Serialize)]
struct Memory {
    weights: u64,
    /// Buffers of a run, its result included.
    activations: u64,
    /// The KV cache of the texts, of a causal model.
    cache: u64,
}

impl Arguments {
    /// Prints one row a module, and sums. The header of the weights is checked first.
    pub fn execute(self) -> Result<(), Error> {
        let (model, unread) = ModelFolder::describe(&self.model)?;
        let length = text_length(self.length, model.facts.longest)?;
        if !(1..=MOST_TEXTS).contains(&self.batch) {
            return invalid(format!("--batch {} is not a number from 1 to {MOST_TEXTS}", self.batch));
        }
        let report = ModelReport::of(&model, [self.batch, length], unread)?;
        print(&if self.json { indented_json(&report)? } else { report.table() })
    }
}

fn text_length(length: Option<usize>, longest: Option<u64>) -> Result<usize, Error> {
    let most = longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
    match (length, longest) {
        (Some(0), _) => invalid("--length 0 is no text; give a number from 1"),
        (Some(length), Some(longest)) if length > most => Err(Error::TextTooLong { length, longest, stretches: false }),
        (Some(length), _) => Ok(length),
        (None, _) => Ok(LENGTH.min(most)),
    }
}

impl ModelReport {
    fn of(model: &Architecture, [batch, length]: [usize; 2], unread: Vec<(String, u64)>) -> Result<Self, Error> {
        let (facts, root) = (&model.facts, Module::of(model, [batch, length]));
        let rows = root.below().into_iter().map(|(depth, name, module)| Row {
            label: format!("{}{}", "  ".repeat(depth), module.name),
            name,
            tensors: module.tensors.clone(),
            output: module.output.clone(),
        });
        let turning = |rope: &Rope| {
            let frequencies = rope.frequencies(length as u64);
            RopeFacts {
                rope_type: rope.scaling().name(),
                turning_pairs: frequencies.theta.iter().filter(|theta| **theta != 0.0).count(),
                pairs: frequencies.theta.len(),
                attention_factor: frequencies.magnitude,
                layers: (0..facts.layers).filter(|layer| model.rope(*layer) == Some(rope)).count(),
                rope_theta: rope.base(),
            }
        };
        let ropes: Vec<RopeFacts> = model.ropes.iter().map(turning).collect();
        Ok(Self {
            architecture: facts.architecture,
            layers: facts.layers,
            heads: facts.heads,
            key_heads: facts.key_heads,
            head_size: facts.head_size,
            hidden_size: facts.hidden_size,
            vocab_size: facts.vocab_size,
            longest_text: facts.longest,
            encoder: facts.encoder.as_ref().map(|encoder| Stack {
                layers: encoder.layers,
                heads: encoder.heads,
                head_size: encoder.head_size,
                vocab_size: encoder.vocab_size,
            }),
            ropes,
            batch,
            length,
            modules: rows.collect(),
            parameters: Parameters {
                learned: root.total(ModuleKind::Learned),
                fixed: root.total(ModuleKind::Fixed),
                unread,
            },
            memory: Memory::of(model, [batch, length])?,
        })
    }

    fn table(&self) -> String {
        let header = ["module", "tensors", "output", "parameters"].map(String::from);
        let rows: Vec<[String; 4]> = std::iter::once(header).chain(self.modules.iter().map(Row::cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths = [0, 1, 2, 3].map(width);
        let mut text = format!("{}\n\n", self.facts());
        for [module, tensors, output, parameters] in &rows {
            let [module_width, tensors_width, output_width, parameters_width] = widths;
            let line = format!(
                "{module:module_width$}  {tensors:tensors_width$}  {output:output_width$}  {parameters:>parameters_width$}"
            );
            let _ = writeln!(text, "{}", line.trim_end()); // a String takes every write
        }
        text + "\n" + &self.sums()
    }

    fn facts(&self) -> String {
        let ModelReport { architecture, layers, heads, key_heads, head_size, hidden_size, .. } = self;
        let longest = self.longest_text.map_or("of any length".into(), |longest| format!("up to {longest} tokens"));
        let turns = |rope: &RopeFacts| {
            let RopeFacts { rope_type, rope_theta, layers, turning_pairs, pairs, attention_factor } = rope;
            let of = if self.ropes.len() > 1 { format!(" of {layers} layers, θ {rope_theta}") } else { String::new() };
            format!(", rope {rope_type}{of} ({turning_pairs} of {pairs} pairs turn, × {attention_factor})")
        };
        let turns: String = self.ropes.iter().map(turns).collect();
        let encoder = |Stack { layers, heads, head_size, vocab_size }: &Stack| {
            format!(", after an encoder of {layers} layers, {heads} heads of {head_size}, vocabulary {vocab_size}")
        };
        let encoder = self.encoder.as_ref().map_or(String::new(), encoder);
        format!(
            "{architecture}: {layers} layers, {heads} heads and {key_heads} key heads of {head_size}, hidden size {hidden_size}, \
             vocabulary {}, texts {longest}{turns}{encoder}",
            self.vocab_size
        )
    }

    fn sums(&self) -> String {
        let Parameters { learned, fixed, unread } = &self.parameters;
        let mut lines = vec![
            format!("parameters: {}", thousands(learned.saturating_add(*fixed))),
            format!("  learned: {}", thousands(*learned)),
            format!("  fixed: {}", thousands(*fixed)),
        ];
        for (name, count) in unread {
            lines.push(format!("in the file, but not read: {name} ({})", thousands(*count)));
        }
        let Memory { weights, activations, cache } = self.memory;
        lines.push(format!(
            "memory for {} tokens: {}",
            thousands((self.batch * self.length) as u64),
            bytes(self.memory.total())
        ));
        lines.push(format!("  weights: {}", bytes(weights)));
        lines.push(format!("  activations: {}", bytes(activations)));
        lines.push(format!("  cache: {}", bytes(cache)));
        lines.join("\n") + "\n"
    }
}

impl Row {
    fn cells(&self) -> [String; 4] {
        let tensors = self.tensors.iter().map(|tensor| {
            let note = match tensor.kind {
                ModuleKind::Learned => "",
                ModuleKind::Fixed => " fixed",
                ModuleKind::Tied => " tied",
            };
            format!("{} {:?}{note}", tensor.name, tensor.shape)
        });
        let parameters = self.tensors.iter().map(|tensor| tensor.parameters).fold(0, u64::saturating_add);
        let counted = self.tensors.iter().any(|tensor| tensor.kind != ModuleKind::Tied);
        [
            self.label.clone(),
            tensors.collect::<Vec<_>>().join(", "),
            self.output.as_ref().map_or(String::new(), |shape| format!("{shape:?}")),
            if counted { thousands(parameters) } else { String::new() },
        ]
    }
}

impl Memory {
    fn of(model: &Architecture, [batch, length]: [usize; 2]) -> Result<Self, Error> {
        let plain = PlanOptions::new(Capacity::new(batch, length, 1));
        let elements = |part| {
            let options = PlanOptions { part, ..plain.clone() };
            Ok::<_, Error>(model.record(&options)?.plan.slot_elements().saturating_mul(NUMBER_BYTES))
        };
        let encoder = if model.encoder.is_some() { elements(Part::Encoder)? } else { 0 };
        let activations = elements(Part::Decoder)?.saturating_add(encoder);
        let cache = match model.facts.causal {
            true => {
                let states = model.record(&PlanOptions { has_cache: true, ..plain })?.plan.states;
                let sizes = Sizes { context: length, source_context: length, ..Sizes::new(batch, 0, 0) };
                let numbers = states.iter().map(|state| state.elements(sizes)).fold(0, u64::saturating_add);
                numbers.saturating_mul(NUMBER_BYTES)
            }
            false => 0,
        };
        Ok(Self { weights: model.table.bytes(), activations, cache })
    }

    fn total(&self) -> u64 {
        self.weights.saturating_add(self.activations).saturating_add(self.cache)
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{} bytes", thousands(bytes)),
        _ => format!("{} bytes ({:.2} MB)", thousands(bytes), bytes as f64 / 1e6),
    }
}

/// 1234567 as 1,234,567.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(json: &str, length: usize) -> ModelReport {
        ModelReport::of(&Architecture::read(json, None).unwrap(), [1, length], vec![("cls.extra".into(), 1234)])
            .unwrap()
    }

    const LLAMA: &str = r#"{"model_type": "llama", "vocab_size": 50, "hidden_size": 24, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 40, "max_position_embeddings": 64,
        "rope_scaling": {"rope_type": "linear", "factor": 2.0}}"#;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(thousands), ["0", "12", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn bytes_are_written_as_megabytes_where_there_are_some() {
        assert_eq!([bytes(0), bytes(99_999)], ["0 bytes", "99,999 bytes"]);
        assert_eq!(bytes(12_345_678), "12,345,678 bytes (12.35 MB)");
    }

    #[test]
    fn texts_have_the_length_of_the_request() {
        assert_eq!([text_length(None, Some(64)), text_length(None, None)], [Ok(64), Ok(128)]);
        assert_eq!([text_length(Some(5), Some(64)), text_length(Some(500), None)], [Ok(5), Ok(500)]);
        assert!(text_length(Some(65), Some(64)).is_err() && text_length(Some(0), None).is_err());
    }

    #[test]
    fn the_table_has_facts_rows_and_sums() {
        let text = report(LLAMA, 8).table();
        let facts = "LlamaForCausalLM: 2 layers, 4 heads and 2 key heads of 6, hidden size 24, vocabulary 50, texts up to 128 \
                     tokens, rope linear (3 of 3 pairs turn, × 1)\n";
        assert!(text.starts_with(facts), "{text}");
        let row = |start: &str| {
            let row = text.lines().find(|line| line.trim_start().starts_with(start));
            let row = row.unwrap_or_else(|| panic!("no row {start} in\n{text}"));
            row.trim().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(row("embed_tokens"), ["embed_tokens", "weight [50, 24]", "[1, 8, 24]", "1,200"]);
        assert_eq!(row("k_proj"), ["k_proj", "weight [12, 24]", "[1, 8, 12]", "288"]);
        assert_eq!(row("gate_proj"), ["gate_proj", "weight [40, 24]", "[1, 8, 40]", "960"]);
        assert_eq!(row("input_layernorm"), ["input_layernorm", "weight [24]", "[1, 8, 24]", "24"]);
        assert_eq!(row("self_attn"), ["self_attn", "[1, 8, 24]"]);
        assert_eq!(row("layers"), ["layers"]);
        let layer = 24 * (24 + 12 + 12 + 24) + 3 * 24 * 40 + 2 * 24;
        let learned = 2 * 50 * 24 + 2 * layer + 24;
        assert!(
            text.contains(&format!("\nparameters: {0}\n  learned: {0}\n  fixed: 0\n", thousands(learned))),
            "{text}"
        );
        assert!(text.contains("\nin the file, but not read: cls.extra (1,234)\n"), "{text}");
        // Keys and values: 2 layers of 2 · 12 numbers a token.
        assert!(text.contains(&format!("\n  cache: {} bytes", thousands(4 * 8 * 2 * 24))), "{text}");
    }

    #[test]
    fn json_holds_the_same() {
        let report = report(LLAMA, 8);
        let value: serde_json::Value = serde_json::from_str(&indented_json(&report).unwrap()).unwrap();
        assert_eq!((&value["architecture"], &value["key_heads"]), (&"LlamaForCausalLM".into(), &2.into()));
        let modules = value["modules"].as_array().unwrap();
        let query = modules.iter().find(|module| module["name"] == "model.layers.1.self_attn.q_proj").unwrap();
        assert_eq!(query["output"], serde_json::json!([1, 8, 24]));
        let tensor = serde_json::json!({"name": "weight", "shape": [24, 24], "parameters": 576, "kind": "learned"});
        assert_eq!(query["tensors"], serde_json::json!([tensor]));
        let parameters = modules.iter().flat_map(|module| module["tensors"].as_array().unwrap());
        let sum: u64 = parameters.map(|tensor| tensor["parameters"].as_u64().unwrap()).sum();
        assert_eq!(value["parameters"]["learned"], sum);
        assert_eq!(value["memory"]["weights"], 4 * sum);
    }

    /// The count that the notebook prints of itself, and its rows for four texts of the longest length.
    #[test]
    fn the_notebooks_roformer_is_counted_as_torchinfo_does() {
        let model = Architecture::read(r#"{"model_type": "roformer_notebook"}"#, None).unwrap();
        let text = ModelReport::of(&model, [4, 1024], Vec::new()).unwrap().table();
        assert!(text.contains("\nparameters: 77,509,632\n"), "{text}");
        for (module, output, parameters) in [
            ("token_embeddings", "[4, 1024, 768]", "24,576,000"),
            ("query", "[4, 1024, 768]", "590,592"),
            ("c_fc", "[4, 1024, 3072]", "2,362,368"),
            ("c_proj", "[4, 1024, 768]", "2,360,064"),
            ("layer_norm", "[4, 1024, 768]", "1,536"),
            ("output", "[4, 1024, 32000]", "24,576,000"),
        ] {
            let is_row = |line: &&str| line.trim_start().starts_with(module);
            let row = text.lines().find(is_row).unwrap_or_else(|| panic!("no {module} in\n{text}"));
            assert!(row.contains(output) && row.ends_with(parameters), "{row}");
        }
        let layer = text.lines().find(|line| line.trim_start().starts_with("attention ")).unwrap();
        assert!(layer.trim_end().ends_with("[4, 1024, 768]"), "{layer}");
    }

    #[test]
    fn heads_that_are_normed_have_a_shape_of_their_own() {
        let qwen = LLAMA.replace("llama", "qwen3");
        let report = report(&qwen.replace("\"hidden_size\"", "\"head_dim\": 6, \"hidden_size\""), 8);
        let output = |end: &str| {
            let row = report.modules.iter().find(|row| row.name.ends_with(end)).unwrap();
            row.output.clone().unwrap()
        };
        assert_eq!((output("1.self_attn.q_norm"), output("1.self_attn.k_norm")), (vec![1, 8, 4, 6], vec![1, 8, 2, 6]));
    }
}
