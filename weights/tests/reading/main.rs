//! Weights in every form, and hostile files.

#[path = "../../../tests/mutated_checkpoints/allocation.rs"]
mod allocation;
mod archives;
mod files;
mod forms;
mod hostile;
mod indices;
mod mutations;
mod pickles;

#[global_allocator]
static ALLOCATOR: allocation::Counting = allocation::Counting;
