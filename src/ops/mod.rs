//! The ops: one file each, with its shapes, its CPU kernel and its dispatch as data; the shader of the same name lies in
//! `shaders/`. Models record them by the methods that each file adds to [`Plan`](crate::plan::Plan); questions about a
//! finished run are ops, too.

mod attention;
mod attention_reduce;
mod block_rotation;
mod clamped_attention;
mod copy_rows;
mod embedding;
mod epilogue;
mod feature_map;
mod feed;
mod gather;
mod gemm;
mod gemm_tiling;
mod head_ablation;
mod head_score;
mod head_statistics;
mod in_place_rotation;
mod label_loss;
mod linear_attention;
mod linear_sums;
mod maps;
mod mean_map;
mod norm;
mod penalty;
mod rotation;
mod row_norms;
mod token_scale;
mod top_k;

pub use copy_rows::CopyRows;
pub use embedding::{AddedEmbedding, EmbeddingWeights};
pub use epilogue::Epilogue;
pub use feed::{Feed, greedy};
pub use gemm::LinearWeights;
pub use head_ablation::HeadAblations;
pub use head_statistics::HeadStatistics;
pub use in_place_rotation::InPlaceRotation;
pub use label_loss::IGNORED;
pub use linear_attention::Mapped;
pub use maps::{MapKind, MapWindow, Maps};
pub use mean_map::MeanMap;
pub use norm::{LinearInput, NormKind, NormWeights};
pub use rotation::{HeadNorms, PairModes, Rotary};
pub use row_norms::RowNorms;
pub use top_k::MAX_TOP_K;
