//! `ropescope inspect`: a model's modules in a table, as the torchinfo package prints them.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;

use super::model_folder::ModelFolder;
use super::modules::{Kind, Module, modules};
use super::print;
use crate::error::Error;
use crate::model::{Architecture, Model};

/// One more than the longest kind of number that stands in the last column.
const NUMBER_WIDTH: usize = 16;

/// Bytes of one number when a model runs, whatever the file stores.
const NUMBER_BYTES: u64 = 4;

#[derive(Args)]
pub struct Arguments {
    /// A folder with config.json and model.safetensors, as Hugging Face saves a RoFormer.
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// Length of the text that output shapes are given for, in tokens.
    #[arg(long, value_name = "N", default_value_t = 128)]
    length: usize,
}

impl Arguments {
    /// Prints one row a module, and totals, once every tensor is known to be there.
    pub fn execute(self) -> Result<(), Error> {
        let folder = ModelFolder::open(&self.model)?;
        let (config, checkpoint) = (&folder.config, folder.checkpoint()?);
        let max_position_embeddings = config.max_position_embeddings;
        if self.length == 0 {
            return Err(Error::InvalidInput { reason: "--length 0 is no text; give a number from 1".into() });
        }
        if self.length > max_position_embeddings {
            return Err(Error::TextTooLong { length: self.length, max_position_embeddings });
        }
        let architecture = Architecture::choose(config, Some(&checkpoint));
        Model::declare(config, architecture).table.check(&checkpoint)?;
        print(&table(&modules(config, architecture, self.length), self.length))
    }
}

struct Row {
    label: String,
    output: String,
    parameters: String,
}

fn table(root: &Module, length: usize) -> String {
    let mut rows = Vec::new();
    add_rows(root, 0, &mut Vec::new(), &mut rows);
    let width = |cell: fn(&Row) -> &String, header: &str| {
        rows.iter().map(|row| cell(row).chars().count()).chain([header.len()]).max().unwrap_or_default() + 2
    };
    let (label_header, output_header) = ("Layer (type (name):depth-idx)", "Output Shape");
    let label_width = width(|row| &row.label, label_header);
    let output_width = width(|row| &row.output, output_header);
    let rule = "=".repeat(label_width + output_width + NUMBER_WIDTH);
    let line = |label: &str, output: &str, parameters: &str| {
        format!("{label:<label_width$}{output:<output_width$}{parameters}\n")
    };
    let mut text = format!("{rule}\n{}{rule}\n", line(label_header, output_header, "Param #"));
    rows.iter().for_each(|row| text.push_str(&line(&row.label, &row.output, &row.parameters)));
    text + &format!("{rule}\n{}{rule}\n{}{rule}\n", totals(root), memory(root, length))
}

/// Rows of a module and all below it. `seen` counts the modules at each depth so far.
fn add_rows(module: &Module, depth: usize, seen: &mut Vec<usize>, rows: &mut Vec<Row>) {
    if seen.len() <= depth {
        seen.push(0);
    }
    let index = seen.get_mut(depth).map_or(0, |count| {
        *count += 1;
        *count
    });
    let name = if module.name.is_empty() { String::new() } else { format!(" ({})", module.name) };
    let label = match depth {
        0 => format!("{}{name}", module.class),
        _ => format!("{}{}{name}: {depth}-{index}", branch(depth), module.class),
    };
    let output = module.output.as_ref().map_or("--".into(), |shape| format!("{shape:?}"));
    rows.push(Row { label, output, parameters: parameters(module) });
    module.children.iter().for_each(|child| add_rows(child, depth + 1, seen, rows));
}

fn branch(depth: usize) -> String {
    match depth {
        1 => "├─".into(),
        _ => "│    ".repeat(depth - 1) + "└─",
    }
}

/// What a module holds itself; what is not learned stands in brackets.
fn parameters(module: &Module) -> String {
    let (learned, fixed, tied) = (module.count(Kind::Learned), module.count(Kind::Fixed), module.count(Kind::Tied));
    match (learned, fixed, tied) {
        (0, 0, 0) => "--".into(),
        (_, 0, 0) => thousands(learned),
        (_, _, 0) => format!("({})", thousands(fixed)),
        _ => format!("{} + tied", thousands(learned)),
    }
}

fn totals(root: &Module) -> String {
    let (learned, fixed) = (root.total(Kind::Learned), root.total(Kind::Fixed));
    let rows = [
        ("Total params", thousands(learned + fixed)),
        ("Trainable params", thousands(learned)),
        ("Non-trainable params", thousands(fixed)),
    ];
    lines(&rows)
}

/// As torchinfo counts it: the ids, all outputs at once, and all parameters, each number in four bytes.
fn memory(root: &Module, length: usize) -> String {
    let input = length as u64 * NUMBER_BYTES;
    let forward = root.outputs() * NUMBER_BYTES;
    let parameters = (root.total(Kind::Learned) + root.total(Kind::Fixed)) * NUMBER_BYTES;
    let rows = [
        ("Input size (MB)", megabytes(input)),
        ("Forward pass size (MB)", megabytes(forward)),
        ("Params size (MB)", megabytes(parameters)),
        ("Estimated Total Size (MB)", megabytes(input + forward + parameters)),
    ];
    lines(&rows)
}

fn lines(rows: &[(&str, String)]) -> String {
    rows.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name}: {value}"); // a String takes every write
        text
    })
}

fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e6)
}

/// 1234567 as 1,234,567.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Config;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(thousands), ["0", "12", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn rows_totals_and_memory_are_torchinfos() {
        let config = Config::parse(
            r#"{"vocab_size": 97, "embedding_size": 24, "hidden_size": 32, "num_hidden_layers": 2,
                "num_attention_heads": 4, "intermediate_size": 48, "max_position_embeddings": 64}"#,
        );
        let text = table(&modules(&config.unwrap(), Architecture::MaskedLM, 8), 8);
        let row = |start: &str| {
            let row = text.lines().find(|line| line.starts_with(start));
            let row = row.unwrap_or_else(|| panic!("no row {start} in\n{text}"));
            row[start.len()..].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(row("RoFormerForMaskedLM "), ["[1, 8, 97]", "--"]);
        assert_eq!(row("├─RoFormerModel (roformer): 1-1 "), ["[1, 8, 32]", "--"]);
        assert_eq!(row("│    │    └─Embedding (word_embeddings): 3-1 "), ["[1, 8, 24]", "2,328"]);
        let positions = "│    │    └─RoFormerSinusoidalPositionalEmbedding (embed_positions): 3-4 ";
        assert_eq!(row(positions), ["[8, 8]", "(512)"]);
        assert_eq!(row("│    │    │    └─RoFormerLayer (1): 4-2 "), ["[1, 8, 32]", "--"]);
        assert_eq!(row("│    │    │    │    └─RoFormerOutput (output): 5-6 "), ["[1, 8, 32]", "--"]);
        assert_eq!(row("│    │    └─Linear (decoder): 3-7 "), ["[1, 8, 97]", "97 + tied"]);
        assert!(
            text.contains("\nTotal params: 19,681\nTrainable params: 19,169\nNon-trainable params: 512\n"),
            "{text}"
        );
        assert!(text.contains("\nParams size (MB): 0.08\n"), "{text}");
    }
}
