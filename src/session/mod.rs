//! A loaded model on a backend: checks a request, keeps plans and texts while they serve, runs, answers questions, counts.

mod ahead;
mod aside;
mod backend;
mod device;
mod differences;
mod flow;
mod generate;
mod head_rows;
mod heads;
mod intervention;
mod loaded;
mod loading;
mod mark;
mod plans;
mod questions;
mod request;
mod result;
mod rotary;
mod self_check;
mod sequence;

pub use backend::Answer;
pub use device::{BackendChoice, Device, GpuDevice};
pub use differences::{Differences, MOST_REMEMBERED};
pub use flow::{Flow, LONGEST_FLOW};
pub use generate::{Continuation, End, Generation, Next};
pub use head_rows::HeadRows;
pub use intervention::{Intervention, Pairs, Replaced};
pub use loaded::Session;
pub use loading::Loading;
pub use mark::Mark;
pub use questions::Picture;
pub use request::{Penalty, Request, Rows, Selection};
pub use result::{Fill, HeadMaps, Output, Report, Tensor};
pub use sequence::Sequence;
