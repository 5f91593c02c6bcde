//! Models: config.json and the tensors' names give a family's weights and settings, its forward pass is recorded as a plan.

mod architecture;
pub mod blocks;
mod class;
pub mod facts;
pub mod families;
pub mod keys;
mod purpose;
mod ropes;
mod settings;
mod variant;

pub use architecture::{Architecture, Network};
pub use class::Class;
pub use facts::{Attention, Facts, Output};
pub use families::{FAMILIES, Family};
pub use keys::Keys;
pub use purpose::{Purpose, Recorded};
pub use variant::Variant;
