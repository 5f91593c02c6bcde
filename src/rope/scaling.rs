//! Hugging Face's `rope_scaling` or `rope_parameters`: changes to the frequencies of a trained model, for longer texts. The larger
//! scalings have a file each. Source: transformers' modeling_rope_utils.py.

use strum::IntoStaticStr;

mod llama3;
mod long_rope;
pub mod parameters;
mod unscaled_rope;
mod yarn;

pub use llama3::Llama3;
pub use long_rope::LongRope;
pub use yarn::Yarn;

pub(super) use unscaled_rope::UnscaledRope;
use unscaled_rope::periods;

/// A rope's scaling. Factors are above 0, lengths count tokens. If `original_max_position_embeddings` is missing, the model's
/// `max_position_embeddings` replaces it.
#[derive(Debug, Clone, PartialEq, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[allow(missing_docs)] // The fields are the keys of rope_parameters.
pub enum Scaling {
    /// The paper's frequencies.
    #[default]
    Default,
    /// Position interpolation: every θ divided by `factor`, arXiv 2306.15595. θ does not depend on the original length.
    Linear { factor: f64, original_max_position_embeddings: Option<u64> },
    /// The base grows with the text beyond `max_position_embeddings`.
    Dynamic { factor: f64 },
    /// Slow pairs divided by a factor, fast pairs unchanged: arXiv 2309.00071.
    Yarn(Yarn),
    /// A divisor for each pair, and other divisors for long texts: arXiv 2402.13753.
    LongRope(LongRope),
    /// Llama 3.1: slow pairs divided by a factor.
    Llama3(Llama3),
    /// The slower pairs do not rotate. The others keep the exponents of the entire head and are divided by `factor`.
    Proportional { factor: f64 },
}

impl Scaling {
    /// Its `rope_type`.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Tokens of the texts that the model was trained on; `None` if the scaling does not say it.
    pub fn original_max_position_embeddings(&self) -> Option<u64> {
        match self {
            Scaling::Linear { original_max_position_embeddings, .. } => *original_max_position_embeddings,
            Scaling::Yarn(yarn) => yarn.original_max_position_embeddings,
            Scaling::LongRope(long) => long.original_max_position_embeddings,
            Scaling::Llama3(llama3) => llama3.original_max_position_embeddings,
            Scaling::Default | Scaling::Dynamic { .. } | Scaling::Proportional { .. } => None,
        }
    }

    /// Sets `original_max_position_embeddings` from config.json's top level, which overrides the scaling's own: Phi-3 has it there.
    /// A scaling that does not use it stays unchanged.
    pub fn set_original_max_position_embeddings(&mut self, length: u64) {
        match self {
            Scaling::Yarn(yarn) => yarn.original_max_position_embeddings = Some(length),
            Scaling::LongRope(long) => long.original_max_position_embeddings = Some(length),
            Scaling::Llama3(llama3) => llama3.original_max_position_embeddings = Some(length),
            Scaling::Default | Scaling::Linear { .. } | Scaling::Dynamic { .. } | Scaling::Proportional { .. } => {}
        }
    }

    /// Whether θ or the magnitude depend on `max_position_embeddings`.
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

    /// The longest text over the original length; `None` for a scaling that does not extend the context by a factor.
    pub(super) fn extension(&self, rope: UnscaledRope) -> Option<f64> {
        match self {
            Scaling::Linear { factor, .. } => Some(*factor),
            Scaling::Yarn(yarn) => Some(yarn.factor(rope)),
            Scaling::LongRope(long) => Some(long.factor(rope)),
            Scaling::Llama3(llama3) => Some(llama3.factor),
            Scaling::Default | Scaling::Dynamic { .. } | Scaling::Proportional { .. } => None,
        }
    }

    /// θ of the pairs that rotate, and the magnitude, in a text of `length` tokens.
    pub(super) fn frequencies(&self, rope: UnscaledRope, length: u64) -> (Vec<f64>, f64) {
        let theta = match self {
            Scaling::Default => rope.periods().map(f64::recip).collect(),
            Scaling::Linear { factor, .. } => rope.periods().map(|period| 1.0 / (factor * period)).collect(),
            Scaling::Dynamic { factor } => dynamic(*factor, rope, length),
            Scaling::Yarn(yarn) => return yarn.frequencies(rope),
            Scaling::LongRope(long) => return long.frequencies(rope, length),
            Scaling::Llama3(llama3) => llama3.theta(rope),
            Scaling::Proportional { factor } => proportional(*factor, rope),
        };
        (theta, 1.0)
    }
}

/// The base is multiplied by (1 + factor · (length / max − 1))^(d / (d − 2)) in texts beyond `max_position_embeddings`.
fn dynamic(factor: f64, rope: UnscaledRope, length: u64) -> Vec<f64> {
    let UnscaledRope { base, max_position_embeddings, .. } = rope;
    let extension = length.max(max_position_embeddings) as f64 / max_position_embeddings as f64;
    let dimensions = rope.rotary_size() as f64;
    let base = base * (1.0 + factor * (extension - 1.0)).powf(dimensions / (dimensions - 2.0));
    UnscaledRope { base, ..rope }.periods().map(f64::recip).collect()
}

/// The exponents are those of the entire head. An odd last dimension does not rotate.
fn proportional(factor: f64, rope: UnscaledRope) -> Vec<f64> {
    periods(rope.base, rope.rotary_size() / 2, rope.head_size).map(|period| 1.0 / (factor * period)).collect()
}
