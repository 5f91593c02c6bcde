//! From files to tensors.
//!
//! - [`Header`] reads the content of a safetensors file: names, types, shapes and byte ranges.
//! - [`CheckpointReader`] reads every other form of weights – safetensors in several files with an index, PyTorch's
//!   state dicts as a zip archive or as the older stream of pickles – and describes them as one safetensors file, a
//!   [`Checkpoint`]: a header, followed by byte ranges of the files.
//! - [`json`] reads JSON with bounds on memory.
//!
//! Nothing here opens a file: [`CheckpointReader`] names the bytes that it needs, and its caller reads them. None of them belong to a
//! tensor. A pickle is interpreted by a machine that knows tensors and plain data and can call nothing; [`Error`] describes
//! everything else that a pickle may ask for.
//!
//! ```
//! use ropescope_weights::Header;
//!
//! let json = r#"{"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
//! let mut file = (json.len() as u64).to_le_bytes().to_vec();
//! file.extend(json.bytes());
//! file.extend([0; 8]);
//!
//! let header = Header::parse(&file, Some(file.len() as u64))?;
//! let bias = header.get("bias").expect("the header names it");
//! assert_eq!((bias.shape.as_slice(), bias.range.clone()), (&[2][..], 0..8));
//! # Ok::<(), ropescope_weights::HeaderError>(())
//! ```

#![warn(missing_docs)]

mod checkpoint;
mod dtype;
mod error;
mod folder;
mod index;
pub mod json;
mod reader;
mod safetensors;
mod single_file;
mod source_files;
mod torch;
#[cfg(all(target_arch = "wasm32", feature = "module"))]
mod web;

pub use checkpoint::Checkpoint;
pub use dtype::Dtype;
pub use error::{Error, FileDefect, FileForm, IndexDefect, JsonDefect, PickleAction, TensorDefect, quoted};
pub use folder::find_weights;
pub use reader::{CheckpointReader, Step};
pub use safetensors::{Header, HeaderError, TensorInfo};
pub use source_files::{FileLength, Span};
