//! What the tests of the engine share. Every test program takes a part of it.
#![allow(dead_code, unused_imports)]

mod bench;
mod expected;
mod models;
mod numbers;

pub use bench::{Adapter, Bench, assert_twins, assert_unsplit_twins, dequantised};
pub use expected::Expected;
pub use models::{Folder, allocated, context, context_with_heads, demo_model, golden, gpu, output, run};
pub use numbers::{assert_close, key_mask, numbers};
