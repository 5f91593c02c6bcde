//! Tests of the engine, in one program: Cargo links it once, and its tests run in parallel.

mod architecture;
mod config_keys;
mod differences;
mod flow;
mod golden;
mod imports;
mod interventions;
mod kernels;
mod names;
mod painting;
mod pairs;
mod plans;
mod properties;
mod quantised;
mod questions;
mod read_facts;
mod ropes;
mod runs;
mod sampling;
mod site_names;
mod sources;
mod support;
mod tokenizer;
mod variants;
