//! `ropescope neurons`: the strongest neurons of a feed-forward network at a token, and the tokens that each reads and writes.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::intervention::Interventions;
use super::model_arguments::{ModelArguments, one_of};
use super::stdout::{indented_json, print};
use super::text_arguments::TextArguments;
use super::tokenizer::Tokenizer;
use crate::backend::NeverCancelled;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::plan::{Index, Part, TensorName};
use crate::runtime::{ContextOptions, MOST_TOKENS, NeuronNumbers, Neurons, PredictionRows, Request, TokenNumber};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    interventions: Interventions,
    /// The part of an encoder–decoder whose text is read.
    #[arg(long, default_value = "decoder", value_parser = one_of(PARTS))]
    part: Part,
    /// The layer, counted from 0.
    #[arg(long, value_name = "N")]
    layer: usize,
    /// The token's place in the text, counted from 0 with the tokens that the tokenizer adds.
    #[arg(long, value_name = "N")]
    row: usize,
    /// How many neurons, and how many tokens of each list.
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// Print JSON: of each neuron its numbers, and the tokens with ids and numbers.
    #[arg(long)]
    json: bool,
}

const PARTS: &[(&str, Part)] = &[("decoder", Part::Decoder), ("encoder", Part::Encoder)];

/// A neuron, its numbers at the token, and its tokens by its weights.
#[derive(Serialize)]
struct Neuron {
    #[serde(flatten)]
    numbers: NeuronNumbers,
    reads: Vec<Token>,
    writes: Option<Writes>,
}

#[derive(Serialize)]
struct Writes {
    likelier: Vec<Token>,
    less_likely: Vec<Token>,
    skips_head: bool,
}

#[derive(Serialize)]
struct Token {
    id: u32,
    /// `None` where the folder has no tokenizer.
    token: Option<String>,
    number: f32,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        if !(1..=MOST_TOKENS).contains(&self.top) {
            return invalid(format!("--top {} is not a number from 1 to {MOST_TOKENS}", self.top));
        }
        let neurons = self.neurons()?;
        print(&if self.json { indented_json(&neurons)? } else { self.table(&neurons) })
    }

    fn neurons(&self) -> Result<Vec<Neuron>, Error> {
        let folder = self.interventions.change(self.model.open()?)?;
        let facts = folder.architecture()?.facts;
        let request = self.text.request(&self.model.folder, &facts)?;
        if request.batch != 1 {
            return invalid(format!("{} rows of ids were given; neurons are of one text", request.batch));
        }
        // Without a tokenizer ids stand for themselves.
        let tokenizer = Tokenizer::open(&self.model.folder).ok();
        let tokens = |tokens: Vec<TokenNumber>| -> Vec<Token> {
            let named = |id| tokenizer.as_ref().map(|tokenizer| tokenizer.display(id));
            tokens.into_iter().map(|TokenNumber { id, number }| Token { id, token: named(id), number }).collect()
        };
        pollster::block_on(async {
            let model = folder.load(self.model.backend).await?;
            let rows = if facts.predicts_tokens() { PredictionRows::At(vec![0]) } else { PredictionRows::All };
            let taps = model.neuron_taps(self.part, self.layer)?;
            let request = Request { taps, rows, interventions: self.interventions.read()?, ..request };
            let context = model.context(ContextOptions { exact: true, ..ContextOptions::default() });
            let (output, _) = context.run(&request, &NeverCancelled).await?;
            let mut neurons = Vec::new();
            for numbers in Neurons::of(&output, self.part, self.layer).strongest(self.row, self.top)? {
                let of_weights =
                    model.neuron_tokens(self.part, self.layer, numbers.neuron, self.top, &NeverCancelled).await?;
                let writes = of_weights.writes.map(|writes| Writes {
                    likelier: tokens(writes.likelier),
                    less_likely: tokens(writes.less_likely),
                    skips_head: writes.skips_head,
                });
                neurons.push(Neuron { numbers, reads: tokens(of_weights.reads), writes });
            }
            Ok(neurons)
        })
    }

    fn table(&self, neurons: &[Neuron]) -> String {
        // A String takes every write.
        let mut text = String::new();
        for Neuron { numbers, reads, writes } in neurons {
            let NeuronNumbers { neuron, value, inner, gate, activated } = numbers;
            let gate = gate.map_or_else(String::new, |gate| format!(", gate {gate:.4}"));
            let site = TensorName::FeedForward.at(self.layer).in_part(self.part);
            let at = site.with_index([Index::At(self.row), Index::At(*neuron)]);
            let _ = writeln!(text, "{at} = {value:.4}  (inner {inner:.4}{gate}, activated {activated:.4})");
            let _ = writeln!(text, "  reads        {}", list(reads));
            let Some(writes) = writes else { continue };
            let note = if writes.skips_head { "  (by word embeddings)" } else { "" };
            let _ = writeln!(text, "  likelier     {}{note}", list(&writes.likelier));
            let _ = writeln!(text, "  less likely  {}{note}", list(&writes.less_likely));
        }
        text
    }
}

/// "cat +1.2345, 17 -0.5".
fn list(tokens: &[Token]) -> String {
    let written = |Token { id, token, number }: &Token| {
        format!("{} {number:+.4}", token.as_deref().map_or_else(|| id.to_string(), str::to_string))
    };
    tokens.iter().map(written).collect::<Vec<_>>().join(", ")
}
