//! `ropescope generate`: a causal model continues a text, token by token.

use std::io::Write as _;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::input::Input;
use super::model_folder::read;
use super::rows::Rows;
use super::tokenizer::{TextStream, Tokenizer};
use super::{ModelArguments, print};
use crate::backend::Unhurried;
use crate::error::Error;
use crate::sampling::Settings;
use crate::session::{Continuation, Generation, Session};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    input: Input,
    /// 1 where a token is seen and 0 where it is padding, in the form of the ids; without it all are seen.
    #[arg(long, value_name = "ROWS")]
    attention_mask: Option<String>,
    /// How many tokens to write at most.
    #[arg(long, value_name = "N", default_value_t = 64)]
    max_new_tokens: usize,
    /// Logits are divided by it; 0 takes the best token always.
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    temperature: f64,
    /// Keeps the K best tokens, 64 at most; 0 keeps all 64.
    #[arg(long, value_name = "K", default_value_t = 0)]
    top_k: usize,
    /// Keeps the fewest best tokens whose probabilities come to P.
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    top_p: f64,
    /// Keeps tokens with at least this share of the best one's probability.
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    min_p: f64,
    /// Makes tokens that the text holds less likely where it is above 1.
    #[arg(long, value_name = "R", default_value_t = 1.0)]
    repetition_penalty: f64,
    /// Of the random numbers: the same seed gives the same text.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Writes on after an end token.
    #[arg(long)]
    ignore_eos: bool,
    /// Goes on beyond the length that the model is made for.
    #[arg(long)]
    beyond_length: bool,
    /// Print {"ids": [[…]], "text": ["…"]} at the end, ids with the prompt, instead of the text as it comes.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Written<'a> {
    ids: Vec<&'a [u32]>,
    /// Null without a tokenizer.
    text: Vec<Option<String>>,
}

impl Arguments {
    /// Streams the continuations to stdout, or prints JSON.
    pub fn execute(self) -> Result<(), Error> {
        let folder = self.model.open()?;
        let tokenizer = Tokenizer::open(&self.model.model);
        let prompt = self.prompt(&tokenizer)?;
        let mask = self.attention_mask.as_deref();
        let mask = mask.map(|mask| Rows::parse_mask("--attention-mask", mask, &prompt)).transpose()?;
        let facts = folder.model()?.facts;
        let continuation = Continuation {
            sampling: self.settings(),
            most: self.max_new_tokens,
            ends: self.ends(facts.eos_token_ids)?,
            beyond_length: self.beyond_length,
            keeps_heads: false,
        };
        let mut generation = Generation::new(&prompt.values, prompt.batch, mask.as_deref(), continuation)?;
        let tokenizer = tokenizer.ok();
        if self.max_new_tokens > 0 {
            pollster::block_on(async {
                let mut session = folder.load(self.model.backend.into()).await?;
                // One text is shown as it comes; several would run into each other.
                let shows = !self.json && prompt.batch == 1;
                write(&mut session, &mut generation, tokenizer.as_ref().filter(|_| shows)).await
            })?;
        }
        let length = prompt.length;
        match (self.json, &tokenizer) {
            (true, _) => print(&json(&generation, tokenizer.as_ref(), length)?),
            (false, Some(_)) if prompt.batch == 1 => print("\n"),
            _ => print(&lines(&generation, tokenizer.as_ref(), length)),
        }
    }

    fn prompt(&self, tokenizer: &Result<Tokenizer, Error>) -> Result<Rows, Error> {
        self.input.rows(|text| {
            let tokenizer = tokenizer.as_ref().map_err(Error::clone)?;
            tokenizer.encode_to_continue(text)
        })
    }

    fn settings(&self) -> Settings {
        let Self { temperature, top_k, top_p, min_p, repetition_penalty, seed, .. } = *self;
        Settings { temperature, top_k, top_p, min_p, repetition_penalty, seed }
    }

    /// Those of generation_config.json, else of config.json.
    fn ends(&self, of_config: Vec<u32>) -> Result<Vec<u32>, Error> {
        if self.ignore_eos {
            return Ok(Vec::new());
        }
        Ok(generation_ends(&self.model.model)?.unwrap_or(of_config))
    }
}

#[derive(Deserialize)]
struct GenerationConfig {
    eos_token_id: Option<Ids>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Ids {
    One(u32),
    Many(Vec<u32>),
}

/// eos_token_id of generation_config.json, where there is one.
fn generation_ends(folder: &Path) -> Result<Option<Vec<u32>>, Error> {
    let path = folder.join("generation_config.json");
    if !path.exists() {
        return Ok(None);
    }
    let parsed: Result<GenerationConfig, _> = serde_json::from_slice(&read(&path)?);
    let failed = |error: serde_json::Error| Error::Io { path: path.display().to_string(), reason: error.to_string() };
    Ok(parsed.map_err(failed)?.eos_token_id.map(|ids| match ids {
        Ids::One(id) => vec![id],
        Ids::Many(ids) => ids,
    }))
}

/// Writes until every text has ended, and shows the first as it comes where there is a tokenizer for it.
async fn write(session: &mut Session, generation: &mut Generation, shown: Option<&Tokenizer>) -> Result<(), Error> {
    let mut stream = shown.map(|tokenizer| tokenizer.stream(true));
    while !generation.ended() {
        let next = session.write_on(generation, &Unhurried).await?;
        if let (Some(stream), Some(Some(next))) = (&mut stream, next.first()) {
            show(&stream.push(next.id))?;
        }
    }
    stream.as_mut().map_or(Ok(()), |stream: &mut TextStream<'_>| show(&stream.flush()))
}

fn show(text: &str) -> Result<(), Error> {
    print(text)?;
    // A reader that has gone away is no reason to fail.
    let _ = std::io::stdout().flush();
    Ok(())
}

/// What was written to each text, without its prompt.
fn texts(generation: &Generation, tokenizer: Option<&Tokenizer>, prompt: usize) -> Vec<Option<String>> {
    let text = |tokenizer: &Tokenizer, ids: &[u32]| {
        let mut stream = tokenizer.stream(true);
        let mut text: String = ids.iter().skip(prompt).map(|id| stream.push(*id)).collect();
        text += &stream.flush();
        text
    };
    generation.ids().map(|ids| tokenizer.map(|tokenizer| text(tokenizer, ids))).collect()
}

fn json(generation: &Generation, tokenizer: Option<&Tokenizer>, prompt: usize) -> Result<String, Error> {
    let written = Written { ids: generation.ids().collect(), text: texts(generation, tokenizer, prompt) };
    let failed = |error: serde_json::Error| Error::Io { path: "standard output".into(), reason: error.to_string() };
    serde_json::to_string(&written).map(|text| text + "\n").map_err(failed)
}

/// A line a text: what was written, or its ids where there is no tokenizer.
fn lines(generation: &Generation, tokenizer: Option<&Tokenizer>, prompt: usize) -> String {
    let texts = texts(generation, tokenizer, prompt).into_iter().zip(generation.ids());
    let line = |(text, ids): (Option<String>, &[u32])| {
        let numbers = || ids.iter().skip(prompt).map(u32::to_string).collect::<Vec<_>>().join(",");
        text.unwrap_or_else(numbers) + "\n"
    };
    texts.map(line).collect()
}
