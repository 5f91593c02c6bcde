//! RoFormer, a transformer with rotary position embedding (arXiv 2104.09864), and other small transformers, on WebGPU through wgpu or
//! on the CPU.
//!
//! A [`Model`] owns weights on a [`Device`]. A [`Context`] owns a text with its KV cache. [`Context::run`] computes a forward pass and
//! returns its [`Output`], and a [`Run`] that answers questions about it: attention maps, queries and keys, statistics of heads.
//!
//! ```
//! use ropescope::{BackendChoice, ContextOptions, Device, HeadId, LoadOptions, Model, NeverCancelled, Request};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config = std::fs::read_to_string("models/roformer-english/config.json")?;
//! let file = std::fs::read("models/roformer-english/model.safetensors")?;
//! pollster::block_on(async {
//!     let device = Device::open(BackendChoice::Auto).await?;
//!     let model = Model::load(&device, &config, &file, LoadOptions::default()).await?;
//!     let context = model.context(ContextOptions { keep_heads: true, ..ContextOptions::default() });
//!     let (output, run) = context.run(&Request::new(vec![2, 5, 11, 4, 3], 1, 5), &NeverCancelled).await?;
//!     assert_eq!(output.result.unwrap().shape, [1, 5, 8192]); // batch, length, vocabulary
//!     let map = run.attention_map(HeadId::new(2, 6), &NeverCancelled).await?;
//!     assert_eq!(map.shape, [5, 5]); // queries, keys
//!     Ok(())
//! })
//! # }
//! ```
//!
//! Several models may share one [`Device`]. The feature `cli`, which is on by default, is the command line: a library does without it
//! (`default-features = false`). In a browser `cargo xtask build` makes `web/wasm/ropescope.js` with the class `Engine`, which the page uses
//! from a worker.
//!
//! # Stability
//!
//! The types at the root load a model, run it and ask about the run. [`runtime`] has the others: parts and taps of a run, generation
//! (greedy or sampled with the next steps in flight on a GPU, or by beams), interventions, loading in chunks, variants of a model. With [`rope`],
//! [`positions`] and [`sampling`] they are the crate's interface. The other modules are public for this project's tests and benchmarks,
//! are hidden from the documentation, and change without notice.
//!
//! # Cancellation and threads
//!
//! Every future of the crate may be dropped at any await: its context is then as after a run that failed, and the next run computes the
//! same results as without it. A [`Cancellation`] ends a run from inside, on the CPU also in the middle of a long operation.
//! Models, contexts and runs are neither `Send` nor `Sync`: they stay on the thread that made them. A context does one thing at a time:
//! a second call at the same time gets [`Error::Busy`]. Two contexts of a model do not disturb each other.
#![warn(missing_docs)]

mod shaders;

#[doc(hidden)]
pub mod backend;
#[cfg(feature = "cli")]
#[allow(missing_docs)] // The program, not the library.
pub mod cli;
#[doc(hidden)]
pub mod draw;
pub mod error;
#[doc(hidden)]
pub mod model;
mod number;
#[doc(hidden)]
pub mod ops;
#[doc(hidden)]
pub mod plan;
pub mod positions;
pub mod rope;
pub mod runtime;
pub mod sampling;
#[doc(hidden)]
pub mod trial;
#[cfg(target_arch = "wasm32")]
mod web;
#[doc(hidden)]
pub mod weight_table;

pub use backend::{Cancellation, NeverCancelled};
pub use error::Error;
pub use plan::Site;
#[doc(hidden)]
pub use ropescope_kernels as kernels;
#[doc(hidden)]
pub use ropescope_weights as weights;
pub use runtime::{BackendChoice, Context, ContextOptions, Device, HeadId, LoadOptions, Model, Output, Request, Run};
