//! Models in folders: those of tests/golden and the demo model.

use super::Expected;
use ropescope::Error;
use ropescope::backend::NeverCancelled;
use ropescope::model::{Architecture, Facts};
use ropescope::plan::{Capacity, Heads, Part, PlanOptions};
use ropescope::runtime::{Context, ContextOptions, Device, LoadOptions, Model, Output, Request, Run, SourceText};
use ropescope::weights::Header;
use std::path::{Path, PathBuf};

/// A folder with config.json and model.safetensors.
pub struct Folder {
    pub name: String,
    path: PathBuf,
}

/// A folder of tests/golden.
pub fn golden(name: &str) -> Folder {
    Folder { name: name.into(), path: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name) }
}

/// A model of models/.
pub fn shipped(name: &str) -> Folder {
    Folder { name: name.into(), path: Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name) }
}

/// The model that the page shows first.
pub fn demo_model() -> Folder {
    shipped("roformer-english")
}

impl Folder {
    /// Every folder of tests/golden with expected numbers, RoFormers first, then the decoders, then readers.
    pub fn all() -> Vec<Folder> {
        let within = |kind: &str| {
            let names = names_in(&format!("tests/golden/{kind}")).into_iter();
            names.map(|name| format!("{kind}/{name}")).collect::<Vec<_>>()
        };
        let names = [names_in("tests/golden"), within("decoders"), within("readers")].concat();
        let folders = names.iter().map(|name| golden(name));
        folders.filter(|folder| folder.path.join("expected.safetensors").exists()).collect()
    }

    /// Every RoFormer of tests/golden.
    pub fn all_roformers() -> Vec<Folder> {
        Self::all().into_iter().filter(|folder| !folder.name.contains('/')).collect()
    }

    /// Every folder of tests/golden/decoders or of another folder there.
    pub fn all_within(kind: &str) -> Vec<Folder> {
        Self::all().into_iter().filter(|folder| folder.name.starts_with(&format!("{kind}/"))).collect()
    }

    /// Every folder of tests/golden/sources: RoFormers that no class of Hugging Face's computes.
    pub fn sources() -> Vec<Folder> {
        names_in("tests/golden/sources").iter().map(|name| golden(&format!("sources/{name}"))).collect()
    }

    /// Every folder of tests/golden/sharp: models whose softmax is so sharp that f32 itself is far from the true numbers.
    pub fn sharp() -> Vec<Folder> {
        names_in("tests/golden/sharp").iter().map(|name| golden(&format!("sharp/{name}"))).collect()
    }

    /// Every model of models/.
    pub fn all_shipped() -> Vec<Folder> {
        names_in("models").iter().map(|name| shipped(name)).collect()
    }

    /// Those of them whose model is of this class.
    pub fn of_class(architecture: &str) -> Vec<Folder> {
        Self::all().into_iter().filter(|folder| folder.facts().architecture == architecture).collect()
    }

    /// Where a golden folder has its expected numbers, relative to the repository.
    pub fn expected(&self) -> String {
        format!("tests/golden/{}/expected.safetensors", self.name)
    }

    /// The text of its config.json.
    pub fn config_json(&self) -> String {
        std::fs::read_to_string(self.path.join("config.json")).unwrap()
    }

    /// The bytes of its model.safetensors.
    pub fn file(&self) -> Vec<u8> {
        std::fs::read(self.path.join("model.safetensors")).unwrap()
    }

    /// The names and shapes of the tensors in its model.safetensors.
    pub fn header(&self) -> Header {
        Header::parse(&self.file(), None).unwrap()
    }

    /// The model without its numbers.
    pub fn architecture(&self) -> Architecture {
        let architecture = Architecture::read(&self.config_json(), Some(&self.header()));
        architecture.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The heads of each layer, as a run keeps them.
    pub fn heads(&self) -> Vec<Heads> {
        let options = PlanOptions { keeps_heads: true, ..PlanOptions::new(Capacity::new(1, 1, 1)) };
        self.architecture().record(&options).unwrap().plan.heads(Part::Decoder)
    }

    /// Whether Hugging Face pairs columns half a head apart: RoFormer alone pairs neighbours.
    pub fn pairs_halves(&self) -> bool {
        !self.facts().architecture.starts_with("RoFormer")
    }

    pub fn facts(&self) -> Facts {
        self.architecture().facts
    }

    /// Errors: those of loading it on this device.
    pub fn try_load(&self, device: Device) -> Result<Model, Error> {
        pollster::block_on(Model::load(&device, &self.config_json(), &self.file(), LoadOptions::default()))
    }

    pub fn load(&self, device: Device) -> Model {
        self.try_load(device).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The inputs of a golden folder.
    pub fn request(&self) -> Request {
        let expected = Expected::open(&self.expected());
        let &[batch, length] = expected.shape("input_ids") else { panic!("{}: ids of no batch", self.name) };
        let types = expected.names().any(|name| name == "token_type_ids");
        Request {
            attention_mask: Some(expected.integers("attention_mask").to_vec()),
            token_type_ids: types.then(|| expected.integers("token_type_ids").to_vec()),
            beyond_length: true,
            ..Request::new(expected.integers("input_ids").to_vec(), batch, length)
        }
    }

    /// The same; of an encoder–decoder the source and the text after it.
    pub fn request_with_source(&self) -> Request {
        if self.facts().encoder.is_none() {
            return self.request();
        }
        let expected = Expected::open(&self.expected());
        let numbers = |name: &str| expected.integers(name).to_vec();
        let &[batch, length] = expected.shape("decoder_input_ids") else { panic!("{}: ids of no batch", self.name) };
        let source = SourceText {
            ids: numbers("input_ids"),
            length: expected.shape("input_ids")[1],
            attention_mask: Some(numbers("attention_mask")),
        };
        Request {
            attention_mask: Some(numbers("decoder_attention_mask")),
            source: Some(source),
            ..Request::new(numbers("decoder_input_ids"), batch, length)
        }
    }

    /// Ids within the vocabulary, different from position to position, for (batch, length) tokens.
    pub fn text(&self, batch: usize, length: usize) -> Request {
        let vocabulary = self.facts().vocab_size;
        let ids = (0..batch * length).map(|index| ((index * index * 7 + 13 * index + 5) % vocabulary) as u32);
        Request::new(ids.collect(), batch, length)
    }
}

/// The names of a folder's entries, sorted.
fn names_in(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// An empty context whose runs keep no heads, unless a request asks for some.
pub fn context(model: &Model) -> Context {
    model.context(ContextOptions::default())
}

/// An empty context whose runs keep queries and keys of every layer.
pub fn context_with_heads(model: &Model) -> Context {
    model.context(ContextOptions { keep_heads: true, ..ContextOptions::default() })
}

/// The results of a run, and the run to ask about.
pub fn run(context: &Context, request: &Request) -> (Output, Run) {
    pollster::block_on(context.run(request, &NeverCancelled)).unwrap()
}

/// The results of a run.
pub fn output(context: &Context, request: &Request) -> Output {
    run(context, request).0
}
