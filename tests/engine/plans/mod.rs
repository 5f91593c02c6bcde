//! What a plan costs, the slots that its values share, and the errors that it keeps.

mod costs;
mod errors;
mod slots;
