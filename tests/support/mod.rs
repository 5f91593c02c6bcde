//! What the tests of the engine share. Every test program takes a part of it.
#![allow(dead_code, unused_imports)]

mod bench;
mod expected;
mod gpu;
mod models;
mod numbers;

pub use bench::{Adapter, Bench, assert_twins, assert_unsplit_twins, dequantised};
pub use expected::Expected;
pub use gpu::{allocated, gpu, open_gpu};
pub use models::{Folder, context, context_with_heads, demo_model, golden, output, run};
pub use numbers::{assert_close, key_mask, numbers};
