//! `ropescope score`: the parts of one score of one head by frequency pair, and the score of the same query and key at other distances.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::input::Input;
use super::model_arguments::ModelArguments;
use super::stdout::{json, print};
use super::tokenizer::Tokenizer;
use crate::backend::NeverCancelled;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::rope;
use crate::runtime::{ContextOptions, HeadId, Request};

/// The largest --max-distance; more takes long and shows nothing new.
const FARTHEST: usize = 1_000_000;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    input: Input,
    /// The layer, counted from 0.
    #[arg(long, value_name = "N")]
    layer: usize,
    /// The head of that layer, counted from 0.
    #[arg(long, value_name = "N")]
    head: usize,
    /// The query token's place in the text, counted from 0 with the tokens that the tokenizer adds.
    #[arg(long, value_name = "N")]
    query: usize,
    /// The key token's place.
    #[arg(long, value_name = "N")]
    key: usize,
    /// Distances on either side of 0 at which the same query and key are scored.
    #[arg(long, value_name = "N", default_value_t = 64)]
    max_distance: usize,
    /// Print JSON: parts and running sum by pair, the score, and the sweep over distances (query - key).
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ScoreReport {
    parts: Vec<f64>,
    running: Vec<f64>,
    score: f64,
    sweep: Vec<SweepPoint>,
}

#[derive(Serialize)]
struct SweepPoint {
    /// Position of the query less that of the key.
    distance: i64,
    score: f64,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        let report = self.report()?;
        print(&if self.json { json(&report)? } else { table(&report) })
    }

    fn report(&self) -> Result<ScoreReport, Error> {
        let Arguments { layer, head, query, key, max_distance, .. } = *self;
        if max_distance > FARTHEST {
            return invalid(format!("--max-distance {max_distance} is more than {FARTHEST}"));
        }
        let folder = self.model.open()?;
        let longest = folder.architecture()?.facts.longest;
        let ids = self.input.rows(|text| {
            let tokenizer = Tokenizer::open(&self.model.folder)?;
            tokenizer.check_length(text, longest)?;
            tokenizer.encode(text)
        })?;
        if ids.batch != 1 {
            return invalid(format!("{} rows of ids were given; a score is of one text", ids.batch));
        }
        for (flag, at) in [("--query", query), ("--key", key)] {
            if at >= ids.length {
                return invalid(format!("{flag} {at} is not in the text: it has {} tokens", ids.length));
            }
        }
        let request = Request::new(ids.values, 1, ids.length);
        let parts = pollster::block_on(async {
            let model = folder.load(self.model.backend).await?;
            let context = model.context(ContextOptions { keep_heads: true, ..ContextOptions::default() });
            let (_, run) = context.run(&request, &NeverCancelled).await?;
            let maps = run.head(HeadId::new(layer, head), &NeverCancelled).await?;
            let frequencies =
                run.frequencies(layer)?.map_or_else(|| invalid("this model has no rotary embedding"), Ok)?;
            let (size, scale) = (model.facts().head_size, model.facts().scale);
            let row = |rows: &[f32], at: usize| rows.get(at * size..(at + 1) * size).unwrap_or_default().to_vec();
            let (m, n) = (query as u64, key as u64);
            let (query, key) = (row(&maps.query, query), row(&maps.key, key));
            Ok::<_, Error>(rope::score_parts(&query, &key, m, n, &frequencies, scale, max_distance))
        })?;
        let rope::ScoreParts { parts, running, score, sweep, .. } = parts;
        let distances = -(max_distance as i64)..;
        let sweep = distances.zip(sweep).map(|(distance, score)| SweepPoint { distance, score }).collect();
        Ok(ScoreReport { parts, running, score, sweep })
    }
}

fn table(report: &ScoreReport) -> String {
    let mut text = format!("{:>5}  {:>10}  {:>10}\n", "pair", "part", "sum");
    for (pair, (part, sum)) in report.parts.iter().zip(&report.running).enumerate() {
        let _ = writeln!(text, "{pair:>5}  {part:>10.4}  {sum:>10.4}"); // a String takes every write
    }
    let highest = report.sweep.iter().max_by(|one, other| one.score.total_cmp(&other.score));
    let _ = writeln!(text, "score {:.4}", report.score);
    if let Some(SweepPoint { distance, score }) = highest {
        let _ = writeln!(text, "highest {score:.4} at distance {distance} (query - key)");
    }
    text
}
