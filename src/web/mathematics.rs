//! Mathematics that needs no model and no device.

use super::names::{ContextExtensionName, PositionEncodingName};
use crate::draw::Palette;
use crate::error::Error;
use crate::positions;
use crate::rope::{self, Frequencies};
use wasm_bindgen::prelude::wasm_bindgen;

/// θ_i = base^(−2i/d): (head_size / 2).
#[wasm_bindgen]
pub fn frequencies(head_size: usize, base: f64) -> Vec<f64> {
    Frequencies::from_base(head_size, base).theta
}

/// mθ_i modulo 2π: (length, pairs). theta: (pairs).
#[wasm_bindgen]
pub fn angles(theta: Vec<f64>, length: usize) -> Vec<f32> {
    rope::angles(&Frequencies::from_theta(theta), length)
}

/// The paper's bound (figure 2) at distances 0 … max_distance. theta: (pairs).
#[wasm_bindgen(js_name = decayBound)]
pub fn decay_bound(theta: Vec<f64>, max_distance: usize) -> Vec<f64> {
    rope::decay_bound(&Frequencies::from_theta(theta), max_distance)
}

/// 256 × 3 sRGB bytes between stops (stops × 3).
#[wasm_bindgen]
pub fn palette(stops: &[u8]) -> Vec<u8> {
    Palette::from_stops(stops).bytes()
}

/// See [`rope::ScoreParts`].
#[wasm_bindgen(getter_with_clone)]
pub struct ScoreParts {
    #[wasm_bindgen(readonly)]
    pub parts: Vec<f64>,
    #[wasm_bindgen(readonly)]
    pub running: Vec<f64>,
    #[wasm_bindgen(readonly)]
    pub score: f64,
    #[wasm_bindgen(readonly)]
    pub sweep: Vec<f64>,
    /// (pairs, 3): of each pair |q_i|, |k_i| and the angle from query to key before rotation.
    #[wasm_bindgen(readonly)]
    pub hands: Vec<f64>,
    #[wasm_bindgen(readonly)]
    pub steepest: f64,
}

/// The parts of one score. query, key: (head_size), rotated to positions m and n by theta (head_size / 2); their product times
/// scale is the score.
#[wasm_bindgen(js_name = explainScore)]
pub fn explain_score(
    query: &[f32],
    key: &[f32],
    m: f64,
    n: f64,
    theta: Vec<f64>,
    scale: f64,
    max_distance: usize,
) -> ScoreParts {
    let theta = Frequencies::from_theta(theta);
    let found = rope::score_parts(query, key, m as u64, n as u64, &theta, scale, max_distance);
    let rope::ScoreParts { parts, running, score, sweep, hands, steepest } = found;
    let hands = hands.iter().flat_map(|pair| [pair.query_length, pair.key_length, pair.angle]).collect();
    ScoreParts { parts, running, score, sweep, hands, steepest }
}

/// The parts of one score with the key moved to a distance (query − key): (pairs). The other arguments are those of
/// [`explain_score`].
#[wasm_bindgen(js_name = movedParts)]
pub fn moved_parts(
    query: &[f32],
    key: &[f32],
    current_distance: f64,
    theta: Vec<f64>,
    scale: f64,
    distance: f64,
) -> Vec<f64> {
    rope::moved_parts(query, key, current_distance, &Frequencies::from_theta(theta), scale, distance)
}

/// Predicts a head's scores from the means of its queries and keys, see [`rope::ScorePrediction`].
///
/// query, key: (length, head_size), rotated by theta (head_size / 2) from first_position on; is_counted: (length), 0 excludes a token from
/// the means. Returns one array: the correlation; scores and weights, (2·length − 1) each; for each pair strength, concentration of the
/// query and of the key, phase and preferred distance; query and key, (length, head_size) each.
#[wasm_bindgen(js_name = predictScores)]
#[allow(clippy::too_many_arguments)] // as JavaScript calls it
pub fn predict_scores(
    query: &[f32],
    key: &[f32],
    head_size: usize,
    first_position: f64,
    theta: Vec<f64>,
    scale: f64,
    is_counted: &[u8],
    causal: bool,
) -> Vec<f64> {
    let first_position = first_position as u64;
    let head = rope::PredictionInput { query, key, head_size, first_position, is_counted, scale, causal };
    let mut found = rope::predict_scores(&head, &Frequencies::from_theta(theta));
    let mut numbers = vec![found.correlation];
    numbers.append(&mut found.scores);
    numbers.append(&mut found.weights);
    for pair in &found.pairs {
        numbers.extend([
            pair.strength,
            pair.query_concentration,
            pair.key_concentration,
            pair.phase,
            pair.preferred_distance,
        ]);
    }
    numbers.append(&mut found.query);
    numbers.append(&mut found.key);
    numbers
}

