//! The mathematics of rotary position embedding, in f64 and without a device. The tables on the GPU and every curve on the page come
//! from here. Pairs are numbered as in Hugging Face's code: pair i = 0 … d/2 − 1 rotates by m·θ_i at position m.
//! Source: Su et al., RoFormer, arXiv 2104.09864 v5; each scaling names its own.

mod context_extension;
mod decay;
mod frequencies;
mod model_rope;
mod scaling;
mod score;
mod score_prediction;
mod table;

pub use context_extension::{ContextExtension, PHI_3_LONG_FACTORS};
pub use decay::{cosine_sums, decay_bound, first_negative_distance, smallest_base};
pub use frequencies::{BASE, Frequencies};
pub use model_rope::{PARTIAL_ROTARY_FACTOR, ROPE_THETA, Rope};
pub use scaling::parameters::RopeParameters;
pub use scaling::{Llama3, LongRope, Scaling, Yarn};
pub use score::{Hands, ScoreParts, moved_parts, score_parts};
pub use score_prediction::{PairMeans, PredictionInput, ScorePrediction, predict_scores};
pub use table::{angles, bf16_table, rotate_row, table};
