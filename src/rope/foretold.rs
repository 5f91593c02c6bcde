//! What the mean query and the mean key of a head, before rotation, foretell of its scores at every distance.
//! Source: TriAttention, arXiv 2604.04921, equations 20 to 26. Distances are query − key.

use super::Frequencies;
use crate::transcendental::{atan2, exp, sin_cos};

/// The queries and keys of one head over one text, as its scores are made of them.
#[derive(Debug, Clone, Copy)]
pub struct HeadRows<'a> {
    /// (length, head_size), rotated to their positions.
    pub query: &'a [f32],
    /// (length, head_size): the keys, likewise.
    pub key: &'a [f32],
    /// Columns of a head; even.
    pub head_size: usize,
    /// The position of the first row.
    pub first_position: u64,
    /// Whether a token counts, (length): others have no part in means and correlations. A token without an entry counts.
    pub counted: &'a [u8],
    /// What the model multiplies scores with.
    pub scale: f64,
    /// Whether a query sees no key ahead of it.
    pub causal: bool,
}

/// What is foretold of a head, by distance from −(length − 1) to length − 1: (2·length − 1).
#[derive(Debug, Clone, PartialEq)]
pub struct Foretold {
    /// (head_size / 2), pair 0 first.
    pub pairs: Vec<MeanPair>,
    /// scale·Σ_i ‖E q_i‖‖E k_i‖·cos(Δθ_i + φ_i).
    pub scores: Vec<f64>,
    /// The weight that a softmax of these scores over each query's keys gives a key at that distance: its mean over the
    /// queries that have one. 0 for keys that no query sees.
    pub weights: Vec<f64>,
    /// r̄: the mean over the counted queries of the correlation of foretold and actual scores over the counted keys, where
    /// there are three or more that differ; NaN where no query has them.
    pub correlation: f64,
    /// The rows before rotation: (length, head_size).
    pub query: Vec<f64>,
    /// The key rows before rotation: (length, head_size).
    pub key: Vec<f64>,
}

impl Foretold {
    /// R of the head: the mean of its pairs' R_i by their strength, how alike its queries are before rotation; 0 where all are 0.
    pub fn concentration(&self) -> f64 {
        let all: f64 = self.pairs.iter().map(|pair| pair.strength).sum();
        let sum: f64 = self.pairs.iter().map(|pair| pair.strength * pair.query_constancy).sum();
        if all > 0.0 { sum / all } else { 0.0 }
    }
}

/// One frequency pair of a head over all counted tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanPair {
    /// C_i = E‖q_i‖·E‖k_i‖.
    pub strength: f64,
    /// R_i = ‖E q_i‖ / E‖q_i‖, 0 where all are 0.
    pub query_constancy: f64,
    /// The same of the keys.
    pub key_constancy: f64,
    /// φ_i: the angle from the mean key to the mean query before rotation, −π … π.
    pub phase: f64,
    /// The distance nearest to 0 at which the pair adds most, −φ_i / θ_i; NaN for a pair that does not turn.
    pub wants: f64,
}

/// Foretells a head's scores by its means. What has no partner is left out; a pair without a frequency does not turn.
pub fn foretold(head: &HeadRows, frequencies: &Frequencies) -> Foretold {
    let query = unrotated(head.query, head, frequencies);
    let key = unrotated(head.key, head, frequencies);
    let size = head.head_size.max(1);
    let length = (query.len() / size).min(key.len() / size);
    let theta = || frequencies.theta.iter().copied().chain(std::iter::repeat(0.0));
    let means: Vec<(Mean, Mean)> =
        (0..head.head_size / 2).map(|pair| (Mean::of(&query, pair, head), Mean::of(&key, pair, head))).collect();
    let products: Vec<(f64, f64)> = means.iter().map(|(query, key)| query.times_conjugate(key)).collect();
    let pairs = means
        .iter()
        .zip(&products)
        .zip(theta())
        .map(|(((query, key), (real, imaginary)), theta)| {
            let phase = atan2(*imaginary, *real);
            MeanPair {
                strength: query.norm * key.norm,
                query_constancy: query.constancy(),
                key_constancy: key.constancy(),
                phase,
                wants: if theta == 0.0 { f64::NAN } else { -phase / theta },
            }
        })
        .collect();
    let farthest = length.saturating_sub(1) as f64;
    let scores: Vec<f64> = (0..(2 * length).saturating_sub(1))
        .map(|step| {
            let turned = products.iter().zip(theta()).map(|((real, imaginary), theta)| {
                let (sin, cos) = sin_cos((step as f64 - farthest) * theta);
                real * cos - imaginary * sin
            });
            head.scale * turned.sum::<f64>()
        })
        .collect();
    let weights = weights(&scores, length, head.causal);
    let correlation = correlation(head, &scores, length);
    Foretold { pairs, scores, weights, correlation, query, key }
}

