//! A row of logits over a vocabulary: the best ids, and the loss of a label.

use crate::exp::sum_exp;
use std::cmp::Ordering;

/// Descending order; NaN comes last.
fn descending(one: f32, other: f32) -> Ordering {
    match (one.is_nan(), other.is_nan()) {
        (false, false) => other.partial_cmp(&one).unwrap_or(Ordering::Equal),
        (one, other) => one.cmp(&other),
    }
}

/// The k largest logits with their ids, best first. Of equal logits the lower id comes first; NaN comes last.
#[inline(never)]
pub fn top_k(row: &[f32], k: usize) -> Vec<(f32, usize)> {
    let mut best: Vec<(f32, usize)> = Vec::with_capacity(k + 1);
    for (id, &logit) in row.iter().enumerate() {
        if best.len() == k && best.last().is_some_and(|last| descending(logit, last.0) != Ordering::Less) {
            continue;
        }
        let at = best.partition_point(|other| descending(other.0, logit) != Ordering::Greater);
        best.insert(at, (logit, id));
        best.truncate(k);
    }
    best
}

/// ln Σ e^(logit − largest), the logarithm of the softmax's denominator.
#[inline(never)]
pub fn log_sum_exp(row: &[f32], largest: f32) -> f64 {
    sum_exp(row, largest).ln()
}

/// The cross-entropy loss, −ln p of the label under the row's softmax, in nats. ∞ for a label whose logit is −∞. NaN for a label outside
/// the row, and for a row with a NaN or ∞ or with nothing but −∞.
#[inline(never)]
pub fn cross_entropy(row: &[f32], label: usize) -> f32 {
    let Some(&logit) = row.get(label) else { return f32::NAN };
    let finite = || row.iter().copied().filter(|logit| logit.is_finite());
    let broken = row.iter().any(|logit| logit.is_nan() || *logit == f32::INFINITY);
    let Some(largest) = finite().reduce(f32::max).filter(|_| !broken) else { return f32::NAN };
    if logit == f32::NEG_INFINITY {
        return f32::INFINITY;
    }
    (f64::from(largest) - f64::from(logit) + log_sum_exp(row, largest)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lower_id_and_nan_comes_last() {
        let row = [1.0, f32::NAN, 3.0, 3.0, f32::NEG_INFINITY, 2.0];
        let ids = |k: usize| top_k(&row, k).into_iter().map(|(_, id)| id).collect::<Vec<_>>();
        assert_eq!(ids(3), [2, 3, 5]);
        assert_eq!(ids(6), [2, 3, 5, 0, 4, 1]);
    }

    #[test]
    fn losses_agree_with_the_softmax() {
        let row: Vec<f32> = (0..99).map(|id| ((id * 37) % 23) as f32 / 4.0 - 2.0).collect();
        let total: f64 = row.iter().map(|logit| f64::from(*logit).exp()).sum();
        for label in [0, 17, 98] {
            let expected = total.ln() - f64::from(row[label]);
            assert!((f64::from(cross_entropy(&row, label)) - expected).abs() < 1e-5, "label {label}");
            assert!((log_sum_exp(&row, 1.5) + 1.5 - f64::from(row[label]) - expected).abs() < 1e-5, "label {label}");
        }
        assert!(cross_entropy(&row, 99).is_nan());
        assert!(cross_entropy(&[1.0, f32::INFINITY], 0).is_nan());
        assert_eq!(cross_entropy(&[1.0, f32::NEG_INFINITY], 1), f32::INFINITY);
    }
}
