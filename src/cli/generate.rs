//! `ropescope generate`: a causal model continues a text, token by token; an encoder–decoder generates one from its source.

use std::io::Write as _;

use clap::{ArgAction, Args};
use serde::Serialize;

use super::generation_config::GenerationConfig;
use super::input::Input;
use super::model_arguments::{ModelArguments, one_of};
use super::model_folder::ModelFolder;
use super::rows::TokenRows;
use super::stdout::{self, print};
use super::tokenizer::{TextStream, Tokenizer};
use crate::backend::NeverCancelled;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::model::Facts;
use crate::runtime::{BeamSearch, Context, ContextOptions, Continuation, Generation, SourceText};
use crate::sampling::{SamplingSettings, Search};

/// New tokens, unless an option or generation_config.json says otherwise.
const DEFAULT_NEW_TOKENS: usize = 64;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    input: Input,
    /// 1 for a token and 0 for padding, in the form of the ids; without it there is no padding.
    #[arg(long, value_name = "ROWS")]
    attention_mask: Option<String>,
    /// The most new tokens [default: that of an encoder–decoder's generation_config.json, else 64]
    #[arg(long, value_name = "N")]
    max_new_tokens: Option<usize>,
    /// Divides the logits; 0 always takes the best token [default: 1; for an encoder–decoder 0, unless its generation_config.json samples]
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
    /// For an encoder–decoder: the width of the beam search, up to 8; 1 searches no beams [default: that of generation_config.json]
    #[arg(long, value_name = "N")]
    num_beams: Option<usize>,
    /// For a beam search, which compares texts by Σ ln p / length^PENALTY [default: that of generation_config.json, else 1]
    #[arg(long, value_name = "PENALTY", allow_hyphen_values = true)]
    length_penalty: Option<f64>,
    /// Keeps the K best tokens; 0 keeps all.
    #[arg(long, value_name = "K", default_value_t = 0)]
    top_k: usize,
    /// Keeps the fewest best tokens whose probabilities add up to P.
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    top_p: f64,
    /// Keeps tokens with at least this share of the best one's probability.
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    min_p: f64,
    /// Above 1 it makes tokens less likely that the text already has.
    #[arg(long, value_name = "R", default_value_t = 1.0)]
    repetition_penalty: f64,
    /// The seed of the random numbers: the same seed gives the same text.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// The format of keys and values in the KV cache. f16 takes half the memory of f32, changes logits in the third or fourth digit, and needs a
    /// GPU with WebGPU's shader-f16.
    #[arg(long = "cache", value_name = "FORMAT", default_value = "f32", action = ArgAction::Set, value_parser = one_of(CACHES))]
    f16_cache: bool,
    /// Continues after an end token.
    #[arg(long)]
    ignore_eos: bool,
    /// Continues beyond the length that the model is made for.
    #[arg(long)]
    beyond_length: bool,
    /// Print {"ids": [[…]], "text": ["…"]} at the end instead of the text as it grows; the ids include the prompt.
    #[arg(long)]
    json: bool,
}

/// The values of `--cache`, and whether they are f16.
const CACHES: &[(&str, bool)] = &[("f32", false), ("f16", true)];

