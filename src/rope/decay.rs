//! The paper's long-term decay: the bound of a score at a distance, and the score of equal queries and keys there.

use super::Frequencies;

/// (1/(d/2)) Σ_{j=1}^{d/2} |S_j| with S_j = Σ_{i<j} e^{i·m·θ_i}, for each distance m = 0 … max_distance
/// (max_distance + 1): the paper's equation 37 and figure 2. The magnitude is ignored, because it does not change the shape.
pub fn decay_bound(frequencies: &Frequencies, max_distance: usize) -> Vec<f64> {
    (0..=max_distance).map(|distance| mean_partial_sum(&frequencies.theta, distance as f64)).collect()
}

fn mean_partial_sum(theta: &[f64], distance: f64) -> f64 {
    let (mut real, mut imaginary, mut total) = (0.0_f64, 0.0_f64, 0.0);
    for frequency in theta {
        let (sin, cos) = (distance * frequency).sin_cos();
        real += cos;
        imaginary += sin;
        total += (real * real + imaginary * imaginary).sqrt();
    }
    total / theta.len().max(1) as f64
}

/// Σ_i cos(m·θ_i) for each distance m = 0 … max_distance (max_distance + 1): the score of a query and a key that are the same unit
/// vector in every pair. Two sinusoidal positions have the same score. Source: Su, kexue.fm/archives/10122.
pub fn cosine_sums(frequencies: &Frequencies, max_distance: usize) -> Vec<f64> {
    (0..=max_distance).map(|distance| cosine_sum(&frequencies.theta, distance as f64)).collect()
}

/// The first distance below `limit` at which Σ_i cos(m·θ_i) is negative: the context length that a base supports according to Men et al.
/// (arXiv 2405.14591). It is not monotonic in the base.
pub fn first_negative_distance(frequencies: &Frequencies, limit: u64) -> Option<u64> {
    (0..limit).find(|distance| cosine_sum(&frequencies.theta, *distance as f64) < 0.0)
}

/// The search for a base ends here.
const MAX_BASE: f64 = 1e9;
/// The ratio of two successive bases in the search.
const BASE_STEP: f64 = 1.001;
/// If the sum is negative at a distance, it usually is within this many distances with the next base as well.
const NEARBY: u64 = 4;

/// The smallest base, to a tenth of a per cent, at which Σ_i cos(m·θ_i) is negative at no distance below `context`: the condition of Men
/// et al. (arXiv 2405.14591). Larger bases may fail again. `None`: above 10^9.
pub fn smallest_base(head_size: usize, context: u64) -> Option<f64> {
    let (mut base, mut negative) = (1.0, 0);
    while base < MAX_BASE {
        let theta = Frequencies::from_base(head_size, base).theta;
        let first = |from: u64, end: u64| (from..end).find(|distance| cosine_sum(&theta, *distance as f64) < 0.0);
        match first(negative, context.min(negative + NEARBY)).or_else(|| first(0, context)) {
            None => return Some(base),
            Some(found) => negative = found,
        }
        base *= BASE_STEP;
    }
    None
}

