//! The blocks that families consist of: embeddings, attention, feed-forward networks, layers, the stack of them, and heads.

mod attention;
mod cross_attention;
mod embeddings;
pub mod encoder_decoder;
mod feed_forward;
pub mod gated_decoder;
mod head;
mod layers;
mod norm_sites;
mod stack;

pub use attention::{SelfAttention, fused_projection};
pub use cross_attention::CrossAttention;
pub use embeddings::Embeddings;
pub use feed_forward::FeedForward;
pub use head::Head;
pub use layers::{layer_norm, layer_norm_with_bias, linear, linear_of_parts, output_weight};
pub use stack::{Layer, Norms, Stack};
