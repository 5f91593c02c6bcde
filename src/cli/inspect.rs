//! `ropescope inspect`: facts, modules, parameters and memory of a model, as a table or as JSON.

use std::path::PathBuf;

use clap::Args;

use super::model_folder::ModelFolder;
use super::stdout::{indented_json, print};
use crate::cli::argument_error::invalid;
use crate::error::Error;
use report::ModelReport;

mod report;
mod table;

/// The largest --batch.
const MOST_TEXTS: usize = 1 << 20;

/// The default of --length, unless the model takes fewer tokens.
const LENGTH: usize = 128;

#[derive(Args)]
pub struct Arguments {
    /// A folder with config.json and weights, as Hugging Face saves a model; config.json alone will do.
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// Length of the text that output shapes and memory are given for, in tokens [default: 128, or the longest text]
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// The number of texts of that length that output shapes and memory are given for.
    #[arg(long, value_name = "N", default_value_t = 1)]
    batch: usize,
    /// Print JSON: the same facts, modules and sums.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Prints one row a module, and sums. The header of the weights is checked first.
    pub fn execute(self) -> Result<(), Error> {
        let (model, unread) = ModelFolder::describe(&self.model)?;
        let length = text_length(self.length, model.facts.longest)?;
        if !(1..=MOST_TEXTS).contains(&self.batch) {
            return invalid(format!("--batch {} is not a number from 1 to {MOST_TEXTS}", self.batch));
        }
        let report = ModelReport::of(&model, [self.batch, length], unread)?;
        print(&if self.json { indented_json(&report)? } else { report.table() })
    }
}

fn text_length(length: Option<usize>, longest: Option<u64>) -> Result<usize, Error> {
    let most = longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
    match (length, longest) {
        (Some(0), _) => invalid("--length 0 is no text; give a number from 1"),
        (Some(length), Some(longest)) if length > most => Err(Error::TextTooLong { length, longest, stretches: false }),
        (Some(length), _) => Ok(length),
        (None, _) => Ok(LENGTH.min(most)),
    }
}

#[cfg(test)]
mod tests;
