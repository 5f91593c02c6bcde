//! `ropescope bench-rotation`: the three forms of the rotation against length and head size, as CSV.

use std::fmt::Write;
use std::time::Instant;

use clap::Args;

use super::model_arguments::{BACKENDS, one_of};
use super::stdout::print;
use crate::backend::NeverCancelled;
use crate::cli::argument_error::invalid;
use crate::error::Error;
use crate::runtime::{BackendChoice, Device};
use crate::trial::{Trial, TrialKind};

/// The printed time is the median of this number of runs.
const RUNS: usize = 5;

/// The largest difference between two forms, relative to the largest number or 1.
const TOLERANCE: f32 = 1e-5;

#[derive(Args)]
pub struct Arguments {
    /// The backend: auto takes the GPU if there is one.
    #[arg(long, default_value = "auto", value_parser = one_of(BACKENDS))]
    backend: BackendChoice,
    /// Lengths of the text, in tokens.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "64,256,1024,4096")]
    lengths: Vec<usize>,
    /// Sizes of the four heads, even numbers.
    #[arg(long, value_name = "D", value_delimiter = ',', default_value = "32,64,128")]
    head_sizes: Vec<usize>,
}

impl Arguments {
    /// Prints the header form,length,head_size,milliseconds,bytes and a row for each form of each size: the median of five runs of a
    /// projection with its rotation, and the bytes of the rotation's tables.
    pub fn execute(self) -> Result<(), Error> {
        let sizes = || self.lengths.iter().flat_map(|length| self.head_sizes.iter().map(move |size| (*length, *size)));
        for (length, head_size) in sizes() {
            TrialKind::ROTATIONS.iter().try_for_each(|form| Trial::check(*form, length, head_size))?;
        }
        let device = pollster::block_on(Device::open(self.backend))?;
        print("form,length,head_size,milliseconds,bytes\n")?;
        for (length, head_size) in sizes() {
            print(&pollster::block_on(rows(&device, length, head_size))?)?;
        }
        Ok(())
    }
}

/// The rows of one length and head size.
async fn rows(device: &Device, length: usize, head_size: usize) -> Result<String, Error> {
    let mut csv = String::new();
    let mut first: Option<Vec<f32>> = None;
    for form in TrialKind::ROTATIONS {
        let mut trial = Trial::new(device, form, length, head_size).await?;
        // Not timed: the first run compiles and warms caches.
        let numbers = trial.run(&NeverCancelled).await?;
        let expected = first.get_or_insert_with(|| numbers.clone());
        let largest = expected.iter().fold(1.0, |largest: f32, number| largest.max(number.abs()));
        if !numbers.iter().zip(expected.iter()).all(|(one, other)| (one - other).abs() <= TOLERANCE * largest) {
            return invalid(format!(
                "{} computes something else at length {length}, head size {head_size}",
                form.name()
            ));
        }
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            trial.run(&NeverCancelled).await?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let (median, bytes) = (times[RUNS / 2], trial.stored_bytes());
        let _ = writeln!(csv, "{},{length},{head_size},{median:.4},{bytes}", form.name()); // a String takes every write
    }
    Ok(csv)
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::runtime::{BackendChoice, Device};

    /// A projection of an odd length by every form, on both backends; matrices take T·d·d numbers, the table T·d.
    #[test]
    fn every_form_has_a_row_and_all_of_them_agree() {
        for choice in [BackendChoice::Cpu, BackendChoice::Gpu] {
            let device = pollster::block_on(Device::open(choice)).expect("a backend");
            let csv = pollster::block_on(rows(&device, 37, 6)).unwrap();
            let cells: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
            let bytes = [37 * 6 * 6 * 4, 37 * 6 * 4, 37 * 6 * 4].map(|bytes: usize| bytes.to_string());
            for ((row, form), bytes) in cells.iter().zip(["blocks", "elementwise", "fused"]).zip(&bytes) {
                assert_eq!((row[0], row[1], row[2], row[4]), (form, "37", "6", &bytes[..]));
                assert!(row[3].parse::<f64>().unwrap() > 0.0, "{row:?}");
            }
            assert_eq!(cells.len(), 3);
        }
    }
}
