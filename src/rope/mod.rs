//! Rotary position embedding as mathematics, in f64 and without a device: what the tables on the GPU and every curve
//! on the page come from. Numbering as in Hugging Face's code: pair i = 0 … d/2 − 1 turns by m·θ_i at position m.
//! Source: Su et al., RoFormer, arXiv 2104.09864 v5; the scalings of trained models name their own.

mod decay;
mod foretold;
mod frequencies;
mod of_model;
mod scaling;
mod score;
mod stretched;
mod table;

pub use decay::{cosine_sums, decay_bound, first_negative, smallest_base};
pub use foretold::{Foretold, HeadRows, MeanPair, foretold};
pub use frequencies::{BASE, Frequencies};
pub use of_model::Rope;
pub use scaling::parameters::RopeParameters;
pub use scaling::{Llama3, LongRope, Scaling, Yarn};
pub use score::{ScoreParts, score_parts};
pub use stretched::{PHI_3_LONG, Stretch};
pub use table::{angles, rounded_table, table, turned};
