//! `ropescope rope`: frequencies of a head's pairs under any of Hugging Face's scalings.

use std::f64::consts::TAU;
use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::stdout::{self, print};
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::rope::{self, Frequencies, Rope, RopeParameters};
use crate::weights::json::{self, Value};

#[derive(Args)]
pub struct Arguments {
    /// Size of one attention head, an even number.
    #[arg(long, value_name = "D", default_value_t = 64)]
    head_dim: usize,
    /// Base of the frequencies base^(-2i/d), rope_theta in config.json [default: the scaling's rope_theta, else 10000]
    #[arg(long, value_name = "B")]
    base: Option<f64>,
    /// rope_parameters or rope_scaling as in config.json: '{"rope_type":"linear","factor":4}'.
    #[arg(long, value_name = "JSON")]
    scaling: Option<String>,
    /// The length of the text in tokens, for dynamic and longrope [default: a short text]
    #[arg(long, value_name = "N")]
    length: Option<u64>,
    /// As in config.json; needed by scalings that depend on it.
    #[arg(long, value_name = "N")]
    max_position_embeddings: Option<u64>,
    /// Print JSON: frequencies, wavelengths (null for a pair that does not rotate) and attention_factor.
    #[arg(long)]
    json: bool,
}

/// The printed numbers: (head_dim / 2) each, pair 0 first.
#[derive(Debug, PartialEq, Serialize)]
struct PairTable {
    /// Radians a position.
    frequencies: Vec<f64>,
    /// Positions a turn.
    wavelengths: Vec<Option<f64>>,
    attention_factor: f64,
}

impl Arguments {
    pub fn execute(self) -> Result<(), Error> {
        let table = PairTable::from(self.frequencies()?);
        print(&if self.json { stdout::json(&table)? } else { table.text() })
    }

    fn frequencies(&self) -> Result<Frequencies, Error> {
        let settings = match &self.scaling {
            None => Value::Null,
            Some(text) => json::parse(text)
                .map_err(|error| Error::InvalidArgument { reason: format!("--scaling is no JSON: {error}") })?,
        };
        let RopeParameters { base, partial_rotary_factor, scaling } = RopeParameters::parse(&settings)?;
        let max_position_embeddings = match self.max_position_embeddings {
            Some(length) => length,
            None if scaling.needs_max_position_embeddings() => {
                return invalid(format!(
                    "rope type {} follows from the model's longest text; give it with --max-position-embeddings N",
                    scaling.name()
                ));
            }
            // This scaling does not read it.
            None => 1,
        };
        let share = partial_rotary_factor.unwrap_or(1.0);
        let base = self.base.or(base).unwrap_or(rope::BASE);
        let rope = Rope::new(self.head_dim, share, base, scaling, max_position_embeddings)?;
        Ok(rope.frequencies(self.length.unwrap_or(1)))
    }
}

impl From<Frequencies> for PairTable {
    fn from(Frequencies { theta, magnitude, .. }: Frequencies) -> Self {
        let wavelengths = theta.iter().map(|theta| (*theta != 0.0).then(|| TAU / theta)).collect();
        Self { frequencies: theta, wavelengths, attention_factor: magnitude }
    }
}

impl PairTable {
    fn text(&self) -> String {
        let mut text = format!("{:>5}  {:>22}  {:>22}\n", "pair", "radians a position", "positions a turn");
        for (pair, (theta, wavelength)) in self.frequencies.iter().zip(&self.wavelengths).enumerate() {
            let wavelength = wavelength.map_or("stands still".into(), significant);
            // A String takes every write.
            let _ = writeln!(text, "{pair:>5}  {:>22}  {wavelength:>22}", significant(*theta));
        }
        let _ = writeln!(text, "cosines and sines × {}", self.attention_factor);
        text
    }
}

/// Six significant digits; very large and very small numbers get an exponent.
fn significant(number: f64) -> String {
    match number.abs() {
        0.0 => "0".into(),
        size if (1e-4..1e6).contains(&size) => {
            let decimals = (5 - size.log10().floor() as i32).max(0) as usize;
            format!("{number:.decimals$}")
        }
        _ => format!("{number:.5e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(head_dim: usize, scaling: &str) -> Arguments {
        let scaling = (!scaling.is_empty()).then(|| scaling.into());
        Arguments { head_dim, base: None, scaling, length: None, max_position_embeddings: None, json: false }
    }

    fn table_of(arguments: &Arguments) -> PairTable {
        arguments.frequencies().unwrap().into()
    }

    #[test]
    fn numbers_have_six_digits() {
        let of = |number: f64| significant(number);
        assert_eq!([of(0.0), of(1.0), of(0.01), of(62.83185307)], ["0", "1.00000", "0.0100000", "62.8319"]);
        assert_eq!([of(123_456.7), of(1.5e-5), of(6.28e7)], ["123457", "1.50000e-5", "6.28000e7"]);
    }

    #[test]
    fn the_flags_base_wins_over_the_settings_own() {
        let mut by_arguments = arguments(4, r#"{"rope_type": "linear", "factor": 2, "rope_theta": 100}"#);
        assert_eq!(table_of(&by_arguments).frequencies, [0.5, 0.05]);
        by_arguments.base = Some(1e4);
        assert_eq!(table_of(&by_arguments).frequencies, [0.5, 0.005]);
    }

    #[test]
    fn what_the_frequencies_follow_from_must_be_said() {
        let dynamic = r#"{"rope_type": "dynamic", "factor": 2}"#;
        let error = arguments(8, dynamic).frequencies().unwrap_err().to_string();
        assert!(error.contains("type dynamic") && error.contains("--max-position-embeddings"), "{error}");
        let by_arguments = |length| Arguments { max_position_embeddings: Some(32), length, ..arguments(8, dynamic) };
        assert_eq!(table_of(&by_arguments(None)), table_of(&arguments(8, "")));
        assert_ne!(table_of(&by_arguments(Some(33))), table_of(&arguments(8, "")));
    }
}
