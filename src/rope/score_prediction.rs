//! Predictions of a head's scores at every distance from its mean query and key before rotation.
//! Source: TriAttention, arXiv 2604.04921, equations 20 to 26. Distances are query − key.

use super::score::{all_theta, moved_score, times_conjugate};
use super::{Frequencies, rotate_row};

/// The queries and keys of one head over one text.
#[derive(Debug, Clone, Copy)]
pub struct PredictionInput<'a> {
    /// (length, head_size), rotated to their positions.
    pub query: &'a [f32],
    /// (length, head_size), rotated to their positions.
    pub key: &'a [f32],
    /// Columns of a head; even.
    pub head_size: usize,
    /// The position of the first row.
    pub first_position: u64,
    /// (length): 0 excludes a token from means and correlations. A token without an entry is included.
    pub is_counted: &'a [u8],
    /// The model's factor on scores.
    pub scale: f64,
    /// Whether a query sees no later key.
    pub causal: bool,
}

/// The prediction for a head, with an entry for each distance from −(length − 1) to length − 1: (2·length − 1).
#[derive(Debug, Clone, PartialEq)]
pub struct ScorePrediction {
    /// (head_size / 2), pair 0 first.
    pub pairs: Vec<PairMeans>,
    /// scale·Σ_i ‖E q_i‖‖E k_i‖·cos(Δθ_i + φ_i).
    pub scores: Vec<f64>,
    /// The softmax of these scores over each query's keys: at each distance the mean over the queries that have such a key. 0 for keys
    /// that no query sees.
    pub weights: Vec<f64>,
    /// r̄: the mean over the counted queries of the correlation of predicted and actual scores over the counted keys. Only queries with
    /// three or more keys and different scores have one; NaN if none has.
    pub correlation: f64,
    /// The queries before rotation: (length, head_size).
    pub query: Vec<f64>,
    /// The keys before rotation: (length, head_size).
    pub key: Vec<f64>,
}

impl ScorePrediction {
    /// R of the head, the similarity of its queries before rotation: the mean of R_i weighted by strength; 0 if all strengths are 0.
    pub fn concentration(&self) -> f64 {
        let all: f64 = self.pairs.iter().map(|pair| pair.strength).sum();
        let sum: f64 = self.pairs.iter().map(|pair| pair.strength * pair.query_concentration).sum();
        if all > 0.0 { sum / all } else { 0.0 }
    }
}

/// Means of one pair of a head over all counted tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairMeans {
    /// C_i = E‖q_i‖·E‖k_i‖.
    pub strength: f64,
    /// R_i = ‖E q_i‖ / E‖q_i‖; 0 if the queries are 0.
    pub query_concentration: f64,
    /// The same for the keys.
    pub key_concentration: f64,
    /// φ_i: the angle from the mean key to the mean query before rotation, −π … π.
    pub phase: f64,
    /// The distance nearest to 0 with the largest score of this pair, −φ_i / θ_i; NaN for a pair that does not rotate.
    pub preferred_distance: f64,
}

/// Predicts a head's scores from its means. Components without a partner are ignored; a pair without a frequency does not rotate.
pub fn predict_scores(head: &PredictionInput, frequencies: &Frequencies) -> ScorePrediction {
    let query = inverse_rotation(head.query, head, frequencies);
    let key = inverse_rotation(head.key, head, frequencies);
    let size = head.head_size.max(1);
    let length = (query.len() / size).min(key.len() / size);
    let means: Vec<(Mean, Mean)> =
        (0..head.head_size / 2).map(|pair| (Mean::of(&query, pair, head), Mean::of(&key, pair, head))).collect();
    let products: Vec<(f64, f64)> = means
        .iter()
        .map(|(query, key)| times_conjugate((query.real, query.imaginary), (key.real, key.imaginary)))
        .collect();
    let pairs = means
        .iter()
        .zip(&products)
        .zip(all_theta(frequencies))
        .map(|(((query, key), (real, imaginary)), theta)| {
            let phase = imaginary.atan2(*real);
            PairMeans {
                strength: query.norm * key.norm,
                query_concentration: query.concentration(),
                key_concentration: key.concentration(),
                phase,
                preferred_distance: if theta == 0.0 { f64::NAN } else { -phase / theta },
            }
        })
        .collect();
    let farthest = length.saturating_sub(1) as f64;
    let score = |step: usize| head.scale * moved_score(&products, frequencies, step as f64 - farthest);
    let scores: Vec<f64> = (0..(2 * length).saturating_sub(1)).map(score).collect();
    let weights = weights(&scores, length, head.causal);
    let correlation = correlation(head, &scores, length);
    ScorePrediction { pairs, scores, weights, correlation, query, key }
}