/// Rows turned back by their positions' angles.
#[inline(never)]
fn unrotated(rows: &[f32], head: &HeadRows, frequencies: &Frequencies) -> Vec<f64> {
    let mut rows: Vec<f64> = rows.iter().map(|number| f64::from(*number)).collect();
    for (index, row) in rows.chunks_exact_mut(head.head_size.max(1)).enumerate() {
        let position = (head.first_position + index as u64) as f64;
        for (pair, theta) in row.chunks_exact_mut(2).zip(&frequencies.theta) {
            if let [x, y] = pair {
                let (sin, cos) = sin_cos(position * theta);
                (*x, *y) = (*x * cos + *y * sin, *y * cos - *x * sin);
            }
        }
    }
    rows
}

/// Whether each token counts.
fn counts(head: &HeadRows) -> impl Iterator<Item = bool> {
    head.counted.iter().map(|counted| *counted != 0).chain(std::iter::repeat(true))
}

/// The mean of one pair over the counted rows, as a complex number, and that of its length.
struct Mean {
    real: f64,
    imaginary: f64,
    norm: f64,
}

impl Mean {
    #[inline(never)]
    fn of(rows: &[f64], pair: usize, head: &HeadRows) -> Self {
        let (mut sum, mut count) = (Self { real: 0.0, imaginary: 0.0, norm: 0.0 }, 0.0);
        for (row, counted) in rows.chunks_exact(head.head_size).zip(counts(head)) {
            if let (true, Some([x, y])) = (counted, row.get(2 * pair..2 * pair + 2)) {
                sum.real += x;
                sum.imaginary += y;
                sum.norm += (x * x + y * y).sqrt();
                count += 1.0;
            }
        }
        let share = if count > 0.0 { 1.0 / count } else { 0.0 };
        Self { real: sum.real * share, imaginary: sum.imaginary * share, norm: sum.norm * share }
    }

    fn constancy(&self) -> f64 {
        let length = (self.real * self.real + self.imaginary * self.imaginary).sqrt();
        if self.norm > 0.0 { length / self.norm } else { 0.0 }
    }

    fn times_conjugate(&self, key: &Self) -> (f64, f64) {
        (self.real * key.real + self.imaginary * key.imaginary, self.imaginary * key.real - self.real * key.imaginary)
    }
}

fn weights(scores: &[f64], length: usize, causal: bool) -> Vec<f64> {
    let unseen = if causal { length.saturating_sub(1) } else { 0 };
    let highest = scores.iter().skip(unseen).fold(f64::NEG_INFINITY, |highest, score| highest.max(*score));
    let raised: Vec<f64> =
        (0..).zip(scores).map(|(step, score)| if step < unseen { 0.0 } else { exp(score - highest) }).collect();
    // A query's keys are `length` distances in a row, and the next query's are one farther.
    let shares: Vec<f64> = raised
        .windows(length.max(1))
        .map(|keys| keys.iter().sum::<f64>())
        .map(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 })
        .collect();
    (1..)
        .zip(&raised)
        .map(|(step, raised)| {
            let first = usize::saturating_sub(step, length);
            let queries = shares.iter().skip(first).take(length - length.abs_diff(step));
            let count = queries.len() as f64;
            raised * queries.sum::<f64>() / count
        })
        .collect()
}

fn correlation(head: &HeadRows, scores: &[f64], length: usize) -> f64 {
    let size = head.head_size.max(1);
    let queries = head.query.chunks_exact(size).zip(counts(head)).zip(scores.windows(length.max(1)));
    let (mut sum, mut count) = (0.0, 0.0);
    for (index, ((query, counted), foretold)) in queries.enumerate() {
        let seen = if head.causal { index + 1 } else { length };
        let keys = head.key.chunks_exact(size).zip(counts(head)).take(seen);
        let found = keys.zip(foretold.iter().rev()).filter(|((_, counted), _)| *counted);
        let both: Vec<(f64, f64)> = found.map(|((key, _), foretold)| (dot(query, key), *foretold)).collect();
        if let (true, Some(found)) = (counted, pearson(&both)) {
            sum += found;
            count += 1.0;
        }
    }
    sum / count
}

/// The correlation of pairs of numbers; none of fewer than three, or where one of the two is the same in all.
fn pearson(both: &[(f64, f64)]) -> Option<f64> {
    let share = 1.0 / both.len() as f64;
    let (x_mean, y_mean) = both.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0 * share, y + pair.1 * share));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in both {
        let (x, y) = (x - x_mean, y - y_mean);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    (both.len() >= 3 && xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(l, r)| f64::from(*l) * f64::from(*r)).sum()
}

#[cfg(test)]
mod tests;
