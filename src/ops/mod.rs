//! The ops: one file each, with its shapes, its CPU kernel and its dispatch as data; the shader of the same name lies in
//! `shaders/`. Models record them by the methods that each file adds to [`Plan`](crate::plan::Plan); questions about a
//! finished run are ops, too.

mod attention;
mod attention_join;
mod block_rotation;
mod clamped_attention;
mod copy;
mod embedding;
mod feature_map;
mod feed;
mod gather;
mod head_fates;
mod head_score;
mod head_statistics;
mod label_loss;
mod linear_attention;
mod linear_sums;
mod maps;
mod mean_map;
mod norm;
mod penalty;
mod product;
mod product_end;
mod product_form;
mod rotation;
mod row_norms;
mod token_scale;
mod top_k;
mod turn;

pub use copy::Copy;
pub use embedding::{Added, EmbeddingWeights};
pub use feed::{Feed, greedy};
pub use head_fates::HeadTable;
pub use head_statistics::HeadStatistics;
pub use label_loss::IGNORED;
pub use linear_attention::Mapped;
pub use maps::{Kind, Maps, Window};
pub use mean_map::MeanMap;
pub use norm::{Kind as NormKind, NormWeights, Normed};
pub use product::LinearWeights;
pub use product_end::Epilogue;
pub use rotation::{HeadNorms, PairTable, Rotary};
pub use row_norms::RowNorms;
pub use top_k::MAX_TOP_K;
pub use turn::Turn;
