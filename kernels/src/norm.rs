//! Norms of a row in place.

use super::reduction::sum;

/// (x − mean) / √(variance + ε) · gain + shift with the biased variance where it centres; else x / √(mean of squares + ε) · gain.
/// gain, shift: as long as the row.
#[derive(Debug, Clone, Copy)]
pub struct Norm<'a> {
    pub centres: bool,
    pub gain: Option<&'a [f32]>,
    pub shift: Option<&'a [f32]>,
    pub epsilon: f32,
}

/// The norm of one row.
#[inline(never)]
pub fn normalise(row: &mut [f32], norm: &Norm<'_>) {
    let width = row.len() as f32;
    let mean = if norm.centres { sum(row, |x| x) as f32 / width } else { 0.0 };
    let squares = sum(row, |x| (x - mean) * (x - mean)) as f32 / width;
    let scale = 1.0 / (squares + norm.epsilon).sqrt();
    row.iter_mut().for_each(|x| *x = (*x - mean) * scale);
    if let Some(gain) = norm.gain {
        row.iter_mut().zip(gain).for_each(|(x, gain)| *x *= gain);
    }
    if let Some(shift) = norm.shift {
        row.iter_mut().zip(shift).for_each(|(x, shift)| *x += shift);
    }
}

#[cfg(test)]
mod tests {
    use super::{Norm, normalise};

    #[test]
    fn agrees_with_f64_with_and_without_a_mean() {
        let row: Vec<f32> = (0..35).map(|at| ((at * 13) % 11) as f32 - 3.0).collect();
        let (gain, shift): (Vec<f32>, Vec<f32>) = (0..35).map(|at| (at as f32 / 8.0, 2.0 - at as f32)).unzip();
        for centres in [false, true] {
            let mut found = row.clone();
            normalise(&mut found, &Norm { centres, gain: Some(&gain), shift: Some(&shift), epsilon: 0.5 });
            let mean = if centres { row.iter().map(|x| f64::from(*x)).sum::<f64>() / 35.0 } else { 0.0 };
            let squares = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / 35.0;
            for at in 0..35 {
                let normed = (f64::from(row[at]) - mean) / (squares + 0.5).sqrt();
                let expected = normed * f64::from(gain[at]) + f64::from(shift[at]);
                assert!((f64::from(found[at]) - expected).abs() < 1e-5, "centres: {centres}, column {at}");
            }
        }
    }
}
