//! Questions about a finished run: each is an op that computes an answer from the run's stored queries, keys and values.

mod contacts;
mod differences;
mod grid;
mod head_rows;
mod heads;
mod mean_map;
mod rollout;
mod statistics;

pub(super) use contacts::residues;
pub use differences::{Differences, MOST_COMPARED};
pub use grid::Grid;
pub use head_rows::HeadRows;
pub use mean_map::Weighing;
pub use rollout::{LONGEST_ROLLOUT, ResidualNorms};
