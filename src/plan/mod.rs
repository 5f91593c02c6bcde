//! A forward pass as plain data: values, states, ops, slots and taps. Knows no device, no model and no op by name.
//!
//! A plan has one type at each level, from below:
//!
//! | type | what it adds |
//! |---|---|
//! | [`Plan`] | ops, their values and the slots of those |
//! | `model::ModelPlan` | which values are the results: logits, losses, fills of the lens |
//! | `backend::CpuPlan`, `backend::gpu::GpuPlan` | buffers, and on a GPU bind groups |
//! | `backend::DevicePlan` | either of the two |
//! | `runtime::ContextPlan` | the results' values, and which rotary tables are written |

mod builder;
mod derivation;
mod heads;
mod number_tensors;
mod op;
mod operand;
mod options;
mod parameter;
mod part;
mod pass;
mod shape;
mod site;
mod slots;
mod tap;
mod view;

pub use builder::PlanBuilder;
pub use derivation::{Cell, Derivation, Function, LinearCell, NormCell};
pub use heads::{HeadValues, Heads};
pub use number_tensors::{EVERY_INDEX, NumberEntry, NumberTensors};
pub use op::{Chunks, Inputs, Kernel, Launch, Op, WORKGROUP, grid};
pub use operand::{Access, DRAW_WORDS, ENTRY_WORDS, HeadAblation, Input, Operand, PairMode, State, Use, Value, Weight};
pub use options::{InterventionKinds, PlanOptions};
pub(crate) use parameter::parameters;
pub use parameter::{IntoParameter, Member, Parameter, ParameterType};
pub use part::Part;
pub use pass::Plan;
pub use shape::{Axis, CHUNK, Capacity, Extent, Shape, Sizes};
pub use site::{Index, Site, SiteAxis, TensorName};
pub use slots::Slots;
pub use tap::{RowStatistic, TapView, Taps, softmax};
pub use view::{View, first_row, pitch};
