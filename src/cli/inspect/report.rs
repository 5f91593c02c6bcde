//! Facts, modules, parameters and memory of a model.

use serde::Serialize;

use crate::cli::modules::{Module, ModuleKind, Tensor};
use crate::error::Error;
use crate::model::Architecture;
use crate::plan::{Capacity, Part, PlanOptions, Sizes};
use crate::rope::Rope;

/// Bytes of a number in activations and the KV cache, which are f32.
const NUMBER_BYTES: u64 = 4;

#[derive(Debug, Serialize)]
pub(super) struct ModelReport {
    pub(super) architecture: &'static str,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) key_heads: usize,
    pub(super) head_size: usize,
    pub(super) hidden_size: usize,
    pub(super) vocab_size: usize,
    /// Tokens of the longest text; null: only memory limits it.
    pub(super) longest_text: Option<u64>,
    /// The encoder of an encoder–decoder; else null.
    pub(super) encoder: Option<Stack>,
    pub(super) ropes: Vec<RopeFacts>,
    pub(super) batch: usize,
    pub(super) length: usize,
    pub(super) modules: Vec<Row>,
    pub(super) parameters: Parameters,
    pub(super) memory: Memory,
}

#[derive(Debug, Serialize)]
pub(super) struct Stack {
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) head_size: usize,
    pub(super) vocab_size: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct RopeFacts {
    pub(super) rope_type: &'static str,
    pub(super) rope_theta: f64,
    /// Layers with this rope.
    pub(super) layers: usize,
    /// Pairs of a head with θ ≠ 0.
    pub(super) turning_pairs: usize,
    pub(super) pairs: usize,
    pub(super) attention_factor: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// The full name, with dots.
    pub(super) name: String,
    #[serde(skip)]
    pub(super) label: String,
    pub(super) tensors: Vec<Tensor>,
    pub(super) output: Option<Vec<u64>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Parameters {
    pub(super) learned: u64,
    pub(super) fixed: u64,
    /// Tensors of the file that the model does not read, with the count of their numbers.
    pub(super) unread: Vec<(String, u64)>,
}

/// Bytes.
#[derive(Debug, Serialize)]
pub(super) struct Memory {
    pub(super) weights: u64,
    /// Buffers of a run, its result included.
    pub(super) activations: u64,
    /// The KV cache of the texts, of a causal model.
    pub(super) cache: u64,
}

impl ModelReport {
    pub(super) fn of(
        model: &Architecture,
        [batch, length]: [usize; 2],
        unread: Vec<(String, u64)>,
    ) -> Result<Self, Error> {
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
                let sizes = Sizes { cache_capacity: length, source_capacity: length, ..Sizes::new(batch, 0, 0) };
                let numbers = states.iter().map(|state| state.elements(sizes)).fold(0, u64::saturating_add);
                numbers.saturating_mul(NUMBER_BYTES)
            }
            false => 0,
        };
        Ok(Self { weights: model.table.bytes(), activations, cache })
    }

    pub(super) fn total(&self) -> u64 {
        self.weights.saturating_add(self.activations).saturating_add(self.cache)
    }
}
