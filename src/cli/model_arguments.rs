//! Arguments that most commands share: the model, its backend, its storage format and its attention.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::model_folder::ModelFolder;
use crate::error::Error;
use crate::kernels::Format;
use crate::model::Attention;
use crate::runtime::BackendChoice;

/// The model to open, and where to run it.
#[derive(Args)]
pub struct ModelArguments {
    /// A folder with config.json and weights, as Hugging Face saves a model: safetensors in one file or several, or PyTorch's.
    #[arg(long = "model", value_name = "DIR")]
    pub folder: PathBuf,
    /// The backend: auto takes the GPU if there is one.
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    pub backend: Backend,
    /// Storage format of matrices in memory. auto: as in the file; int8 and int4: blocks of 32 with a scale each. Sums are f32 in every
    /// format.
    #[arg(long, value_enum, default_value_t = WeightFormat::Auto)]
    weights: WeightFormat,
    /// Attention of a RoFormer: linear is equation 19 of its paper; linear-rotate-first rotates queries and keys before the feature map
    /// [default: what config.json says]
    #[arg(long, value_enum)]
    attention: Option<AttentionKind>,
}

impl ModelArguments {
    pub fn open(&self) -> Result<ModelFolder, Error> {
        Ok(ModelFolder::open(&self.folder)?
            .with_format(self.weights.into())
            .with_attention(self.attention.map(Attention::from)))
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum AttentionKind {
    Softmax,
    Linear,
    LinearRotateFirst,
}

impl From<AttentionKind> for Attention {
    fn from(kind: AttentionKind) -> Attention {
        match kind {
            AttentionKind::Softmax => Attention::Softmax,
            AttentionKind::Linear => Attention::Linear,
            AttentionKind::LinearRotateFirst => Attention::LinearRotateFirst,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum WeightFormat {
    Auto,
    F32,
    F16,
    Bf16,
    Int8,
    Int4,
}

impl From<WeightFormat> for Option<Format> {
    fn from(weights: WeightFormat) -> Option<Format> {
        match weights {
            WeightFormat::Auto => None,
            WeightFormat::F32 => Some(Format::F32),
            WeightFormat::F16 => Some(Format::F16),
            WeightFormat::Bf16 => Some(Format::BF16),
            WeightFormat::Int8 => Some(Format::Int8),
            WeightFormat::Int4 => Some(Format::Int4),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Backend {
    Auto,
    Gpu,
    Cpu,
}

impl From<Backend> for BackendChoice {
    fn from(backend: Backend) -> BackendChoice {
        match backend {
            Backend::Auto => BackendChoice::Auto,
            Backend::Gpu => BackendChoice::Gpu,
            Backend::Cpu => BackendChoice::Cpu,
        }
    }
}
