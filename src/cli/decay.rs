//! `ropescope decay`: the paper's figure 2, or the sum of cosines, as CSV.

use std::fmt::Write;

use clap::{Args, ValueEnum};

use super::stdout::print;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::rope::{self, Frequencies};
use strum::IntoStaticStr;

/// The largest --head-dim and --max-distance; more takes hours and shows nothing new.
const LARGEST_HEAD: usize = 65_536;
const FARTHEST: usize = 10_000_000;

#[derive(Args)]
pub struct Arguments {
    /// Size of one attention head, an even number.
    #[arg(long, value_name = "D", default_value_t = 128)]
    head_dim: usize,
    /// Base of the frequencies base^(-2i/d); several make a column each.
    #[arg(long, value_name = "B", default_values_t = [rope::BASE])]
    base: Vec<f64>,
    /// The last distance, in positions.
    #[arg(long, value_name = "N", default_value_t = 256)]
    max_distance: usize,
    /// The paper's bound, or the sum of cosines that equal queries and keys score.
    #[arg(long, value_enum, default_value_t = Curve::Bound)]
    curve: Curve,
}

#[derive(Clone, Copy, ValueEnum, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Curve {
    Bound,
    Cosines,
}

impl Curve {
    fn of(self, frequencies: &Frequencies, max_distance: usize) -> Vec<f64> {
        match self {
            Curve::Bound => rope::decay_bound(frequencies, max_distance),
            Curve::Cosines => rope::cosine_sums(frequencies, max_distance),
        }
    }
}

impl Arguments {
    /// Prints a header and a row for each distance from 0: the curve, or one for each base.
    pub fn execute(self) -> Result<(), Error> {
        print(&self.csv()?)
    }

    fn csv(&self) -> Result<String, Error> {
        let Arguments { head_dim, max_distance, curve, .. } = *self;
        if !(2..=LARGEST_HEAD).contains(&head_dim) || !head_dim.is_multiple_of(2) {
            return invalid(format!("--head-dim {head_dim} is not an even number from 2 to {LARGEST_HEAD}"));
        }
        if let Some(base) = self.base.iter().find(|base| !(base.is_finite() && **base > 0.0)) {
            return invalid(format!("--base {base} is not a number above 0"));
        }
        if max_distance > FARTHEST {
            return invalid(format!("--max-distance {max_distance} is more than {FARTHEST}"));
        }
        let of_base = |base: &f64| curve.of(&Frequencies::from_base(head_dim, *base), max_distance);
        let columns: Vec<Vec<f64>> = self.base.iter().map(of_base).collect();
        let names = match self.base.as_slice() {
            [_] => <&str>::from(curve).into(),
            bases => bases.iter().map(f64::to_string).collect::<Vec<_>>().join(","),
        };
        let mut csv = format!("distance,{names}\n");
        for distance in 0..=max_distance {
            let _ = write!(csv, "{distance}"); // a String takes every write
            for value in columns.iter().filter_map(|column| column.get(distance)) {
                let _ = write!(csv, ",{value}");
            }
            csv.push('\n');
        }
        Ok(csv)
    }
}