#[derive(Serialize)]
struct Generated<'a> {
    ids: &'a [Vec<u32>],
    /// Null without a tokenizer.
    text: Vec<Option<String>>,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        let folder = self.model.open()?;
        let tokenizer = Tokenizer::open(&self.model.folder);
        let facts = folder.architecture()?.facts;
        let reads_source = facts.encoder.is_some();
        let prompt = self.input.rows(|text| {
            let tokenizer = tokenizer.as_ref().map_err(Error::clone)?;
            let reads = facts.encoder.as_deref().unwrap_or(&facts);
            tokenizer.check_length(text, reads.limit(self.beyond_length))?;
            if reads_source { tokenizer.encode(text) } else { tokenizer.encode_to_continue(text) }
        })?;
        let mask = self.attention_mask.as_deref();
        let mask = mask.map(|mask| TokenRows::parse_mask("--attention-mask", mask, &prompt)).transpose()?;
        let tokenizer = tokenizer.ok();
        // Several streamed texts would mix.
        let streamer = tokenizer.as_ref().filter(|_| !self.json && prompt.batch == 1);
        let config = GenerationConfig::open(&self.model.folder, &facts)?;
        let (ids, prompt_length) = match reads_source {
            true => {
                let source = SourceText { ids: prompt.values, length: prompt.length, attention_mask: mask };
                (self.generate_from_source(folder, source, &facts, &config, streamer)?, 1)
            }
            false => {
                let prompt_length = prompt.length;
                (self.continue_text(folder, &prompt, mask, &config, streamer)?, prompt_length)
            }
        };
        match (self.json, streamer) {
            (true, _) => print(&json(&ids, tokenizer.as_ref(), prompt_length)?),
            (false, Some(_)) => print("\n"),
            _ => print(&lines(&ids, tokenizer.as_ref(), prompt_length)),
        }
    }

    /// The ids of each text, its prompt first.
    fn continue_text(
        &self,
        folder: ModelFolder,
        prompt: &TokenRows,
        mask: Option<Vec<u32>>,
        config: &GenerationConfig,
        streamer: Option<&Tokenizer>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        let facts = folder.architecture()?.facts;
        if self.num_beams.is_some() || self.length_penalty.is_some() {
            return invalid(format!("{} reads no source: beams are searched for encoder–decoders", facts.architecture));
        }
        let most = self.max_new_tokens.unwrap_or(DEFAULT_NEW_TOKENS);
        let continuation = self.continuation(most, self.ends(config, &facts), self.temperature.unwrap_or(1.0));
        let mut generation = Generation::new(&prompt.values, prompt.batch, mask.as_deref(), continuation)?;
        generation.check(&facts)?;
        if most > 0 {
            let load = folder.load(self.model.backend);
            pollster::block_on(async { write(&load.await?.context(self.context()), &mut generation, streamer).await })?;
        }
        // A run may move padding, so the prompt is taken from the command line.
        let prompts = prompt.values.chunks_exact(prompt.length.max(1));
        let written = generation.ids().map(|ids| ids.get(prompt.length..).unwrap_or_default());
        Ok(prompts.zip(written).map(|(prompt, written)| [prompt, written].concat()).collect())
    }

    /// The ids of the text after each source, the start token first.
    fn generate_from_source(
        &self,
        folder: ModelFolder,
        source: SourceText,
        facts: &Facts,
        config: &GenerationConfig,
        streamer: Option<&Tokenizer>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        let longest = facts.longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or(usize::MAX);
        let max_new = self.max_new_tokens.map(|most| most.saturating_add(1));
        let max_length = max_new.or(config.max_length).unwrap_or(DEFAULT_NEW_TOKENS + 1).min(longest);
        let start = config.start(facts);
        let batch = source.batch();
        let rules = config.rules(max_length, self.ends(config, facts));
        if max_length < 2 {
            let continuation = self.continuation(0, Vec::new(), 0.0);
            let generation = Generation::new(&vec![start; batch], batch, None, continuation)?;
            generation.after(source, rules).check(facts)?;
            return Ok(vec![vec![start]; batch]);
        }
        let sampled = config.do_sample.unwrap_or(false) && self.num_beams.is_none();
        let temperature = self.temperature.unwrap_or(if sampled { 1.0 } else { 0.0 });
        let width = self.num_beams.unwrap_or(if temperature > 0.0 { 1 } else { config.num_beams.unwrap_or(1) });
        let load = folder.load(self.model.backend);
        if width != 1 {
            if temperature > 0.0 || self.repetition_penalty != 1.0 {
                return invalid(
                    "a beam search keeps the best texts: leave --temperature and --repetition-penalty out, or ask for --num-beams 1",
                );
            }
            let length_penalty = self.length_penalty.unwrap_or(config.length_penalty.unwrap_or(1.0)) as f32;
            let search = Search { width, length_penalty, stopping: config.stopping()?, rules };
            BeamSearch::check(&[start], &search)?;
            let context = self.context();
            let search = pollster::block_on(async {
                let mut search = BeamSearch::new(&load.await?, source, &[start], search)?.with_options(context);
                while !search.ended() {
                    search.step(&NeverCancelled).await?;
                }
                Ok::<_, Error>(search)
            })?;
            let ids: Vec<Vec<u32>> = search.ids().map(<[u32]>::to_vec).collect();
            // Only the end of the search decides which text is the best.
            if let Some(tokenizer) = streamer {
                print(&text(tokenizer, ids.first().map_or(&[], |ids| ids), 1))?;
            }
            return Ok(ids);
        }
        let continuation = self.continuation(max_length - 1, rules.ends.clone(), temperature);
        let generation = Generation::new(&vec![start; batch], batch, None, continuation)?;
        let mut generation = generation.after(source, rules);
        pollster::block_on(async { write(&load.await?.context(self.context()), &mut generation, streamer).await })?;
        Ok(generation.ids().map(<[u32]>::to_vec).collect())
    }

    /// The options of the text's context.
    fn context(&self) -> ContextOptions {
        ContextOptions { f16_cache: self.f16_cache, ..ContextOptions::default() }
    }

    fn continuation(&self, most: usize, ends: Vec<u32>, temperature: f64) -> Continuation {
        let Self { top_k, top_p, min_p, repetition_penalty, seed, beyond_length, .. } = *self;
        let sampling = SamplingSettings { temperature, top_k, top_p, min_p, repetition_penalty, seed };
        // Nobody sees the other tokens.
        Continuation { sampling, candidates: 0, most, ends, beyond_length }
    }

    /// End tokens of generation_config.json, else of config.json.
    fn ends(&self, config: &GenerationConfig, facts: &Facts) -> Vec<u32> {
        if self.ignore_eos { Vec::new() } else { config.ends(facts) }
    }
}

