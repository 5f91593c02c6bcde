//! Pictures painted from taps: each a shader and its CPU twin giving RGBA.

mod grid;
mod grid_gpu;
mod palette;

pub use grid::{Layout, paint};
pub use grid_gpu::{GridPainter, Numbers};
pub use palette::Palette;
