//! Angles by position, for the kernels and the angle map.

use super::Frequencies;
use half::bf16;
use std::f64::consts::TAU;

/// The rotary table: cosine and sine of (offset + m)·θ_i times the magnitude, (length, head_size / 2, 2), computed in f64 and rounded
/// once to f32. A pair outside the rope has 1 and 0.
pub fn table(frequencies: &Frequencies, offset: u64, length: usize) -> Vec<f32> {
    let Frequencies { theta, magnitude, rotary_pairs } = frequencies;
    let mut table = Vec::with_capacity(length.saturating_mul(theta.len()).saturating_mul(2));
    for m in 0..length as u64 {
        let position = offset.saturating_add(m) as f64;
        for (pair, frequency) in theta.iter().enumerate() {
            let magnitude = if pair < *rotary_pairs { *magnitude } else { 1.0 };
            let (sin, cos) = (position * frequency).sin_cos();
            table.extend([(magnitude * cos) as f32, (magnitude * sin) as f32]);
        }
    }
    table
}

/// The rotary table of a program that keeps it in bf16: angles in f32, cosines and sines rounded to bf16, no magnitude.
pub fn bf16_table(frequencies: &Frequencies, offset: u64, length: usize) -> Vec<f32> {
    let mut table = Vec::new();
    for m in 0..length as u64 {
        let position = offset.saturating_add(m) as f32;
        for frequency in &frequencies.theta {
            let (sin, cos) = f64::from(position * *frequency as f32).sin_cos();
            table.extend([cos, sin].map(|part| bf16::from_f32(part as f32).to_f32()));
        }
    }
    table
}

/// m·θ_i modulo 2π, in radians: (length, head_size / 2).
pub fn angles(frequencies: &Frequencies, length: usize) -> Vec<f32> {
    let angle = |m: usize, frequency: &f64| {
        let rotations = m as f64 * frequency / TAU;
        (TAU * (rotations - rotations.floor())) as f32
    };
    (0..length).flat_map(|m| frequencies.theta.iter().map(move |frequency| angle(m, frequency))).collect()
}

