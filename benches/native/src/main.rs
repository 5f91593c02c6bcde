//! Measures ropescope natively, and makes the random models that benchmarks and tests run.

mod measure;
mod random_model;

use std::path::PathBuf;

use anyhow::Context;
use lexopt::Arg::{Long, Value};
use lexopt::ValueExt;
use random_model::Sizes;

const USAGE: &str = "\
make-model DIR [--layers 6] [--hidden 384] [--heads 6] [--intermediate 1536] [--vocabulary 8192]
run DIR LENGTH…";

fn main() -> anyhow::Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    let mut words = Vec::new();
    let mut sizes = Sizes { layers: 6, hidden: 384, heads: 6, intermediate: 1536, vocabulary: 8192 };
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(word) => words.push(word),
            Long("layers") => sizes.layers = arguments.value()?.parse()?,
            Long("hidden") => sizes.hidden = arguments.value()?.parse()?,
            Long("heads") => sizes.heads = arguments.value()?.parse()?,
            Long("intermediate") => sizes.intermediate = arguments.value()?.parse()?,
            Long("vocabulary") => sizes.vocabulary = arguments.value()?.parse()?,
            other => return Err(other.unexpected().into()),
        }
    }
    let mut words = words.into_iter();
    let command = words.next().context(USAGE)?;
    let folder = PathBuf::from(words.next().context(USAGE)?);
    match command.to_str() {
        Some("make-model") => random_model::write(&folder, sizes),
        Some("run") => {
            let lengths = words.map(|length| Ok(length.parse()?)).collect::<anyhow::Result<Vec<usize>>>()?;
            measure::run(&folder, &lengths)
        }
        _ => anyhow::bail!(USAGE),
    }
}
