//! The command line as a program: its output, and its messages when it fails.

mod commands;
#[cfg(unix)]
mod docs;
mod errors;
mod explain;
mod forms;
mod generate;
mod inputs;
mod neurons;
mod outputs;
mod pairs;
mod program;
mod reference;
#[path = "../engine/support/reference_page.rs"]
mod reference_page;
mod run;
mod tokenizers;
