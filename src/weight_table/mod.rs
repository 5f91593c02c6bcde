//! The tensors of a file that make up a model's weights, and their way into memory.
//!
//! A family declares its weights in a [`WeightTable`], each with its tensors and their [`RowOrder`]. The table is
//! checked against a file's [`Header`](crate::weights::Header) before anything is allocated. A [`WeightStream`] then takes the file's
//! bytes in pieces of any size and writes the numbers to a [`Sink`]: memory of the host, or buffers of a device. No file is ever in
//! memory as a whole.
//!
//! Conventions of families end here: kernels see adjacent pairs, stacked projections and gates that alternate with the rows that they
//! gate.

mod aliases;
mod host;
mod row_order;
mod row_writer;
mod sink;
mod stream;
mod table;

pub use aliases::Aliases;
pub use host::HostSink;
pub use row_order::RowOrder;
pub use sink::Sink;
pub use stream::WeightStream;
pub use table::{HostWeight, Role, TensorIndex, TensorSpec, WeightPart, WeightTable};

#[cfg(test)]
mod tests;
