//! How attention can be told where tokens stand: by hand, and by the published ways side by side. In f64 and small, for a few
//! tokens; no model runs on it. Numbers that stand for what a model would have learnt are drawn from seeds.

mod added;
mod by_hand;
mod vectors;
mod ways;

pub use added::{added, random_cosines, sinusoids};
pub use by_hand::by_hand;
pub use vectors::drawn;
pub use ways::Way;
