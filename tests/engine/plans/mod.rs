//! The cost of a plan, the slots that its values share, and its first error.

mod costs;
mod errors;
mod slots;
