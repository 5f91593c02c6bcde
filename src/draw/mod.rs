//! The grid of all heads as a picture: a shader and its CPU reference.

mod grid;
mod grid_gpu;
mod palette;

pub use grid::{Layout, paint};
pub use grid_gpu::{GridPainter, MapBuffer};
pub use palette::Palette;
