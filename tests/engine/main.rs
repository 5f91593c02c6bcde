//! Tests of the engine, in one program: Cargo links it once, and its tests run in parallel.

mod addresses;
mod config_keys;
mod differences;
mod explain;
mod f16;
mod flow;
mod golden;
mod head_ablation;
mod interventions;
mod kernels;
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
mod terms;
mod tokenizer;
mod variants;
