//! Properties of every model, whatever its numbers are.

mod attention;
mod cache;
mod cancellation;
mod contexts;
mod draws;
mod generation;
mod interruption;
mod invariance;
mod requests;
mod taps;
