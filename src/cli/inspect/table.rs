//! The report as text: facts, a row for each module, and sums.

use std::fmt::Write;

use super::report::{Memory, ModelReport, Parameters, RopeFacts, Row, Stack};
use crate::cli::modules::ModuleKind;

impl ModelReport {
    pub(super) fn table(&self) -> String {
        let header = ["module", "tensors", "output", "parameters"].map(String::from);
        let rows: Vec<[String; 4]> = std::iter::once(header).chain(self.modules.iter().map(Row::cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths = [0, 1, 2, 3].map(width);
        let mut text = format!("{}\n\n", self.facts());
        for [module, tensors, output, parameters] in &rows {
            let [module_width, tensors_width, output_width, parameters_width] = widths;
            let line = format!(
                "{module:module_width$}  {tensors:tensors_width$}  {output:output_width$}  {parameters:>parameters_width$}"
            );
            let _ = writeln!(text, "{}", line.trim_end()); // a String takes every write
        }
        text + "\n" + &self.sums()
    }

    fn facts(&self) -> String {
        let ModelReport { architecture, layers, heads, key_heads, head_size, hidden_size, .. } = self;
        let longest = self.longest_text.map_or("of any length".into(), |longest| format!("up to {longest} tokens"));
        let describe_rope = |rope: &RopeFacts| {
            let RopeFacts { rope_type, rope_theta, layers, turning_pairs, pairs, attention_factor } = rope;
            let of = if self.ropes.len() > 1 { format!(" of {layers} layers, θ {rope_theta}") } else { String::new() };
            format!(", rope {rope_type}{of} ({turning_pairs} of {pairs} pairs turn, × {attention_factor})")
        };
        let ropes: String = self.ropes.iter().map(describe_rope).collect();
        let encoder = |Stack { layers, heads, head_size, vocab_size }: &Stack| {
            format!(", after an encoder of {layers} layers, {heads} heads of {head_size}, vocabulary {vocab_size}")
        };
        let encoder = self.encoder.as_ref().map_or(String::new(), encoder);
        format!(
            "{architecture}: {layers} layers, {heads} heads and {key_heads} key heads of {head_size}, hidden size {hidden_size}, \
             vocabulary {}, texts {longest}{ropes}{encoder}",
            self.vocab_size
        )
    }

    fn sums(&self) -> String {
        let Parameters { learned, fixed, unread } = &self.parameters;
        let mut lines = vec![
            format!("parameters: {}", thousands(learned.saturating_add(*fixed))),
            format!("  learned: {}", thousands(*learned)),
            format!("  fixed: {}", thousands(*fixed)),
        ];
        for (name, count) in unread {
            lines.push(format!("in the file, but not read: {name} ({})", thousands(*count)));
        }
        let Memory { weights, activations, cache } = self.memory;
        lines.push(format!(
            "memory for {} tokens: {}",
            thousands((self.batch * self.length) as u64),
            bytes(self.memory.total())
        ));
        lines.push(format!("  weights: {}", bytes(weights)));
        lines.push(format!("  activations: {}", bytes(activations)));
        lines.push(format!("  cache: {}", bytes(cache)));
        lines.join("\n") + "\n"
    }
}

impl Row {
    fn cells(&self) -> [String; 4] {
        let tensors = self.tensors.iter().map(|tensor| {
            let note = match tensor.kind {
                ModuleKind::Learned => "",
                ModuleKind::Fixed => " fixed",
                ModuleKind::Tied => " tied",
            };
            format!("{} {:?}{note}", tensor.name, tensor.shape)
        });
        let parameters = self.tensors.iter().map(|tensor| tensor.parameters).fold(0, u64::saturating_add);
        let counted = self.tensors.iter().any(|tensor| tensor.kind != ModuleKind::Tied);
        [
            self.label.clone(),
            tensors.collect::<Vec<_>>().join(", "),
            self.output.as_ref().map_or(String::new(), |shape| format!("{shape:?}")),
            if counted { thousands(parameters) } else { String::new() },
        ]
    }
}

pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{} bytes", thousands(bytes)),
        _ => format!("{} bytes ({:.2} MB)", thousands(bytes), bytes as f64 / 1e6),
    }
}

/// 1234567 as 1,234,567.
pub(super) fn thousands(number: u64) -> String {
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
