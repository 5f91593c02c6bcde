//! A RoFormer as the tree of modules that Hugging Face builds, with output shapes and parameters.
//! Dropout, which does nothing when a model runs, has no place in it.

use crate::model::Architecture;
use crate::model::config::Config;
use crate::ops::Activation;

/// One module: its class, the name it has in its parent, what it gives, what it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    pub class: &'static str,
    pub name: String,
    /// `None`: a list of modules, which computes nothing itself.
    pub output: Option<Vec<usize>>,
    pub parameters: Vec<Parameter>,
    pub children: Vec<Module>,
}

/// One tensor of a module.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: &'static str,
    pub shape: Vec<usize>,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Learned,
    /// The table of angles: counted, but made anew when a file lacks it.
    Fixed,
    /// Another module's tensor, counted there.
    Tied,
}

impl Module {
    fn new(class: &'static str, name: &str, output: &[usize], children: Vec<Module>) -> Module {
        Module { class, name: name.into(), output: Some(output.to_vec()), parameters: Vec::new(), children }
    }

    fn list(name: &str, children: Vec<Module>) -> Module {
        Module { class: "ModuleList", name: name.into(), output: None, parameters: Vec::new(), children }
    }

    fn with(mut self, name: &'static str, shape: &[usize], kind: Kind) -> Module {
        self.parameters.push(Parameter { name, shape: shape.to_vec(), kind });
        self
    }

    /// How many numbers of one kind the module holds itself, without its children.
    pub fn count(&self, kind: Kind) -> u64 {
        let sizes = self.parameters.iter().filter(|parameter| parameter.kind == kind);
        sizes.map(|parameter| elements(&parameter.shape)).sum()
    }

    /// The same with all its children.
    pub fn total(&self, kind: Kind) -> u64 {
        self.count(kind) + self.children.iter().map(|child| child.total(kind)).sum::<u64>()
    }

    /// How many numbers the modules without children give: what a run computes.
    pub fn outputs(&self) -> u64 {
        match &self.output {
            Some(shape) if self.children.is_empty() => elements(shape),
            _ => self.children.iter().map(Module::outputs).sum(),
        }
    }
}

/// How many numbers a shape holds; no shape here comes from a file unchecked.
pub fn elements(shape: &[usize]) -> u64 {
    shape.iter().map(|size| *size as u64).product()
}

/// The sizes that the whole tree shares.
struct Tree<'a> {
    config: &'a Config,
    length: usize,
}

/// The modules of a model that runs on one text of `length` tokens.
pub fn modules(config: &Config, architecture: Architecture, length: usize) -> Module {
    let tree = Tree { config, length };
    let (width, labels) = (config.hidden_size, config.num_labels);
    let with_head = |class, output: &[usize], head| Module::new(class, "", output, vec![tree.base("roformer"), head]);
    match architecture {
        Architecture::Model => tree.base(""),
        Architecture::MaskedLM => {
            with_head("RoFormerForMaskedLM", &[1, length, config.vocab_size], tree.vocabulary_head())
        }
        Architecture::CausalLM => {
            with_head("RoFormerForCausalLM", &[1, length, config.vocab_size], tree.vocabulary_head())
        }
        Architecture::SequenceClassification => {
            let dense = linear("dense", &[1], width, width);
            let out_proj = linear("out_proj", &[1], width, labels);
            let head = Module::new("RoFormerClassificationHead", "classifier", &[1, labels], vec![dense, out_proj]);
            with_head("RoFormerForSequenceClassification", &[1, labels], head)
        }
        Architecture::TokenClassification => {
            let head = linear("classifier", &[1, length], width, labels);
            with_head("RoFormerForTokenClassification", &[1, length, labels], head)
        }
        Architecture::QuestionAnswering => {
            let head = linear("qa_outputs", &[1, length], width, 2);
            with_head("RoFormerForQuestionAnswering", &[1, length, 2], head)
        }
    }
}

