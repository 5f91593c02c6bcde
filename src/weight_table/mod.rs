//! Which tensors of a file make up a model's weights, and how their bytes get there.
//!
//! A family declares its weights in a [`WeightTable`]: from which tensors, in which [`RowOrder`], each is put together. The table is
//! checked against a file's [`Header`](crate::weights::Header) before anything is allocated. A [`WeightStream`] then takes the file's
//! bytes in pieces of any size and writes the numbers to a [`Sink`]: memory of the host, or buffers of a device. No file is ever in
//! memory as a whole.
//!
//! Conventions end here: kernels see adjacent pairs, stacked projections and gates next to what they gate, however a file arranges
//! them.

mod aliases;
mod host;
mod row_order;
mod row_writer;
mod sink;
mod stream;
mod table;

pub use aliases::Aliases;
pub use host::{HostSink, HostWeights};
pub use row_order::{RowOrder, place, source};
pub use sink::Sink;
pub use stream::WeightStream;
pub use table::{HostWeight, Role, TensorSpec, WeightPart, WeightTable};

#[cfg(test)]
mod tests;
