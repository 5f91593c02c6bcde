//! A model's files: what they hold, and how it becomes the weights that kernels read.
//!
//! A [`Directory`] says from a file's header alone which tensors it holds and where. A family fills a [`WeightTable`]:
//! which tensors, in which [`RowOrder`], make which weight; the table is checked against the directory before anything is
//! allocated. A [`Filling`] then takes the file's bytes as they arrive, in pieces of any size, and hands the numbers that
//! are wanted to a [`Sink`]: memory on the host, or a device's buffers. No file is ever held as a whole.
//!
//! Conventions end here: kernels see adjacent pairs, stacked projections and gates beside what they gate, however a file
//! lays them out. Knows of a plan only what a weight is, and of a model nothing.

mod directory;
mod filling;
mod gather;
mod host;
mod row_order;
mod safetensors;
mod sorting;
mod table;

pub use directory::{Directory, Dtype, Names, Stored};
pub use filling::{Filling, Sink};
pub use host::{HostSink, HostWeights};
pub use row_order::{RowOrder, place, source};
pub use table::{Declared, HostWeight, Part, Role, WeightTable};

#[cfg(test)]
mod tests;
