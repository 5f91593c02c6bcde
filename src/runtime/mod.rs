//! Runs models: weights on a device, texts with their caches, runs, questions about runs, generation.
//!
//! A [`Model`] owns weights; a clone shares them. A [`Context`] owns a text: its KV cache and its plans. A [`Run`] is a handle that
//! answers questions about one forward pass. See the crate's documentation for an example.
//!
//! A context and its runs share one place, which a future borrows while it works there: whoever comes meanwhile gets
//! [`Error::Busy`](crate::Error::Busy). The borrows below are held across awaits on purpose.
#![allow(clippy::await_holding_refcell_ref)]

mod activation_file;
mod angles;
mod cache;
mod context;
mod device;
mod encode;
mod encoded_source;
mod execute;
mod generate;
mod in_flight;
mod inner;
mod interventions;
mod loading;
mod locate;
mod model;
mod plans;
mod probes;
mod questions;
mod request;
mod result;
mod run;
mod run_key;
mod self_check;
mod source;

pub use activation_file::{LARGEST_FILE, every_tap, tap_sites};
pub use context::Context;
pub use device::{BackendChoice, Device};
pub use generate::{BeamSearch, Continuation, End, Generation, Next};
pub use inner::ContextOptions;
pub use interventions::{Intervention, Interventions, Replacement};
pub use loading::{LoadOptions, Loading};
pub use model::{Model, ModelFiles};
pub use probes::{Differences, Flow, Grid, HeadRows, LONGEST_FLOW, MOST_COMPARED, Weighing};
pub(crate) use questions::check_map;
pub use request::{HeadId, LARGEST_OFFSET, Penalty, Request, Rows, TAPS};
pub use result::{Fill, HeadMaps, Output, Report, Tensor};
pub use run::Run;
pub(crate) use self_check::synthetic;
pub use source::SourceText;
