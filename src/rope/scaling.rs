//! What Hugging Face calls `rope_scaling` or `rope_parameters`: ways to change the frequencies of a trained model, so
//! that it reads longer texts. One file for each of the larger ones. Source: transformers' modeling_rope_utils.py.

use crate::transcendental::pow;

mod llama3;
mod long_rope;
pub mod parameters;
mod setting;
mod yarn;

pub use llama3::Llama3;
pub use long_rope::LongRope;
pub use yarn::Yarn;

pub(super) use setting::Setting;
use setting::powers;

/// A rope's scaling. Factors are numbers above 0, lengths are tokens; where `original_max_position_embeddings` is not
/// given, the model's `max_position_embeddings` stands in.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs)] // The fields are the keys of rope_parameters.
pub enum Scaling {
    /// The paper's frequencies.
    #[default]
    Default,
    /// Every θ divided by `factor`: position interpolation, arXiv 2306.15595. The original length has no part in θ.
    Linear { factor: f64, original_max_position_embeddings: Option<u64> },
    /// The base grows with the text, once it is longer than `max_position_embeddings`.
    Dynamic { factor: f64 },
    /// Fast pairs as they are, slow ones divided by a factor: arXiv 2309.00071.
    Yarn(Yarn),
    /// A divisor for each pair, other ones for long texts: arXiv 2402.13753.
    LongRope(LongRope),
    /// As Llama 3.1 does it: slow pairs divided by a factor.
    Llama3(Llama3),
    /// The slower pairs stand still, the others keep the whole head's exponents and are divided by `factor`.
    Proportional { factor: f64 },
}

impl Scaling {
    /// As Hugging Face names it in `rope_type`.
    pub fn name(&self) -> &'static str {
        match self {
            Scaling::Default => "default",
            Scaling::Linear { .. } => "linear",
            Scaling::Dynamic { .. } => "dynamic",
            Scaling::Yarn(_) => "yarn",
            Scaling::LongRope(_) => "longrope",
            Scaling::Llama3(_) => "llama3",
            Scaling::Proportional { .. } => "proportional",
        }
    }

    /// The length of the texts that the model was trained on, where this scaling says it.
    pub fn original_max_position_embeddings(&self) -> Option<u64> {
        match self {
            Scaling::Linear { original_max_position_embeddings, .. } => *original_max_position_embeddings,
            Scaling::Yarn(yarn) => yarn.original_max_position_embeddings,
            Scaling::LongRope(long) => long.original_max_position_embeddings,
            Scaling::Llama3(llama3) => llama3.original_max_position_embeddings,
            Scaling::Default | Scaling::Dynamic { .. } | Scaling::Proportional { .. } => None,
        }
    }

    /// Takes `original_max_position_embeddings` from config.json itself, where it wins over the scaling's own: Phi-3
    /// has it there. Scalings without such a length stay as they are.
    pub fn set_original_max_position_embeddings(&mut self, length: u64) {
        match self {
            Scaling::Yarn(yarn) => yarn.original_max_position_embeddings = Some(length),
            Scaling::LongRope(long) => long.original_max_position_embeddings = Some(length),
            Scaling::Llama3(llama3) => llama3.original_max_position_embeddings = Some(length),
            Scaling::Default | Scaling::Linear { .. } | Scaling::Dynamic { .. } | Scaling::Proportional { .. } => {}
        }
    }

    /// Whether θ or the magnitude follow from `max_position_embeddings`, because this scaling itself does not say
    /// enough.
    pub fn needs_max_position_embeddings(&self) -> bool {
        match self {
            Scaling::Dynamic { .. } => true,
            Scaling::Yarn(Yarn { factor, original_max_position_embeddings, .. })
            | Scaling::LongRope(LongRope { factor, original_max_position_embeddings, .. }) => {
                factor.is_none() || original_max_position_embeddings.is_none()
            }
            Scaling::Llama3(llama3) => llama3.original_max_position_embeddings.is_none(),
            Scaling::Default | Scaling::Linear { .. } | Scaling::Proportional { .. } => false,
        }
    }

    /// By how much texts may be longer than the original ones, where the scaling is for that.
    pub(super) fn stretch(&self, setting: Setting) -> Option<f64> {
        match self {
            Scaling::Linear { factor, .. } => Some(*factor),
            Scaling::Yarn(yarn) => Some(yarn.factor(setting)),
            Scaling::LongRope(long) => Some(long.factor(setting)),
            Scaling::Llama3(llama3) => Some(llama3.factor),
            Scaling::Default | Scaling::Dynamic { .. } | Scaling::Proportional { .. } => None,
        }
    }

    /// θ of the pairs that turn, and the magnitude.
    pub(super) fn frequencies(&self, setting: Setting) -> (Vec<f64>, f64) {
        let theta = match self {
            Scaling::Default => setting.periods().map(f64::recip).collect(),
            Scaling::Linear { factor, .. } => setting.periods().map(|period| 1.0 / (factor * period)).collect(),
            Scaling::Dynamic { factor } => dynamic(*factor, setting),
            Scaling::Yarn(yarn) => return yarn.frequencies(setting),
            Scaling::LongRope(long) => return long.frequencies(setting),
            Scaling::Llama3(llama3) => llama3.theta(setting),
            Scaling::Proportional { factor } => proportional(*factor, setting),
        };
        (theta, 1.0)
    }
}

/// The base is times (1 + factor · (length / max − 1))^(d / (d − 2)): itself up to `max_position_embeddings`.
fn dynamic(factor: f64, setting: Setting) -> Vec<f64> {
    let Setting { rotated, base, max_position_embeddings, length, .. } = setting;
    let stretch = length.max(max_position_embeddings) as f64 / max_position_embeddings as f64;
    let dimensions = rotated as f64;
    let base = base * pow(1.0 + factor * (stretch - 1.0), dimensions / (dimensions - 2.0));
    Setting { base, ..setting }.periods().map(f64::recip).collect()
}

/// The exponents are of the whole head, and an odd last dimension stands still.
fn proportional(factor: f64, setting: Setting) -> Vec<f64> {
    powers(setting.base, setting.rotated / 2, setting.head_size).map(|period| 1.0 / (factor * period)).collect()
}
