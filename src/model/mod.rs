//! Models without numbers: a family reads config.json, declares its weights, and records its forward pass as a plan.

mod architecture;
pub mod blocks;
pub mod facts;
pub mod families;
pub mod keys;
mod neuron_weights;
mod ropes;
mod settings;
mod variant;

pub use architecture::{Architecture, ModelPlan, Network};
pub use facts::{Attention, Facts, HeadKind};
pub use families::{FAMILIES, Family};
pub use keys::Keys;
pub use neuron_weights::{NeuronWeights, WordWeights};
pub use variant::Variant;
