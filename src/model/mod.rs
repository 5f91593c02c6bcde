//! Models: config.json and the tensors' names give a family's weights and settings, its forward pass is recorded as a plan.

mod architecture;
pub mod blocks;
mod class;
pub mod facts;
pub mod families;
pub mod keys;
mod ropes;
mod settings;
mod variant;

pub use architecture::{Architecture, ModelPlan, Network};
pub use class::Class;
pub use facts::{Attention, Facts, Output};
pub use families::{FAMILIES, Family};
pub use keys::Keys;
pub use variant::Variant;
