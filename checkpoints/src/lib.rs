//! Weights in the forms in which people have them – safetensors in several files with an index, PyTorch's state dicts as a zip
//! archive or as the older stream of pickles – as one safetensors file: a header, and pieces of the files that follow it.
//!
//! Nothing here reads a file: [`Opening`] says which bytes it needs, and whoever has the files gives them. No tensor is among
//! them. A pickle is read by a machine that knows tensors and plain data and can call nothing; see [`Refusal`] for what it says
//! of all else. A package of its own: the page compiles it to a module that is fetched when such a file is opened.

mod cursor;
mod form;
mod header;
mod index;
mod legacy;
mod opening;
mod pickle;
mod reading;
mod refusal;
mod shard;
mod state_dict;
mod torch;
#[cfg(target_arch = "wasm32")]
mod web;
mod zip;

pub use form::weights_among;
pub use header::{Checkpoint, Piece};
pub use opening::{Opening, Step};
pub use reading::{FileLength, Span};
pub use refusal::Refusal;
