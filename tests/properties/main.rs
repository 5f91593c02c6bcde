//! What holds for every RoFormer, whatever its numbers are.

mod attention;
mod invariance;
mod requests;
#[path = "../support/mod.rs"]
mod support;
mod taps;
