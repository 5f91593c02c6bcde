//! Arguments that most commands share: the model, its backend, its storage format and its attention.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::model_folder::ModelFolder;
use crate::error::Error;
use crate::kernels::Format;
use crate::model::Attention;
use crate::runtime::{BackendChoice, set_threads};

/// The model to open, and where to run it.
#[derive(Args)]
pub struct ModelArguments {
    /// A folder with config.json and weights, as Hugging Face saves a model: safetensors in one file or several, or PyTorch's.
    #[arg(long = "model", value_name = "DIR")]
    pub folder: PathBuf,
    /// The backend: auto takes the GPU if there is one.
    #[arg(long, default_value = "auto", value_parser = one_of(BACKENDS))]
    pub backend: BackendChoice,
    /// The number of threads of the CPU; results do not depend on it [default: the physical cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Storage format of matrices in memory. auto: as in the file; int8 and int4: blocks of 32 with a scale each, which the CPU multiplies
    /// as integers. Sums over blocks are f32.
    #[arg(long, default_value = "auto", value_parser = storage())]
    weights: Storage,
    /// Attention of a RoFormer: linear is equation 19 of its paper; linear-rotate-first rotates queries and keys before the feature map
    /// [default: what config.json says]
    #[arg(long, value_parser = one_of(ATTENTIONS))]
    attention: Option<Attention>,
}

impl ModelArguments {
    pub fn open(&self) -> Result<ModelFolder, Error> {
        if let Some(threads) = self.threads {
            set_threads(threads);
        }
        Ok(ModelFolder::open(&self.folder)?.with_format(self.weights.0).with_attention(self.attention))
    }
}

/// The values of `--backend`.
pub const BACKENDS: &[(&str, BackendChoice)] =
    &[("auto", BackendChoice::Auto), ("gpu", BackendChoice::Gpu), ("cpu", BackendChoice::Cpu)];

const ATTENTIONS: &[(&str, Attention)] = &[
    ("softmax", Attention::Softmax),
    ("linear", Attention::Linear),
    ("linear-rotate-first", Attention::LinearRotateFirst),
];

/// A storage format; `None`: as in the file.
#[derive(Clone, Copy)]
struct Storage(Option<Format>);

fn storage() -> impl TypedValueParser<Value = Storage> {
    let names = Format::ALL.map(Format::name);
    PossibleValuesParser::new(["auto"].into_iter().chain(names)).map(|name| Storage(Format::named(&name)))
}

/// Reads one of these names.
pub fn one_of<T: Copy + Send + Sync>(names: &'static [(&str, T)]) -> impl TypedValueParser<Value = T> {
    let value = |name: String| names.iter().find(|(other, _)| *other == name).map(|(_, value)| *value).ok_or("unknown");
    PossibleValuesParser::new(names.iter().map(|(name, _)| *name)).try_map(value)
}
