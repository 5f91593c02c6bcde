//! Measures ropescope natively, and makes the random models that benchmarks and tests run.

mod attention;
mod fit;
mod formats;
mod gpu;
mod growth;
mod measure;
mod random_model;
mod serve;

use std::path::{Path, PathBuf};

use anyhow::Context;
use formats::Lengths;
use lexopt::Arg::{Long, Value};
use lexopt::ValueExt;
use random_model::{Sizes, llama, roformer};

const USAGE: &str = "\
make-model DIR [--layers 6] [--hidden 384] [--heads 6] [--intermediate 1536] [--vocabulary 8192]
make-decoder DIR [--layers 30] [--hidden 576] [--heads 9] [--key-heads 3] [--intermediate 1536] [--vocabulary 49152]
run DIR LENGTH…
attention BACKEND
growth BACKEND DIR
formats DIR BACKEND PROMPT TOKENS TURNS FORMAT…
serve DIR FORMAT THREADS
gpu DEMO ENCODER DECODER JSON [--longest 4096] [--batch 32] [--prompt 128] [--tokens 64] [--turns 5]
    [--run-ms 2000] [--row-ms 600] [--peak-ms 20] [--streamed-mib 256]";

const ROFORMER: Sizes = Sizes { layers: 6, hidden: 384, heads: 6, key_heads: 6, intermediate: 1536, vocabulary: 8192 };

/// SmolLM2-135M's.
const DECODER: Sizes =
    Sizes { layers: 30, hidden: 576, heads: 9, key_heads: 3, intermediate: 1536, vocabulary: 49_152 };

fn main() -> anyhow::Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    let mut words = Vec::new();
    let mut options = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(word) => words.push(word.string()?),
            Long(name) => {
                let name = name.to_owned();
                options.push((name, arguments.value()?.parse()?));
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let mut words = words.into_iter();
    let command = words.next().context(USAGE)?;
    let place = words.next().context(USAGE)?;
    let folder = PathBuf::from(&place);
    let words: Vec<String> = words.collect();
    match (command.as_str(), words.as_slice()) {
        ("make-model", []) => roformer::model(sizes(ROFORMER, &options)?).write(&folder),
        ("make-decoder", []) => llama::model(sizes(DECODER, &options)?).write(&folder),
        ("attention", []) => attention::run(&place),
        ("gpu", [encoder, decoder, json]) => {
            let [encoder, decoder, json] = [encoder, decoder, json].map(Path::new);
            gpu::run(&gpu::Places { demo: &folder, encoder, decoder, json }, &options)
        }
        ("growth", [models]) => growth::run(&place, Path::new(models)),
        ("run", lengths) => {
            let lengths = lengths.iter().map(|length| Ok(length.parse()?)).collect::<anyhow::Result<Vec<usize>>>()?;
            measure::run(&folder, &lengths)
        }
        ("serve", [format, threads]) => serve::run(&folder, format, threads),
        ("formats", [backend, prompt, tokens, turns, names @ ..]) => {
            let lengths = Lengths { prompt: prompt.parse()?, tokens: tokens.parse()?, turns: turns.parse()? };
            formats::run(&folder, backend, lengths, names)
        }
        _ => anyhow::bail!(USAGE),
    }
}

/// `sizes` with those that were chosen.
fn sizes(mut sizes: Sizes, options: &[(String, usize)]) -> anyhow::Result<Sizes> {
    for (name, size) in options {
        let place = match name.as_str() {
            "layers" => &mut sizes.layers,
            "hidden" => &mut sizes.hidden,
            "heads" => &mut sizes.heads,
            "key-heads" => &mut sizes.key_heads,
            "intermediate" => &mut sizes.intermediate,
            "vocabulary" => &mut sizes.vocabulary,
            _ => anyhow::bail!("--{name} is no size\n{USAGE}"),
        };
        *place = *size;
    }
    Ok(sizes)
}
