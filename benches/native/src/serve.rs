//! A model that stays open and runs what it reads from its input, for races with other programs.

use std::fs;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::Path;

use anyhow::Context as _;
use ropescope::runtime::Device;

use crate::formats::Contender;

/// Opens the model on the CPU, prints `ready`, and answers each line:
///
/// - `prefill N SEED`: milliseconds from N ids to the likeliest next one, and that id.
/// - `decode P N SEED`: milliseconds of N ids, the likeliest in turn, after P others and a first one; then the 1 + N ids.
///
/// # Errors
/// When the model cannot be read or run, and for any other line.
pub fn run(folder: &Path, format: &str, threads: &str) -> anyhow::Result<()> {
    let config = fs::read_to_string(folder.join("config.json"))?;
    let bytes = fs::read(folder.join("model.safetensors"))?;
    let mut contender = Contender::load(&config, &bytes, &format!("{format}:{threads}"), &Device::Cpu)?;
    drop(bytes);
    answer("ready")?;
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |word: &str| word.parse::<usize>().with_context(|| format!("{word} is no number"));
        let (milliseconds, ids) = match words[..] {
            ["prefill", prompt, seed] => {
                let written = contender.write(number(seed)? as u64, number(prompt)?, 0)?;
                (written.prefill, written.ids)
            }
            ["decode", prompt, tokens, seed] => {
                let written = contender.write(number(seed)? as u64, number(prompt)?, number(tokens)?)?;
                (written.decode, written.ids)
            }
            _ => anyhow::bail!("{line}: neither prefill N SEED nor decode P N SEED"),
        };
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        answer(&format!("{milliseconds} {}", ids.join(" ")))?;
    }
    Ok(())
}

fn answer(line: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
