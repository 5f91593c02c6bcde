//! Ops: one file each with shapes, CPU kernel, parameters and dispatch; its shader is in the folder of its name in `shaders/`. Models record ops
//! with the methods that each file adds to [`PlanBuilder`](crate::plan::PlanBuilder). Probes of a finished run are ops, too.

mod attention;
mod bans;
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
mod maps;
mod mean_map;
mod norm;
mod penalty;
mod rotation;
mod row_norms;
mod sample;
mod token_scale;
mod top_k;

pub use bans::{ban_words, bans_of};
pub use copy_rows::CopyRows;
pub use embedding::{AddedEmbedding, EmbeddingWeights};
pub use epilogue::{Append, Epilogue};
pub use feed::Feed;
pub use gemm::LinearWeights;
pub use head_ablation::HeadAblations;
pub use head_statistics::HeadStatistics;
pub use in_place_rotation::InPlaceRotation;
pub use label_loss::IGNORED;
pub use linear_attention::LinearAttentionInputs;
pub use maps::{MapKind, MapWindow, Maps};
pub use mean_map::MeanMap;
pub use norm::{LinearInput, NormKind, NormWeights};
pub use rotation::{HeadNorms, PairModes, Rotary};
pub use row_norms::RowNorms;
pub use sample::SAMPLE_NUMBERS;
pub use top_k::MAX_TOP_K;
