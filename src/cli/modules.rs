//! The modules of a model: a tree from the parts of its tensors' names between dots.

use serde::Serialize;

use crate::model::{Architecture, Facts, HeadKind};
use crate::weight_table::{Role, TensorSpec};

/// One module: its name in its parent, its own tensors and the shape of its output.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    pub name: String,
    pub tensors: Vec<Tensor>,
    /// `None` for a list of modules.
    pub output: Option<Vec<u64>>,
    pub children: Vec<Module>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<u64>,
    /// Numbers that it adds to the size of the model.
    pub parameters: u64,
    pub kind: ModuleKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleKind {
    Learned,
    /// The rotary table: counted, but computed if the file lacks it.
    Fixed,
    /// The tensor of another module, which counts it.
    Tied,
}

impl Tensor {
    fn new(name: &str, spec: TensorSpec<'_>) -> Self {
        let kind = match spec.role {
            Role::Parameter | Role::Embedding => ModuleKind::Learned,
            Role::Buffer => ModuleKind::Fixed,
            Role::Tied => ModuleKind::Tied,
        };
        Self { name: name.into(), shape: spec.shape.to_vec(), parameters: spec.parameters(), kind }
    }
}

impl Module {
    /// The modules of a model for `batch` texts of `length` tokens. The root has the name of the class.
    pub fn of(model: &Architecture, [batch, length]: [usize; 2]) -> Self {
        let mut root = Module { name: model.facts.architecture.into(), ..Module::default() };
        for spec in model.table.tensors() {
            let (path, name) = spec.name.rsplit_once('.').unwrap_or(("", spec.name));
            let module = path.split('.').filter(|part| !part.is_empty()).fold(&mut root, Module::child);
            if name == "weight" {
                module.output = output(path, spec, &model.facts, [batch as u64, length as u64]);
            }
            module.tensors.push(Tensor::new(name, spec));
        }
        root.infer_outputs();
        root
    }

    /// Gives a module without weights the output of its last child. A list of modules has no output.
    fn infer_outputs(&mut self) {
        self.children.iter_mut().for_each(Module::infer_outputs);
        let is_list = self.children.iter().any(|child| child.name.parse::<usize>().is_ok());
        if self.output.is_none() && !is_list {
            self.output = self.children.last().and_then(|child| child.output.clone());
        }
    }

    /// The child of this name, which is added if it is missing.
    fn child(&mut self, name: &str) -> &mut Module {
        let at = self.children.iter().position(|child| child.name == name).unwrap_or_else(|| {
            self.children.push(Module { name: name.into(), ..Module::default() });
            self.children.len() - 1
        });
        &mut self.children[at]
    }

    /// Numbers of one kind in the module and all modules below it.
    pub fn total(&self, kind: ModuleKind) -> u64 {
        let own = self.tensors.iter().filter(|tensor| tensor.kind == kind).map(|tensor| tensor.parameters);
        own.chain(self.children.iter().map(|child| child.total(kind))).fold(0, u64::saturating_add)
    }

    /// Every module below this one with its depth, each before its children.
    pub fn below(&self) -> Vec<(usize, String, &Module)> {
        let mut found = Vec::new();
        self.add(0, "", &mut found);
        found
    }

    fn add<'a>(&'a self, depth: usize, path: &str, found: &mut Vec<(usize, String, &'a Module)>) {
        for child in &self.children {
            let path = if path.is_empty() { child.name.clone() } else { format!("{path}.{}", child.name) };
            found.push((depth, path.clone(), child));
            child.add(depth + 1, &path, found);
        }
    }
}

