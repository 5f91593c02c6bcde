//! `ropescope decay`: the paper's figure 2 as CSV.

use std::fmt::Write;

use clap::Args;

use super::print;
use crate::error::Error;
use crate::rope::{self, Frequencies};

/// Larger ones take hours and say nothing new.
const LARGEST_HEAD: usize = 65_536;
const FARTHEST: usize = 10_000_000;

#[derive(Args)]
pub struct Arguments {
    /// Size of one attention head, an even number.
    #[arg(long, value_name = "D", default_value_t = 128)]
    head_dim: usize,
    /// Base of the frequencies base^(-2i/d).
    #[arg(long, value_name = "B", default_value_t = rope::BASE)]
    base: f64,
    /// The last distance, in positions.
    #[arg(long, value_name = "N", default_value_t = 256)]
    max_distance: usize,
}

impl Arguments {
    /// Prints the header distance,bound and a row for each distance from 0.
    pub fn execute(self) -> Result<(), Error> {
        print(&self.csv()?)
    }

    fn csv(&self) -> Result<String, Error> {
        let invalid = |reason: String| Err(Error::InvalidInput { reason });
        let Arguments { head_dim, base, max_distance } = *self;
        if !(2..=LARGEST_HEAD).contains(&head_dim) || !head_dim.is_multiple_of(2) {
            return invalid(format!("--head-dim {head_dim} is not an even number from 2 to {LARGEST_HEAD}"));
        }
        if !(base.is_finite() && base > 0.0) {
            return invalid(format!("--base {base} is not a number above 0"));
        }
        if max_distance > FARTHEST {
            return invalid(format!("--max-distance {max_distance} is more than {FARTHEST}"));
        }
        let frequencies = Frequencies::of_base(head_dim, base);
        let mut csv = String::from("distance,bound\n");
        for (distance, bound) in rope::decay_bound(&frequencies, max_distance).iter().enumerate() {
            let _ = writeln!(csv, "{distance},{bound}"); // a String takes every write
        }
        Ok(csv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_a_distance() {
        let csv = Arguments { head_dim: 128, base: rope::BASE, max_distance: 2 }.csv().unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[..2], ["distance,bound", "0,32.5"]);
        let bound: f64 = lines[2].strip_prefix("1,").unwrap().parse().unwrap();
        assert!((bound - 31.538166).abs() < 1e-6);
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn senseless_numbers_are_named() {
        for (head_dim, base, max_distance, flag) in [
            (7, 1e4, 1, "--head-dim 7"),
            (0, 1e4, 1, "--head-dim 0"),
            (8, 0.0, 1, "--base 0"),
            (8, f64::NAN, 1, "--base NaN"),
            (8, 1e4, usize::MAX, "--max-distance"),
        ] {
            let error = Arguments { head_dim, base, max_distance }.csv().unwrap_err().to_string();
            assert!(error.starts_with(flag), "{error}");
        }
    }
}
