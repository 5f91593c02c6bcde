//! A row of logits over a vocabulary: its largest, their probabilities, and that of a label.

use super::exponential::sum_of_exponentials;
use std::cmp::Ordering;

/// From large to small; NaN after everything.
fn ranked(one: f32, other: f32) -> Ordering {
    match (one.is_nan(), other.is_nan()) {
        (false, false) => other.partial_cmp(&one).unwrap_or(Ordering::Equal),
        (one, other) => one.cmp(&other),
    }
}

/// The k largest with their ids, best first; ties go to the lower id, NaN ranks last.
#[inline(never)]
pub fn most_likely(row: &[f32], k: usize) -> Vec<(f32, usize)> {
    let mut best: Vec<(f32, usize)> = Vec::with_capacity(k + 1);
    for (id, &logit) in row.iter().enumerate() {
        if best.len() == k && best.last().is_some_and(|last| ranked(logit, last.0) != Ordering::Less) {
            continue;
        }
        let at = best.partition_point(|other| ranked(other.0, logit) != Ordering::Greater);
        best.insert(at, (logit, id));
        best.truncate(k);
    }
    best
}

/// ln Σ e^(logit − largest).
#[inline(never)]
pub fn log_sum(row: &[f32], largest: f32) -> f64 {
    sum_of_exponentials(row, largest).ln()
}

/// −log p of a label under the row's softmax, in nats. NaN for a row with a NaN or ∞, or −∞ alone, and for a label outside the
/// row; ∞ for one whose logit is −∞.
#[inline(never)]
pub fn label_loss(row: &[f32], label: usize) -> f32 {
    let Some(&logit) = row.get(label) else { return f32::NAN };
    let finite = || row.iter().copied().filter(|logit| logit.is_finite());
    let broken = row.iter().any(|logit| logit.is_nan() || *logit == f32::INFINITY);
    let Some(largest) = finite().reduce(f32::max).filter(|_| !broken) else { return f32::NAN };
    if logit == f32::NEG_INFINITY {
        return f32::INFINITY;
    }
    (f64::from(largest) - f64::from(logit) + log_sum(row, largest)) as f32
}

#[cfg(test)]
mod tests {
    use super::{label_loss, log_sum, most_likely};

    #[test]
    fn ties_go_to_the_lower_id_and_nan_comes_last() {
        let row = [1.0, f32::NAN, 3.0, 3.0, f32::NEG_INFINITY, 2.0];
        let ids = |k: usize| most_likely(&row, k).into_iter().map(|(_, id)| id).collect::<Vec<_>>();
        assert_eq!(ids(3), [2, 3, 5]);
        assert_eq!(ids(6), [2, 3, 5, 0, 4, 1]);
    }

    #[test]
    fn losses_are_those_of_the_softmax() {
        let row: Vec<f32> = (0..99).map(|id| ((id * 37) % 23) as f32 / 4.0 - 2.0).collect();
        let total: f64 = row.iter().map(|logit| f64::from(*logit).exp()).sum();
        for label in [0, 17, 98] {
            let expected = total.ln() - f64::from(row[label]);
            assert!((f64::from(label_loss(&row, label)) - expected).abs() < 1e-5, "label {label}");
            assert!((log_sum(&row, 1.5) + 1.5 - f64::from(row[label]) - expected).abs() < 1e-5, "label {label}");
        }
        assert!(label_loss(&row, 99).is_nan());
        assert!(label_loss(&[1.0, f32::INFINITY], 0).is_nan());
        assert_eq!(label_loss(&[1.0, f32::NEG_INFINITY], 1), f32::INFINITY);
    }
}
