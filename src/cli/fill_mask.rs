//! `ropescope fill-mask`: the most probable words for each mask token.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::input::read_text;
use super::intervention::Interventions;
use super::model_arguments::ModelArguments;
use super::stdout::{indented_json, print};
use super::tokenizer::Tokenizer;
use crate::backend::NeverCancelled;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::ops::MAX_TOP_K;
use crate::runtime::{ContextOptions, PredictionRows, Request};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// A text with at least one mask token, as the model's files write it ([MASK], <mask>); - reads standard input.
    #[arg(long)]
    text: String,
    /// Run a text that is longer than the model is made for, if its rope can be stretched.
    #[arg(long)]
    beyond_length: bool,
    #[command(flatten)]
    interventions: Interventions,
    /// The number of words for each mask token.
    #[arg(long, value_name = "K", default_value_t = 5)]
    top_k: usize,
    /// Print JSON: for each mask its position and its fills with id, token and probability.
    #[arg(long)]
    json: bool,
}

/// One mask token: its position, counted from 0 with the tokens of the template, and its fills, best first.
#[derive(Debug, Serialize)]
struct Mask {
    position: usize,
    fills: Vec<Word>,
}

#[derive(Debug, Serialize)]
struct Word {
    id: u32,
    token: String,
    probability: f32,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        if !(1..=MAX_TOP_K).contains(&self.top_k) {
            return invalid(format!("--top-k {} is not a number from 1 to {MAX_TOP_K}", self.top_k));
        }
        let folder = self.interventions.change(self.model.open()?)?;
        let tokenizer = Tokenizer::open(&self.model.folder)?;
        let facts = folder.architecture()?.facts;
        let text = read_text(&self.text)?;
        tokenizer.check_length(&text, facts.limit(self.beyond_length))?;
        let ids = tokenizer.encode(&text)?;
        let mask = tokenizer.mask()?;
        let mask_token = tokenizer.mask_token().unwrap_or_default();
        let positions: Vec<usize> =
            ids.iter().enumerate().filter(|(_, id)| **id == mask).map(|(position, _)| position).collect();
        if positions.is_empty() {
            return Err(Error::NoMask { mask_token: mask_token.into() });
        }
        let length = ids.len();
        let request = Request {
            rows: PredictionRows::At(positions.iter().map(|position| *position as u32).collect()),
            top_k: self.top_k.min(facts.vocab_size),
            beyond_length: self.beyond_length,
            interventions: self.interventions.read()?,
            ..Request::new(ids, 1, length)
        };
        let (output, _) = pollster::block_on(async {
            let model = folder.load(self.model.backend).await?;
            let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
            context.run(&request, &NeverCancelled).await
        })?;
        let word = |id, probability| Word { id, token: tokenizer.display(id), probability };
        let masks: Vec<Mask> = positions
            .iter()
            .zip(&output.top)
            .map(|(position, fills)| Mask {
                position: *position,
                fills: fills.iter().map(|fill| word(fill.id, fill.probability())).collect(),
            })
            .collect();
        print(&if self.json { indented_json(&masks)? } else { table(&masks, mask_token) })
    }
}

fn table(masks: &[Mask], mask_token: &str) -> String {
    let mut text = String::new();
    for mask in masks {
        // A String takes every write.
        let _ = writeln!(text, "{mask_token} at position {}", mask.position);
        for word in &mask.fills {
            let _ = writeln!(text, "  {:>6.2} %  {}  ({})", 100.0 * word.probability, word.token, word.id);
        }
    }
    text
}
