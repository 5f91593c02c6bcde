//! The command line: a file per command. The exit status is 0, or 1 with one line on stderr that states the error.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use stdout::print;

mod argument_error;
mod bench_rotation;
mod decay;
mod explain;
mod file;
mod fill_mask;
mod generate;
mod generation_config;
mod heads;
mod input;
mod inspect;
mod intervention;
mod model_arguments;
mod model_folder;
mod modules;
mod neurons;
mod output_file;
mod rope;
mod rows;
mod run;
mod score;
mod stdout;
mod text_arguments;
pub mod tokenizer;
mod usage;
mod weights;

/// RoFormer (a transformer with rotary position embedding) on the GPU or the CPU.
#[derive(Parser)]
#[command(name = "ropescope", version, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a model on a text or on ids, and write what it computes as safetensors.
    Run(run::Arguments),
    /// Continue a text, token by token.
    Generate(generate::Arguments),
    /// Predict the words that mask tokens stand for.
    FillMask(fill_mask::Arguments),
    /// Measure what each attention head does over a text.
    Heads(heads::Arguments),
    /// Take one score of a head apart by frequency pair, and sweep it over distances.
    Score(score::Arguments),
    /// Print the paper's long-term decay curve, or the sum of cosines, as CSV.
    Decay(decay::Arguments),
    /// Show how one number of a forward pass follows from others.
    Explain(explain::Arguments),
    /// List the strongest neurons of a layer at a token, with the tokens that each reads and writes.
    Neurons(neurons::Arguments),
    /// Print a model's facts, modules and memory.
    Inspect(inspect::Arguments),
    /// Print the frequency of each pair of a rotary embedding.
    Rope(rope::Arguments),
    /// Time three ways to rotate, as CSV.
    BenchRotation(bench_rotation::Arguments),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    match execute(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // With stderr closed as well, the message has nowhere to go.
            let _ = writeln!(std::io::stderr(), "ropescope: {}", one_line(&message));
            ExitCode::FAILURE
        }
    }
}

fn execute(arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let command = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line.command,
        // --help and --version.
        Err(answer) if !answer.use_stderr() => {
            return print(&answer.render().to_string()).map_err(|error| error.to_string());
        }
        Err(error) => return Err(usage::message(&error)),
    };
    let result = match command {
        Command::Run(arguments) => arguments.execute(),
        Command::Generate(arguments) => arguments.execute(),
        Command::FillMask(arguments) => arguments.execute(),
        Command::Heads(arguments) => arguments.execute(),
        Command::Score(arguments) => arguments.execute(),
        Command::Decay(arguments) => arguments.execute(),
        Command::Explain(arguments) => arguments.execute(),
        Command::Neurons(arguments) => arguments.execute(),
        Command::Inspect(arguments) => arguments.execute(),
        Command::Rope(arguments) => arguments.execute(),
        Command::BenchRotation(arguments) => arguments.execute(),
    };
    result.map_err(|error| error.to_string())
}

/// Replaces control characters by spaces: file names and settings may contain line breaks.
fn one_line(message: &str) -> String {
    let parts: Vec<&str> = message.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(arguments: &[&str]) -> String {
        let arguments = std::iter::once("ropescope").chain(arguments.iter().copied()).map(OsString::from);
        one_line(&execute(arguments).expect_err("must fail"))
    }

    #[test]
    fn clap_accepts_the_definition() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn removed_commands_and_options_are_recognised() {
        let reason = ": nothing showed that other forms of products and attention save time on a hardware GPU";
        let tune = format!("the command tune was removed{reason}");
        assert_eq!(message(&["tune"]), tune);
        assert_eq!(message(&["tune", "--model", "x", "--output", "forms.txt", "--forms", "forms.txt"]), tune);
        let forms = format!("the option --forms was removed, leave it out{reason}");
        let model = ["--model", "x", "--forms", "forms.txt"];
        for command in ["run", "generate", "fill-mask", "heads", "score"] {
            assert_eq!(message(&[&[command], &model[..]].concat()), forms, "{command}");
        }
        assert_eq!(message(&["run", "--forms=forms.txt", "--model", "x"]), forms);
        assert_eq!(message(&["run", "--forms"]), forms);
    }
}