#[inline(never)]
pub(super) fn cosine_sum(theta: &[f64], distance: f64) -> f64 {
    theta.iter().map(|frequency| (distance * frequency).cos()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rope::BASE;

    #[test]
    fn the_bound_is_figure_two_of_the_paper() {
        #[rustfmt::skip]
        let curves: [(usize, &[(usize, f64)]); 3] = [
            (128, &[
                (0, 32.5), (1, 31.538166), (2, 28.955988), (4, 22.604043), (8, 19.817395), (16, 15.774951), (32, 13.384314),
                (64, 10.089942), (100, 10.227330), (128, 9.272903), (200, 7.244771), (236, 6.414997), (256, 6.543097),
            ]),
            (64, &[
                (0, 16.5), (1, 15.947764), (2, 14.484515), (4, 11.142722), (8, 9.923590), (16, 7.649677), (32, 7.652897),
                (64, 5.699918), (128, 4.748683), (256, 3.843564),
            ]),
            (8, &[
                (0, 2.5), (1, 2.292507), (2, 1.743250), (4, 1.263053), (8, 2.068510), (16, 1.106141), (32, 1.154576),
                (64, 2.267316), (128, 1.637855), (256, 0.762185),
            ]),
        ];
        for (head_size, curve) in curves {
            let bound = decay_bound(&Frequencies::from_base(head_size, BASE), 256);
            assert_eq!(bound.len(), 257);
            for (distance, expected) in curve {
                let found = bound[*distance];
                assert!((found - expected).abs() < 1e-6, "d {head_size}, distance {distance}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn the_bound_of_no_pairs_is_zero() {
        assert_eq!(decay_bound(&Frequencies::from_base(0, BASE), 2), [0.0; 3]);
    }

    #[test]
    fn the_bound_does_not_decay_without_rotation() {
        assert_eq!(decay_bound(&Frequencies::from_theta(vec![0.0; 4]), 2), [2.5; 3]);
    }

    #[test]
    fn four_ropes_at_ten_distances() {
        let distances = [0, 1, 10, 50, 100, 250, 256, 1000, 2000, 4096];
        let expected = [
            (128, 1e4, [32.50, 31.54, 17.95, 12.63, 10.23, 6.55, 6.54, 4.47, 5.05, 4.88]),
            (128, 5e5, [32.50, 31.65, 20.89, 15.74, 13.71, 11.43, 12.16, 10.20, 11.93, 7.16]),
            (128, 1e6, [32.50, 31.66, 21.29, 17.50, 13.53, 13.76, 12.87, 12.50, 8.77, 5.61]),
            (64, 1e4, [16.50, 15.95, 8.81, 5.73, 7.47, 3.67, 3.84, 4.09, 2.58, 5.29]),
        ];
        for (head_size, base, values) in expected {
            let bound = decay_bound(&Frequencies::from_base(head_size, base), 4096);
            for (distance, value) in distances.into_iter().zip(values) {
                let found: f64 = bound[distance];
                assert!((found - value).abs() < 5.1e-3, "d {head_size}, base {base}, {distance}: {found}");
            }
        }
    }

    #[test]
    fn the_first_negative_sums_are_the_published_ones() {
        let crossings = [(64, 1e4, 725), (128, 1e4, 1707), (64, 5e5, 9937), (128, 5e5, 18_438), (128, 1e6, 27_115)];
        for (head_size, base, crossing) in crossings {
            let frequencies = Frequencies::from_base(head_size, base);
            assert_eq!(first_negative_distance(&frequencies, 30_000), Some(crossing), "d {head_size}, base {base}");
            assert_eq!(first_negative_distance(&frequencies, crossing), None);
        }
        let sums = cosine_sums(&Frequencies::from_base(64, BASE), 725);
        assert_eq!((sums.len(), sums[0]), (726, 32.0));
        assert!(sums[724] >= 0.0 && sums[725] < 0.0);
        assert_eq!(cosine_sums(&Frequencies::from_theta(vec![0.0; 3]), 1), [3.0; 2]);
    }

    /// The two digits of Su's table for d = 128 (kexue.fm/archives/10122).
    #[test]
    fn the_smallest_bases_are_the_published_ones() {
        for (context, expected) in [(1024, 4.3e3), (2048, 1.2e4), (4096, 2.7e4), (8192, 8.4e4)] {
            let found = smallest_base(128, context).unwrap();
            assert!((found / expected - 1.0).abs() < 0.04, "{context}: {found}");
            assert_eq!(first_negative_distance(&Frequencies::from_base(128, found), context), None);
            assert!(first_negative_distance(&Frequencies::from_base(128, found / BASE_STEP), context).is_some());
        }
        assert_eq!(smallest_base(0, 512), Some(1.0));
        assert_eq!(smallest_base(64, 1), Some(1.0));
        // The cosine of a single pair is negative at distance 2 with every base.
        assert_eq!(smallest_base(2, 3), None);
    }
}