/// Σ cos(δθ_i) at distances δ = 0 … max_distance. theta: (pairs).
#[wasm_bindgen(js_name = cosineSums)]
pub fn cosine_sums(theta: Vec<f64>, max_distance: usize) -> Vec<f64> {
    rope::cosine_sums(&Frequencies::from_theta(theta), max_distance)
}

/// The first distance up to `limit` at which the sum of cosines is negative. theta: (pairs).
#[wasm_bindgen(js_name = firstNegative)]
pub fn first_negative(theta: Vec<f64>, limit: f64) -> Option<f64> {
    rope::first_negative_distance(&Frequencies::from_theta(theta), limit as u64).map(|distance| distance as f64)
}

/// The smallest base whose sum of cosines is nowhere negative within a context, see [`rope::smallest_base`].
#[wasm_bindgen(js_name = smallestBase)]
pub fn smallest_base(head_size: usize, context: f64) -> Option<f64> {
    rope::smallest_base(head_size, context as u64)
}

/// A plain rope stretched to `factor` times its context: θ (head_size / 2), its magnitude, and [`rope::ContextExtension::scores`] at
/// `count` distances.
#[wasm_bindgen]
pub fn stretched(
    extension: ContextExtensionName,
    head_size: usize,
    base: f64,
    context: f64,
    factor: f64,
    count: usize,
) -> Result<Vec<f64>, Error> {
    let extension = extension.value()?;
    let mut found = extension.frequencies(head_size, base, context as u64, factor)?;
    let mut scores = extension.scores(&found, context, factor, count);
    found.theta.push(found.magnitude);
    found.theta.append(&mut scores);
    Ok(found.theta)
}

/// A row (head_size), rotated to a position. theta: (pairs).
#[wasm_bindgen]
pub fn rotate(row: &[f64], theta: &[f64], position: f64) -> Vec<f64> {
    rope::rotate_row(row, theta, position)
}

/// One head of attention: scores and weights (tokens, tokens), then outputs (tokens, size). query, key, value: (tokens, size); mask:
/// (tokens, tokens), 0 for masked.
#[wasm_bindgen(js_name = attentionByHand)]
pub fn attention_by_hand(query: &[f64], key: &[f64], value: &[f64], size: usize, scale: f64, mask: &[f64]) -> Vec<f64> {
    positions::attention_steps(query, key, value, size, scale, mask).concat()
}

/// The terms of a position encoding, see [`positions::PositionEncoding::terms`]. first: position of the first token.
#[wasm_bindgen(js_name = positionTerms)]
pub fn position_terms(encoding: PositionEncodingName, first: usize) -> Result<Vec<f64>, Error> {
    Ok(encoding.value()?.terms(first))
}

/// The costs of a position encoding: parameters of a layer, parameters that all layers share, and for a text of `length` tokens numbers in
/// memory of a layer and of all layers.
#[wasm_bindgen(js_name = positionCosts)]
pub fn position_costs(
    encoding: PositionEncodingName,
    heads: u32,
    head_size: u32,
    length: u32,
) -> Result<Vec<f64>, Error> {
    let (encoding, [heads, head_size, length]) = (encoding.value()?, [heads, head_size, length].map(u64::from));
    let (parameters, shared_parameters) = encoding.parameters(heads, head_size, length);
    let (memory, shared_memory) = encoding.memory(heads, head_size, length);
    Ok([parameters, shared_parameters, memory, shared_memory].map(|number| number as f64).into())
}

/// A row (size) with each of `rows` added in turn: norm of the sum and cosine with the row, (rows, 2).
#[wasm_bindgen(js_name = addPositions)]
pub fn add_positions(row: &[f64], rows: &[f64]) -> Vec<f64> {
    positions::sum_norms_and_cosines(row, rows)
}

/// Sinusoids of positions 0 … length − 1, (length, 2 · pairs). theta: (pairs).
#[wasm_bindgen]
pub fn sinusoids(theta: &[f64], length: usize) -> Vec<f64> {
    positions::sinusoids(theta, 0.0, length)
}

/// Cosines of `count` pairs of random vectors.
#[wasm_bindgen(js_name = randomCosines)]
pub fn random_cosines(dimensions: usize, count: usize, seed: u32) -> Vec<f64> {
    positions::random_cosines(dimensions, count, seed.into())
}

/// Random numbers of mean 0 and variance 1.
#[wasm_bindgen(js_name = randomNumbers)]
pub fn random_numbers(count: usize, seed: u32) -> Vec<f64> {
    positions::random_numbers(seed.into(), count)
}
