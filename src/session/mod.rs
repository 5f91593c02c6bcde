//! A loaded model on a backend: checks a request, keeps the plan while it fits, runs it, reads results and counts.

mod device;
mod loaded;
mod maps;
mod ready;
mod request;
mod result;

pub use device::{BackendChoice, Device};
pub use loaded::Session;
pub use maps::{LayerMaps, Maps};
pub use request::{Request, Rows, Selection};
pub use result::{Fill, HeadMaps, Output, Report, Tensor};