/// Generates until every text has ended. Streams the first text if a tokenizer is given.
async fn write(context: &Context, generation: &mut Generation, streamer: Option<&Tokenizer>) -> Result<(), Error> {
    let mut stream = streamer.map(|tokenizer| tokenizer.stream(true));
    while !generation.ended() {
        let next = context.generate(generation, &NeverCancelled).await?;
        if let (Some(stream), Some(Some(next))) = (&mut stream, next.first()) {
            show(&stream.push(next.id))?;
        }
    }
    stream.as_mut().map_or(Ok(()), |stream: &mut TextStream<'_>| show(&stream.flush()))
}

fn show(text: &str) -> Result<(), Error> {
    print(text)?;
    // A closed pipe is no error.
    let _ = std::io::stdout().flush();
    Ok(())
}

/// The generated text, without the first `prompt_length` ids.
fn text(tokenizer: &Tokenizer, ids: &[u32], prompt_length: usize) -> String {
    tokenizer.decode(ids.get(prompt_length..).unwrap_or_default(), true)
}

fn json(ids: &[Vec<u32>], tokenizer: Option<&Tokenizer>, prompt_length: usize) -> Result<String, Error> {
    let text = ids.iter().map(|ids| tokenizer.map(|tokenizer| text(tokenizer, ids, prompt_length))).collect();
    stdout::json(&Generated { ids, text })
}

/// A line a text: the generated text, or its ids without a tokenizer.
fn lines(ids: &[Vec<u32>], tokenizer: Option<&Tokenizer>, prompt_length: usize) -> String {
    let numbers = |ids: &[u32]| ids.iter().skip(prompt_length).map(u32::to_string).collect::<Vec<_>>().join(",");
    let line =
        |ids: &Vec<u32>| tokenizer.map_or_else(|| numbers(ids), |tokenizer| text(tokenizer, ids, prompt_length)) + "\n";
    ids.iter().map(line).collect()
}