/// A row, (head_size), rotated to a position: the paper's equation 34, in f64. A pair without a frequency does not rotate.
#[inline(never)]
pub fn rotate_row(row: &[f64], theta: &[f64], position: f64) -> Vec<f64> {
    let mut row = row.to_vec();
    for (pair, theta) in row.chunks_exact_mut(2).zip(theta) {
        if let [x, y] = pair {
            let (sin, cos) = (position * theta).sin_cos();
            (*x, *y) = (*x * cos - *y * sin, *y * cos + *x * sin);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::BASE;

    /// The rotation of the paper's equation 34, by the table.
    fn rotate(rows: &[f64], head_size: usize) -> Vec<f64> {
        let table = table(&Frequencies::from_base(head_size, BASE), 0, rows.len() / head_size);
        let rotated = rows.chunks(2).zip(table.chunks(2)).map(|(x, angle)| {
            let (cos, sin) = (f64::from(angle[0]), f64::from(angle[1]));
            [x[0] * cos - x[1] * sin, x[1] * cos + x[0] * sin]
        });
        rotated.flatten().collect()
    }

    fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
        }
    }

    /// Hugging Face's table, sines first: row `position`, columns 0 … d/2 − 1 sine, then cosine.
    fn sine_then_cosine(head_size: usize, position: usize) -> Vec<f64> {
        let table = table(&Frequencies::from_base(head_size, BASE), 0, position + 1);
        let row = &table[position * head_size..];
        let sines = row.iter().skip(1).step_by(2);
        sines.chain(row.iter().step_by(2)).map(|value| f64::from(*value)).collect()
    }

    #[test]
    fn agrees_with_the_tables_in_hugging_faces_tests() {
        assert_close(&sine_then_cosine(6, 0), &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], 1e-4);
        assert_close(&sine_then_cosine(6, 1), &[0.8415, 0.0464, 0.0022, 0.5403, 0.9989, 1.0], 1e-4);
        assert_close(&sine_then_cosine(512, 1)[..5], &[0.8415, 0.8219, 0.8020, 0.7819, 0.7617], 1e-4);
        assert_close(&sine_then_cosine(512, 2)[..5], &[0.9093, 0.9364, 0.9581, 0.9749, 0.9870], 1e-4);
    }

    #[test]
    fn rotates_as_hugging_faces_test_expects() {
        let query: Vec<f64> = (0..6 * 64).map(|i| f64::from(i) / 100.0).collect();
        let expected = [
            [0.000000, 0.010000, 0.020000, 0.030000, 0.040000, 0.050000, 0.060000, 0.070000],
            [-0.201163, 0.889738, 0.026316, 0.940110, 0.207400, 0.946301, 0.348068, 0.934317],
            [-1.705662, 0.627071, -1.214466, 1.389666, -0.630303, 1.764658, -0.117310, 1.898510],
            [-2.173147, -1.639735, -2.735809, 0.285392, -2.184002, 1.718323, -1.301817, 2.487121],
            [0.271655, -3.617279, -2.920612, -2.198755, -3.663778, 0.385783, -2.915540, 2.298026],
            [3.985866, -2.158002, -0.798434, -4.490413, -4.118086, -2.025208, -4.478199, 1.125270],
        ];
        for (row, expected) in rotate(&query, 64).chunks(64).zip(&expected) {
            assert_close(&row[..8], expected, 2e-6);
        }
    }

    #[test]
    fn rotates_four_dimensions() {
        let query: Vec<f64> = (0..16).map(|i| (f64::from(i / 4) + 1.0 + 0.5 * f64::from(i % 4)).sin()).collect();
        let expected = [
            [0.841471, 0.997495, 0.909297, 0.598472],
            [-0.012301, 1.088503, 0.144621, -0.349355],
            [0.260240, 0.274297, -0.737102, -0.992470],
            [0.887178, 0.860948, -0.937330, -0.733986],
        ];
        assert_close(&rotate(&query, 4), &expected.concat(), 1e-6);
    }

    #[test]
    fn an_offset_moves_the_rows() {
        let frequencies = Frequencies::from_base(8, BASE);
        assert_eq!(table(&frequencies, 100_000, 3)[8..], table(&frequencies, 100_001, 2)[..]);
        assert_eq!(table(&frequencies, u64::MAX, 2).len(), 16);
    }

    #[test]
    fn pairs_outside_the_rope_have_no_magnitude() {
        let frequencies = Frequencies { theta: vec![1.0, 0.0, 0.0], magnitude: 1.5, rotary_pairs: 2 };
        let (sin, cos) = 3.0_f64.sin_cos();
        assert_eq!(table(&frequencies, 3, 1), [(1.5 * cos) as f32, (1.5 * sin) as f32, 1.5, 0.0, 1.0, 0.0]);
        assert_eq!(angles(&frequencies, 2), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_rotated_row_keeps_the_norm_of_every_pair_and_scores_by_distance() {
        let theta = Frequencies::from_base(8, BASE).theta;
        let [query, key] =
            [0.3, 1.7].map(|seed: f64| (0..8).map(|i| (seed * (i as f64 + 1.1)).sin()).collect::<Vec<_>>());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let score = |m: f64, n: f64| dot(&rotate_row(&query, &theta, m), &rotate_row(&key, &theta, n));
        assert_close(&[score(9.0, 4.0)], &[score(100_009.0, 100_004.0)], 1e-9);
        for (before, after) in query.chunks(2).zip(rotate_row(&query, &theta, 1234.0).chunks(2)) {
            assert_close(&[dot(before, before)], &[dot(after, after)], 1e-14);
        }
        // The sign of the distance matters: theta is 30 degrees.
        let theta = [std::f64::consts::FRAC_PI_6];
        let score = |m: f64, n: f64| dot(&rotate_row(&[1.0, 0.0], &theta, m), &rotate_row(&[0.7, 0.7], &theta, n));
        assert_close(&[score(1.0, 3.0), score(3.0, 1.0)], &[-0.2562, 0.9562], 5e-5);
    }

    #[test]
    fn angles_agree_with_the_table() {
        let frequencies = Frequencies::from_base(16, BASE);
        for (angle, entry) in angles(&frequencies, 200).iter().zip(table(&frequencies, 0, 200).chunks(2)) {
            assert!((0.0..=std::f32::consts::TAU).contains(angle));
            assert!((angle.cos() - entry[0]).abs() < 1e-6 && (angle.sin() - entry[1]).abs() < 1e-6);
        }
    }
}
