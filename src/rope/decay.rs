//! The paper's long-term decay: how large a score can be at a distance.

use super::Frequencies;

/// (1/(d/2)) Σ_{j=1}^{d/2} |S_j| with S_j = Σ_{i<j} e^{i·m·θ_i}, for each distance m = 0 … max_distance
/// (max_distance + 1): the paper's equation 37 and figure 2. The magnitude is left out: it changes no curve's shape.
pub fn decay_bound(frequencies: &Frequencies, max_distance: usize) -> Vec<f64> {
    (0..=max_distance).map(|distance| mean_partial_sum(&frequencies.theta, distance as f64)).collect()
}

fn mean_partial_sum(theta: &[f64], distance: f64) -> f64 {
    let (mut real, mut imaginary, mut total) = (0.0_f64, 0.0_f64, 0.0);
    for frequency in theta {
        let (sin, cos) = (distance * frequency).sin_cos();
        real += cos;
        imaginary += sin;
        total += real.hypot(imaginary);
    }
    total / theta.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::BASE;

    fn assert_curve(head_size: usize, expected: &[(usize, f64)]) {
        let bound = decay_bound(&Frequencies::of_base(head_size, BASE), 256);
        assert_eq!(bound.len(), 257);
        for (distance, value) in expected {
            let found = bound[*distance];
            assert!((found - value).abs() < 1e-6, "d {head_size}, distance {distance}: {found} instead of {value}");
        }
    }

    #[test]
    fn follows_figure_two() {
        assert_curve(
            128,
            &[
                (0, 32.5),
                (1, 31.538166),
                (2, 28.955988),
                (4, 22.604043),
                (8, 19.817395),
                (16, 15.774951),
                (32, 13.384314),
                (64, 10.089942),
                (100, 10.227330),
                (128, 9.272903),
                (200, 7.244771),
                (236, 6.414997),
                (256, 6.543097),
            ],
        );
    }

    #[test]
    fn follows_smaller_heads() {
        let large = [(0, 16.5), (1, 15.947764), (2, 14.484515), (4, 11.142722), (8, 9.923590), (16, 7.649677)];
        assert_curve(64, &large);
        assert_curve(64, &[(32, 7.652897), (64, 5.699918), (128, 4.748683), (256, 3.843564)]);
        let small = [(0, 2.5), (1, 2.292507), (2, 1.743250), (4, 1.263053), (8, 2.068510), (16, 1.106141)];
        assert_curve(8, &small);
        assert_curve(8, &[(32, 1.154576), (64, 2.267316), (128, 1.637855), (256, 0.762185)]);
    }

    #[test]
    fn no_pairs_bound_nothing() {
        assert_eq!(decay_bound(&Frequencies::of_base(0, BASE), 2), [0.0; 3]);
    }

    #[test]
    fn pairs_that_do_not_turn_never_decay() {
        let still = Frequencies { theta: vec![0.0; 4], magnitude: 1.0, turning: 0 };
        assert_eq!(decay_bound(&still, 2), [2.5; 3]);
    }
}
