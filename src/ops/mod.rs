//! The ops: one file each, with its shapes, its CPU kernel and its dispatch as data; the shader of the same name lies in
//! `shaders/`. Models record them by the methods that each file adds to [`Plan`](crate::plan::Plan).

mod activation;
mod attention;
mod embedding;
mod exponential;
mod gather;
mod head_rows;
mod layer_norm;
mod matrix;
mod product;
mod reduction;
mod rotation;
mod row_products;
mod top_k;

pub use activation::Activation;
pub use attention::Attention;
pub use embedding::EmbeddingWeights;
pub use layer_norm::LayerNormWeights;
pub use product::{Epilogue, LinearWeights};
pub use rotation::Rotary;
pub use top_k::MAX_TOP_K;
