//! A forward pass as plain data: values, states, ops, slots and taps. Knows no device, no model and no op by name.

mod builder;
mod heads;
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
pub use heads::{HeadValues, Heads};
pub use op::{Chunks, Inputs, Kernel, Launch, Op, WORKGROUP, grid};
pub use operand::{Access, HeadAblation, Input, Operand, PairMode, State, Use, Value, Weight};
pub use options::{InterventionKinds, PlanOptions};
pub(crate) use parameter::parameters;
pub use parameter::{IntoParameter, Member, Parameter, ParameterType};
pub use part::Part;
pub use pass::Plan;
pub use shape::{Axis, CHUNK, Capacity, Extent, Shape, Sizes};
pub use site::{Index, Site, TensorName};
pub use slots::Slots;
pub use tap::{TapView, Taps};
pub use view::{View, first_row, pitch};