/// The output shape of a module with this weight.
fn output(path: &str, weight: TensorSpec<'_>, facts: &Facts, [batch, length]: [u64; 2]) -> Option<Vec<u64>> {
    // A sequence classifier reads only the first token.
    let is_sequence = facts.output == HeadKind::Sequence && path.starts_with("classifier");
    let rows = if is_sequence { vec![batch] } else { vec![batch, length] };
    let heads = match path.rsplit('.').next() {
        Some("q_norm") => vec![facts.heads as u64],
        Some("k_norm") => vec![facts.key_heads as u64],
        _ => Vec::new(),
    };
    match (weight.role, weight.shape) {
        (Role::Embedding, &[_, columns]) => Some([rows, vec![columns]].concat()),
        (Role::Buffer, &[_, columns]) => Some(vec![length, columns]),
        (_, &[columns, _]) => Some([rows, vec![columns]].concat()),
        (_, &[width]) => Some([rows, heads, vec![width]].concat()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(settings: &str) -> Module {
        let json = format!(
            r#"{{"model_type": "roformer", "vocab_size": 97, "hidden_size": 32, "num_hidden_layers": 2,
                "num_attention_heads": 4, "intermediate_size": 48, "max_position_embeddings": 64, {settings}}}"#
        );
        Module::of(&Architecture::read(&json, None).unwrap(), [1, 8])
    }

    /// `sum(p.numel() for p in model.parameters())` of Hugging Face's classes, with the trained ones apart. Untied, its class keeps
    /// a second bias, cls.predictions.bias, that nothing reads: 21,594 with it.
    #[test]
    fn counts_are_hugging_faces() {
        for (class, settings, learned) in [
            ("RoFormerModel", r#""embedding_size": 24"#, 18_232),
            ("RoFormerForMaskedLM", r#""embedding_size": 24"#, 19_169),
            ("RoFormerForMaskedLM", r#""embedding_size": 24, "tie_word_embeddings": false"#, 21_594 - 97),
            ("RoFormerForCausalLM", r#""is_decoder": true"#, 19_457),
            ("RoFormerForSequenceClassification", r#""embedding_size": 24, "num_labels": 3"#, 19_387),
            ("RoFormerForTokenClassification", r#""embedding_size": 24, "num_labels": 3"#, 18_331),
            ("RoFormerForQuestionAnswering", r#""embedding_size": 24"#, 18_298),
        ] {
            let root = modules(&format!(r#"{settings}, "architectures": ["{class}"]"#));
            assert_eq!(
                (root.name.as_str(), root.total(ModuleKind::Learned), root.total(ModuleKind::Fixed)),
                (class, learned, 512)
            );
        }
    }

    #[test]
    fn a_tree_is_built_from_the_names() {
        let root = modules(r#""embedding_size": 24, "architectures": ["RoFormerForMaskedLM"]"#);
        let below = root.below();
        let find = |path: &str| below.iter().find(|(_, found, _)| found == path).unwrap_or_else(|| panic!("no {path}"));
        let (depth, _, words) = find("roformer.embeddings.word_embeddings");
        assert_eq!((*depth, words.output.as_deref()), (2, Some(&[1, 8, 24][..])));
        let shape = |path: &str| find(path).2.output.clone();
        assert_eq!(shape("roformer.encoder.embed_positions"), Some(vec![8, 8]));
        assert_eq!(shape("roformer.encoder.layer.1.attention.self.query"), Some(vec![1, 8, 32]));
        assert_eq!(shape("roformer.encoder.layer.1.intermediate.dense"), Some(vec![1, 8, 48]));
        assert_eq!(shape("roformer.encoder.layer.0.output.LayerNorm"), Some(vec![1, 8, 32]));
        assert_eq!(shape("roformer.encoder.layer"), None);
        assert_eq!(shape("roformer.encoder.layer.0.attention.self"), Some(vec![1, 8, 32]));
        assert_eq!((shape("roformer.encoder.layer.1"), shape("cls")), (Some(vec![1, 8, 32]), Some(vec![1, 8, 97])));
        let decoder = find("cls.predictions.decoder").2;
        assert_eq!(decoder.output, Some(vec![1, 8, 97]));
        assert!(decoder.tensors.iter().all(|tensor| tensor.kind == ModuleKind::Tied && tensor.parameters == 0));
        assert_eq!(find("cls.predictions").2.tensors[0].shape, [97]);
    }
}
