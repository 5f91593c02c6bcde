//! Runs models: weights on a device, texts with their caches, runs, questions about runs, generation.
//!
//! A [`Model`] owns weights; a clone shares them. A [`Context`] owns a text: its KV cache and its plans. A [`Run`] is a handle that
//! answers questions about one forward pass. See the crate's documentation for an example.
//!
//! A context and its runs share one `Inner`. A future borrows it while it works, across awaits on purpose: a second call at the same time
//! gets [`Error::Busy`](crate::Error::Busy).
#![allow(clippy::await_holding_refcell_ref)]

mod activation_file;
mod angles;
mod cache;
mod context;
mod context_options;
mod device;
mod draws;
mod encode;
mod encoded_source;
mod execute;
mod explain;
mod generate;
mod in_flight;
mod inner;
mod interventions;
mod loading;
mod locate;
mod model;
mod neurons;
mod plans;
mod probe_reads;
mod probes;
mod request;
mod request_inputs;
mod result;
mod run;
mod run_key;
mod self_check;
mod site_numbers;
mod source;
mod taps;
mod weight_rows;

pub use crate::kernels::Format;
#[cfg(not(target_arch = "wasm32"))]
pub use crate::kernels::{set_threads, threads};
pub use crate::model::{Attention, Facts, Variant};
pub use crate::ops::MapKind;
pub use crate::plan::{Index, Part, Taps, TensorName};
pub use activation_file::LARGEST_FILE;
pub use context::Context;
pub use context_options::ContextOptions;
pub use device::{BackendChoice, Device};
pub use draws::Draws;
pub use explain::{Attribution, Explainer, Explanation, LogitTerm, Rest, TermKind};
pub use generate::{BeamSearch, Continuation, End, Generation, Next};
pub use interventions::{Intervention, Interventions, Replacement};
pub use loading::{LoadOptions, Loading};
pub use model::{Model, ModelFiles};
pub use neurons::{MOST_TOKENS, NeuronNumbers, NeuronTokens, NeuronWrites, Neurons, TokenNumber};
pub(crate) use probe_reads::check_map;
pub use probes::{Differences, Grid, HeadRows, LONGEST_ROLLOUT, MOST_COMPARED, ResidualNorms, Weighing};
pub use request::{HeadId, LARGEST_OFFSET, PredictionRows, Request};
pub use result::{Fill, HeadMaps, Output, RunReport, Sample, Tensor};
pub use run::Run;
pub(crate) use self_check::synthetic;
pub use site_numbers::{MOST_BYTES, layers_of};
pub use source::SourceText;
pub use taps::{every_tap, named_taps, tap_sites};
