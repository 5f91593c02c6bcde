//! The command line: a file per command. Exit status 0, or 1 with one line on stderr that says what is wrong.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::error::Error;
use crate::kernels::Format;
use crate::model::Attention;
use crate::runtime::BackendChoice;
use model_folder::ModelFolder;

mod bench_rotation;
mod decay;
mod file;
mod fill_mask;
mod generate;
mod generation_config;
mod heads;
mod input;
mod inspect;
mod intervention;
mod model_folder;
mod modules;
mod output_file;
mod rope;
mod rows;
mod run;
mod score;
mod text;
pub mod tokenizer;
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
    /// Print what a model is and what it is made of.
    Inspect(inspect::Arguments),
    /// Print how fast each pair of a rotary embedding turns.
    Rope(rope::Arguments),
    /// Time three ways to rotate, as CSV.
    BenchRotation(bench_rotation::Arguments),
}

/// The model to open, and where to run it.
#[derive(Args)]
struct ModelArguments {
    /// A folder with config.json and weights, as Hugging Face saves a model: safetensors in one file or several, or PyTorch's.
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// Where to run: auto takes the GPU if there is one.
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    backend: Backend,
    /// How matrices of weights are kept in memory: auto as they are stored; int8 and int4 in blocks of 32 with a scale each. Sums are
    /// made in f32 whatever it is.
    #[arg(long, value_enum, default_value_t = WeightFormat::Auto)]
    weights: WeightFormat,
    /// How heads weigh values, of a RoFormer: linear is equation 19 of its paper, linear-rotate-first rotates queries and keys before
    /// the feature map; without it as config.json says.
    #[arg(long, value_enum)]
    attention: Option<AttentionKind>,
}

impl ModelArguments {
    /// The model's folder.
    ///
    /// # Errors
    /// Those of [`ModelFolder::open`].
    fn open(&self) -> Result<ModelFolder, Error> {
        Ok(ModelFolder::open(&self.model)?.keep(self.weights.into()).attend(self.attention.map(Attention::from)))
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum AttentionKind {
    Softmax,
    Linear,
    LinearRotateFirst,
}

impl From<AttentionKind> for Attention {
    fn from(kind: AttentionKind) -> Attention {
        match kind {
            AttentionKind::Softmax => Attention::Softmax,
            AttentionKind::Linear => Attention::Linear,
            AttentionKind::LinearRotateFirst => Attention::LinearRotateFirst,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum WeightFormat {
    Auto,
    F32,
    F16,
    Bf16,
    Int8,
    Int4,
}

impl From<WeightFormat> for Option<Format> {
    fn from(weights: WeightFormat) -> Option<Format> {
        match weights {
            WeightFormat::Auto => None,
            WeightFormat::F32 => Some(Format::F32),
            WeightFormat::F16 => Some(Format::F16),
            WeightFormat::Bf16 => Some(Format::BF16),
            WeightFormat::Int8 => Some(Format::Int8),
            WeightFormat::Int4 => Some(Format::Int4),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Backend {
    Auto,
    Gpu,
    Cpu,
}

impl From<Backend> for BackendChoice {
    fn from(backend: Backend) -> BackendChoice {
        match backend {
            Backend::Auto => BackendChoice::Auto,
            Backend::Gpu => BackendChoice::Gpu,
            Backend::Cpu => BackendChoice::Cpu,
        }
    }
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    match execute(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nobody is left to tell when stderr is closed, too.
            let _ = writeln!(std::io::stderr(), "ropescope: {}", one_line(&message));
            ExitCode::FAILURE
        }
    }
}

fn execute(arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let command = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line.command,
        Err(shown) if !shown.use_stderr() => {
            return print(&shown.render().to_string()).map_err(|error| error.to_string());
        }
        Err(error) => {
            return Err(advice_for_removed(&error).unwrap_or_else(|| usage_error(&error.render().to_string())));
        }
    };
    let done = match command {
        Command::Run(arguments) => arguments.execute(),
        Command::Generate(arguments) => arguments.execute(),
        Command::FillMask(arguments) => arguments.execute(),
        Command::Heads(arguments) => arguments.execute(),
        Command::Score(arguments) => arguments.execute(),
        Command::Decay(arguments) => arguments.execute(),
        Command::Inspect(arguments) => arguments.execute(),
        Command::Rope(arguments) => arguments.execute(),
        Command::BenchRotation(arguments) => arguments.execute(),
    };
    done.map_err(|error| error.to_string())
}

/// What a command line says that has a command or an option of an earlier version.
fn advice_for_removed(error: &clap::Error) -> Option<String> {
    let named = |kind, name: &str| matches!(error.get(kind), Some(ContextValue::String(found)) if found == name);
    let reason = "nothing showed that other forms of products and attention save time on a hardware GPU";
    if named(ContextKind::InvalidSubcommand, "tune") {
        return Some(format!("the command tune was removed: {reason}"));
    }
    named(ContextKind::InvalidArg, "--forms").then(|| format!("the option --forms was removed, leave it out: {reason}"))
}

/// What clap has to say without its usage block, which would take lines of its own.
fn usage_error(rendered: &str) -> String {
    let message = rendered.split("\nUsage:").next().unwrap_or(rendered);
    let message = message.split("\nFor more information").next().unwrap_or(message);
    let message = message.trim_start_matches("error:").trim();
    if message.starts_with("RoFormer") {
        return "no command given; try ropescope --help".into();
    }
    format!("{message}; try ropescope --help")
}

/// Lines become spaces and other control characters vanish: file names and settings may hold any.
fn one_line(message: &str) -> String {
    let words: Vec<&str> = message.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect();
    words.join(" ")
}

/// Writes to stdout. A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::Io { path: "standard output".into(), reason: error.to_string() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(arguments: &[&str]) -> String {
        let arguments = std::iter::once("ropescope").chain(arguments.iter().copied()).map(OsString::from);
        one_line(&execute(arguments).expect_err("must fail"))
    }

    #[test]
    fn the_definition_holds_together() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn usage_errors_are_one_line_with_the_reason() {
        assert_eq!(message(&[]), "no command given; try ropescope --help");
        let missing = message(&["inspect"]);
        assert!(missing.contains("--model <DIR>") && missing.contains("required"), "{missing}");
        let unknown = message(&["decay", "--head-dimension", "8"]);
        assert!(unknown.contains("unexpected argument '--head-dimension'"), "{unknown}");
        let value = message(&["run", "--model", "x", "--ids", "1", "--output", "y", "--backend", "tpu"]);
        assert!(value.contains("'tpu'") && value.contains("auto, gpu, cpu"), "{value}");
        assert!(!value.contains('\n'));
    }

    #[test]
    fn what_was_removed_is_still_recognised() {
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
