//! What families are put together from: linear layers and norms under their names, attention, feed-forward networks, heads, and
//! the stack that norms before each of them.

mod attention;
mod cross_attention;
pub mod encoder_decoder;
mod feed_forward;
pub mod gated_decoder;
mod head;
mod layers;
mod stack;

pub use attention::{SelfAttention, packed_projection};
pub use cross_attention::CrossAttention;
pub use feed_forward::FeedForward;
pub use head::Head;
pub use layers::{enter_layer, layer_norm, layer_norm_but, linear};
pub use stack::{Stack, StackLayer};