impl Tree<'_> {
    fn rows(&self, width: usize) -> [usize; 3] {
        [1, self.length, width]
    }

    fn linear(&self, name: &str, input: usize, output: usize) -> Module {
        linear(name, &[1, self.length], input, output)
    }

    fn layer_norm(&self, width: usize) -> Module {
        let norm = Module::new("LayerNorm", "LayerNorm", &self.rows(width), Vec::new());
        norm.with("weight", &[width], Kind::Learned).with("bias", &[width], Kind::Learned)
    }

    fn activation(&self, name: &str, width: usize) -> Module {
        let class = match self.config.hidden_act {
            Activation::Gelu => "GELUActivation",
            Activation::Relu => "ReLU",
            Activation::Silu => "SiLUActivation",
        };
        Module::new(class, name, &self.rows(width), Vec::new())
    }

    fn base(&self, name: &str) -> Module {
        let Config { embedding_size, hidden_size, .. } = *self.config;
        let mut children = vec![self.embeddings()];
        if embedding_size != hidden_size {
            children.push(self.linear("embeddings_project", embedding_size, hidden_size));
        }
        children.push(self.encoder());
        Module::new("RoFormerModel", name, &self.rows(hidden_size), children)
    }

    fn embeddings(&self) -> Module {
        let Config { embedding_size, vocab_size, type_vocab_size, .. } = *self.config;
        let embedding = |name, entries: usize| {
            let module = Module::new("Embedding", name, &self.rows(embedding_size), Vec::new());
            module.with("weight", &[entries, embedding_size], Kind::Learned)
        };
        let children = vec![
            embedding("word_embeddings", vocab_size),
            embedding("token_type_embeddings", type_vocab_size),
            self.layer_norm(embedding_size),
        ];
        Module::new("RoFormerEmbeddings", "embeddings", &self.rows(embedding_size), children)
    }

    fn encoder(&self) -> Module {
        let head_size = self.config.head_size();
        let class = "RoFormerSinusoidalPositionalEmbedding";
        let positions = Module::new(class, "embed_positions", &[self.length, head_size], Vec::new()).with(
            "weight",
            &[self.config.max_position_embeddings, head_size],
            Kind::Fixed,
        );
        let layers = (0..self.config.num_hidden_layers).map(|number| self.layer(number)).collect();
        let children = vec![positions, Module::list("layer", layers)];
        Module::new("RoFormerEncoder", "encoder", &self.rows(self.config.hidden_size), children)
    }

    fn layer(&self, number: usize) -> Module {
        let Config { hidden_size: width, intermediate_size: inner, .. } = *self.config;
        let projections = ["query", "key", "value"].map(|name| self.linear(name, width, width)).to_vec();
        let attention = vec![
            Module::new("RoFormerSelfAttention", "self", &self.rows(width), projections),
            self.residual("RoFormerSelfOutput", width),
        ];
        let up = vec![self.linear("dense", width, inner), self.activation("intermediate_act_fn", inner)];
        let children = vec![
            Module::new("RoFormerAttention", "attention", &self.rows(width), attention),
            Module::new("RoFormerIntermediate", "intermediate", &self.rows(inner), up),
            self.residual("RoFormerOutput", inner),
        ];
        Module::new("RoFormerLayer", &number.to_string(), &self.rows(width), children)
    }

    /// A product back to the hidden size, and the norm of its sum with what came before.
    fn residual(&self, class: &'static str, input: usize) -> Module {
        let width = self.config.hidden_size;
        let children = vec![self.linear("dense", input, width), self.layer_norm(width)];
        Module::new(class, "output", &self.rows(width), children)
    }

    fn vocabulary_head(&self) -> Module {
        let Config { embedding_size: width, hidden_size, vocab_size, .. } = *self.config;
        let transform = vec![
            self.linear("dense", hidden_size, width),
            self.activation("transform_act_fn", width),
            self.layer_norm(width),
        ];
        let transform = Module::new("RoFormerPredictionHeadTransform", "transform", &self.rows(width), transform);
        let output = self.rows(vocab_size);
        let untied = !self.config.tie_word_embeddings;
        let kind = if untied { Kind::Learned } else { Kind::Tied };
        let decoder = Module::new("Linear", "decoder", &output, Vec::new())
            .with("weight", &[vocab_size, width], kind)
            .with("bias", &[vocab_size], Kind::Learned);
        let mut head = Module::new("RoFormerLMPredictionHead", "predictions", &output, vec![transform, decoder]);
        if untied {
            // Hugging Face keeps a bias here, too, that only a tied decoder shares.
            head = head.with("bias", &[vocab_size], Kind::Learned);
        }
        Module::new("RoFormerOnlyMLMHead", "cls", &output, vec![head])
    }
}

fn linear(name: &str, rows: &[usize], input: usize, output: usize) -> Module {
    let module = Module::new("Linear", name, &[rows, &[output]].concat(), Vec::new());
    module.with("weight", &[output, input], Kind::Learned).with("bias", &[output], Kind::Learned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(architecture: Architecture, settings: &str) -> (u64, u64) {
        let json = format!(
            r#"{{"vocab_size": 97, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
                "intermediate_size": 48, "max_position_embeddings": 64, "num_labels": 3 {settings}}}"#
        );
        let tree = modules(&Config::parse(&json).unwrap(), architecture, 8);
        (tree.total(Kind::Learned), tree.total(Kind::Fixed))
    }

    /// `sum(p.numel() for p in model.parameters())` of Hugging Face's classes, with the trained ones apart.
    #[test]
    fn counts_are_hugging_faces() {
        let factorised = r#", "embedding_size": 24"#;
        let untied = r#", "embedding_size": 24, "tie_word_embeddings": false"#;
        let cases = [
            (Architecture::Model, factorised, 18_232),
            (Architecture::MaskedLM, factorised, 19_169),
            (Architecture::MaskedLM, untied, 21_594),
            (Architecture::CausalLM, r#", "is_decoder": true"#, 19_457),
            (Architecture::SequenceClassification, factorised, 19_387),
            (Architecture::TokenClassification, factorised, 18_331),
            (Architecture::QuestionAnswering, factorised, 18_298),
        ];
        for (architecture, settings, learned) in cases {
            assert_eq!(totals(architecture, settings), (learned, 512), "{architecture:?}");
        }
    }
}
