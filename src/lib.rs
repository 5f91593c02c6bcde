//! RoFormer, a transformer with rotary position embedding (arXiv 2104.09864), on WebGPU through wgpu or on the CPU.
//!
//! A model records its forward pass as a [`plan`]; a [`backend`] runs it; a [`session`] loads a checkpoint, keeps its plan
//! and runs it on token ids. [`rope`] is the mathematics of the rotation, [`positions`] that of other ways, [`sampling`] the draw of
//! the next token, both without a model.

mod shaders;

pub mod backend;
#[cfg(feature = "cli")]
pub mod cli;
pub mod draw;
pub mod error;
pub mod model;
mod number;
pub mod ops;
pub mod plan;
pub mod positions;
pub mod rope;
pub mod sampling;
pub mod session;
mod transcendental;
#[cfg(target_arch = "wasm32")]
mod web;
pub mod weight_table;

/// README.md's examples, which are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use error::Error;
pub use ropescope_kernels as kernels;
pub use ropescope_weights as weights;
