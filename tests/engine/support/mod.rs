//! Models, devices and comparisons that the tests of the engine share.

mod bench;
mod expected;
mod gpu;
mod models;
mod numbers;
mod reference_page;

pub use bench::{Adapter, Bench, assert_twins, assert_unsplit_twins, dequantised};
pub use expected::Expected;
pub use gpu::{allocated, gpu, open_gpu, open_gpu_with_f16};
pub use models::{Folder, context, context_with_heads, demo_model, golden, output, run};
pub use numbers::{assert_close, key_mask, numbers};
pub use reference_page::assert_page;
