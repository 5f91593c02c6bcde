//! A tiny masked language model as the parts of its files, to be spoiled one by one.

use serde_json::{Map, Value, json};
use std::path::Path;

use crate::attempt::{Files, attempt};

/// A tensor with what the header says of it.
#[derive(Debug, Clone)]
pub struct Stored {
    pub name: String,
    pub dtype: String,
    pub shape: Value,
    pub offsets: Value,
}

/// The files, in parts.
#[derive(Debug, Clone)]
pub struct Tiny {
    pub config: Value,
    pub tensors: Vec<Stored>,
    pub data: Vec<u8>,
}

/// The types of stored tensors, with the bytes of a number.
pub const DTYPES: [(&str, usize); 3] = [("F32", 4), ("F16", 2), ("BF16", 2)];

/// The class and the sizes of a model.
#[derive(Debug, Clone)]
pub struct Sizes {
    pub class: &'static str,
    pub vocabulary: usize,
    pub types: usize,
    pub embedding: usize,
    pub heads: usize,
    pub head_size: usize,
    pub inner: usize,
    pub layers: usize,
    pub labels: usize,
}

/// Two heads of four, one layer, factorised embeddings.
pub const SIZES: Sizes = Sizes {
    class: "RoFormerForMaskedLM",
    vocabulary: 11,
    types: 2,
    embedding: 6,
    heads: 2,
    head_size: 4,
    inner: 5,
    layers: 1,
    labels: 2,
};

impl Tiny {
    /// The model of [`SIZES`], its weights in the given type.
    pub fn new(dtype: (&str, usize)) -> Tiny {
        Tiny::sized(dtype, &SIZES)
    }

    /// A whole model of these sizes.
    pub fn sized(dtype: (&str, usize), sizes: &Sizes) -> Tiny {
        let Sizes { class, vocabulary, types, embedding, heads, head_size, inner, layers, labels } = *sizes;
        let hidden = heads * head_size;
        let config = json!({
            "model_type": "roformer", "architectures": [class], "vocab_size": vocabulary, "num_labels": labels,
            "embedding_size": embedding, "hidden_size": hidden, "num_hidden_layers": layers,
            "num_attention_heads": heads, "intermediate_size": inner, "max_position_embeddings": 16,
            "type_vocab_size": types
        });
        let mut tiny = Tiny { config, tensors: Vec::new(), data: Vec::new() };
        let mut add = |name: &str, shape: &[usize]| tiny.add(name, dtype, shape);
        add("roformer.embeddings.word_embeddings.weight", &[vocabulary, embedding]);
        add("roformer.embeddings.token_type_embeddings.weight", &[types, embedding]);
        let mut pair = |name: &str, weight: &[usize]| {
            add(&format!("{name}.weight"), weight);
            add(&format!("{name}.bias"), &weight[..1]);
        };
        pair("roformer.embeddings.LayerNorm", &[embedding]);
        if embedding != hidden {
            pair("roformer.embeddings_project", &[hidden, embedding]);
        }
        for layer in (0..layers).map(|layer| format!("roformer.encoder.layer.{layer}")) {
            for part in ["self.query", "self.key", "self.value", "output.dense"] {
                pair(&format!("{layer}.attention.{part}"), &[hidden, hidden]);
            }
            pair(&format!("{layer}.attention.output.LayerNorm"), &[hidden]);
            pair(&format!("{layer}.intermediate.dense"), &[inner, hidden]);
            pair(&format!("{layer}.output.dense"), &[hidden, inner]);
            pair(&format!("{layer}.output.LayerNorm"), &[hidden]);
        }
        match class {
            "RoFormerForMaskedLM" | "RoFormerForCausalLM" => {
                pair("cls.predictions.transform.dense", &[embedding, hidden]);
                pair("cls.predictions.transform.LayerNorm", &[embedding]);
                add("cls.predictions.bias", &[vocabulary]);
            }
            "RoFormerForSequenceClassification" => {
                pair("classifier.dense", &[hidden, hidden]);
                pair("classifier.out_proj", &[labels, hidden]);
            }
            "RoFormerForTokenClassification" => pair("classifier", &[labels, hidden]),
            "RoFormerForQuestionAnswering" => pair("qa_outputs", &[2, hidden]),
            _ => {}
        }
        tiny
    }

    /// The files of a folder of tests/golden.
    pub fn golden(folder: &str) -> Tiny {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(folder);
        let bytes = std::fs::read(path.join("model.safetensors")).unwrap();
        let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
        let header: Map<String, Value> = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        let tensors = header.into_iter().filter(|(name, _)| name != "__metadata__").map(|(name, entry)| Stored {
            name,
            dtype: entry["dtype"].as_str().unwrap().into(),
            shape: entry["shape"].clone(),
            offsets: entry["data_offsets"].clone(),
        });
        let config = serde_json::from_slice(&std::fs::read(path.join("config.json")).unwrap()).unwrap();
        Tiny { config, tensors: tensors.collect(), data: bytes[8 + length..].to_vec() }
    }

    /// Appends a tensor of small numbers.
    pub fn add(&mut self, name: &str, (dtype, width): (&str, usize), shape: &[usize]) {
        let (start, count) = (self.data.len(), shape.iter().product::<usize>());
        for index in 0..count {
            let number = ((start + index) as f32 * 0.7).sin();
            match dtype {
                "F16" => self.data.extend(half::f16::from_f32(number).to_le_bytes()),
                "BF16" => self.data.extend(half::bf16::from_f32(number).to_le_bytes()),
                "F32" => self.data.extend(number.to_le_bytes()),
                _ => self.data.extend(std::iter::repeat_n(1, width)),
            }
        }
        let offsets = json!([start, self.data.len()]);
        self.tensors.push(Stored { name: name.into(), dtype: dtype.into(), shape: json!(shape), offsets });
    }

    /// Takes out a tensor with its data, moving the tensors after it forward.
    pub fn remove(&mut self, index: usize) {
        let range = |stored: &Stored| {
            let place = |end: usize| stored.offsets[end].as_u64().unwrap() as usize;
            place(0)..place(1)
        };
        let gone = range(&self.tensors.remove(index));
        self.data.drain(gone.clone());
        for stored in &mut self.tensors {
            let range = range(stored);
            if range.start >= gone.end {
                stored.offsets = json!([range.start - gone.len(), range.end - gone.len()]);
            }
        }
    }

    pub fn header(&self) -> String {
        let entries: Vec<String> = self
            .tensors
            .iter()
            .map(|Stored { name, dtype, shape, offsets }| {
                format!("{}:{}", json!(name), json!({"dtype": dtype, "shape": shape, "data_offsets": offsets}))
            })
            .collect();
        format!("{{{}}}", entries.join(","))
    }

    pub fn weights(&self) -> Vec<u8> {
        join(&self.header(), &self.data)
    }

    pub fn files(&self) -> Files {
        Files { config: self.config.to_string().into_bytes(), weights: self.weights() }
    }
}

/// A safetensors file of the given header and data.
pub fn join(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

#[test]
fn the_model_runs_as_it_is() {
    for dtype in DTYPES {
        attempt(Tiny::new(dtype).files()).result.unwrap();
    }
    let mut moved = Tiny::new(DTYPES[0]);
    moved.add("extra", ("U8", 1), &[3]);
    moved.remove(0);
    moved.add("roformer.embeddings.word_embeddings.weight", DTYPES[0], &[11, 6]);
    attempt(moved.files()).result.unwrap();
}