/// Rows rotated back by the angles of their positions.
fn inverse_rotation(rows: &[f32], head: &PredictionInput, frequencies: &Frequencies) -> Vec<f64> {
    let rows: Vec<f64> = rows.iter().map(|number| f64::from(*number)).collect();
    let positions = (head.first_position..).map(|position| -(position as f64));
    let rows = rows.chunks(head.head_size.max(1)).zip(positions);
    rows.flat_map(|(row, position)| rotate_row(row, &frequencies.theta, position)).collect()
}

/// Whether each token counts.
fn counts(head: &PredictionInput) -> impl Iterator<Item = bool> {
    head.is_counted.iter().map(|is_counted| *is_counted != 0).chain(std::iter::repeat(true))
}

/// The mean of one pair over the counted rows as a complex number, and the mean of its norm.
struct Mean {
    real: f64,
    imaginary: f64,
    norm: f64,
}

impl Mean {
    #[inline(never)]
    fn of(rows: &[f64], pair: usize, head: &PredictionInput) -> Self {
        let (mut sum, mut count) = (Self { real: 0.0, imaginary: 0.0, norm: 0.0 }, 0.0);
        for (row, is_counted) in rows.chunks_exact(head.head_size).zip(counts(head)) {
            if let (true, Some([x, y])) = (is_counted, row.get(2 * pair..2 * pair + 2)) {
                sum.real += x;
                sum.imaginary += y;
                sum.norm += (x * x + y * y).sqrt();
                count += 1.0;
            }
        }
        let share = if count > 0.0 { 1.0 / count } else { 0.0 };
        Self { real: sum.real * share, imaginary: sum.imaginary * share, norm: sum.norm * share }
    }

    fn concentration(&self) -> f64 {
        let length = (self.real * self.real + self.imaginary * self.imaginary).sqrt();
        if self.norm > 0.0 { length / self.norm } else { 0.0 }
    }
}

fn weights(scores: &[f64], length: usize, causal: bool) -> Vec<f64> {
    // Distances of later keys come first.
    let masked = if causal { length.saturating_sub(1) } else { 0 };
    let highest = scores.iter().skip(masked).fold(f64::NEG_INFINITY, |highest, score| highest.max(*score));
    let exponentials: Vec<f64> =
        (0..).zip(scores).map(|(step, score)| if step < masked { 0.0 } else { (score - highest).exp() }).collect();
    // A query's keys are at `length` successive distances. Those of the next query begin one later.
    let scales: Vec<f64> = exponentials
        .windows(length.max(1))
        .map(|keys| keys.iter().sum::<f64>())
        .map(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 })
        .collect();
    (1..)
        .zip(&exponentials)
        .map(|(step, exponential)| {
            let first = usize::saturating_sub(step, length);
            let queries = scales.iter().skip(first).take(length - length.abs_diff(step));
            let count = queries.len() as f64;
            exponential * queries.sum::<f64>() / count
        })
        .collect()
}

fn correlation(head: &PredictionInput, scores: &[f64], length: usize) -> f64 {
    let size = head.head_size.max(1);
    let queries = head.query.chunks_exact(size).zip(counts(head)).zip(scores.windows(length.max(1)));
    let (mut sum, mut count) = (0.0, 0.0);
    for (index, ((query, is_counted), predicted)) in queries.enumerate() {
        let visible = if head.causal { index + 1 } else { length };
        let keys = head.key.chunks_exact(size).zip(counts(head)).take(visible);
        let keys = keys.zip(predicted.iter().rev()).filter(|((_, is_counted), _)| *is_counted);
        let both: Vec<(f64, f64)> = keys.map(|((key, _), predicted)| (dot(query, key), *predicted)).collect();
        if let (true, Some(correlation)) = (is_counted, pearson(&both)) {
            sum += correlation;
            count += 1.0;
        }
    }
    sum / count
}

/// The correlation of pairs of numbers; `None` for fewer than three pairs or a constant side.
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
