//! Mathematics that needs no model and no device.

use crate::draw::Palette;
use crate::error::Error;
use crate::positions::{self, PositionEncoding};
use crate::rope::{self, ContextExtension, Frequencies};
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
#[wasm_bindgen]
pub struct ScoreParts(rope::ScoreParts);

#[wasm_bindgen]
impl ScoreParts {
    #[wasm_bindgen(getter)]
    pub fn parts(&self) -> Vec<f64> {
        self.0.parts.clone()
    }

    #[wasm_bindgen(getter)]
    pub fn running(&self) -> Vec<f64> {
        self.0.running.clone()
    }

    #[wasm_bindgen(getter)]
    pub fn score(&self) -> f64 {
        self.0.score
    }

    #[wasm_bindgen(getter)]
    pub fn sweep(&self) -> Vec<f64> {
        self.0.sweep.clone()
    }

    #[wasm_bindgen(getter)]
    pub fn steepest(&self) -> f64 {
        self.0.steepest
    }
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
    ScoreParts(rope::score_parts(query, key, m as u64, n as u64, &Frequencies::from_theta(theta), scale, max_distance))
}

/// Predicts a head's scores from the means of its queries and keys, see [`rope::ScorePrediction`].
///
/// query, key: (length, head_size), rotated by theta (head_size / 2) from first_position on; is_counted: (length), 0 excludes a token from
/// the means. Returns one array: the correlation; scores and weights, (2·length − 1) each; for each pair strength, concentration of the
/// query and of the key, phase and preferred distance; query and key, (length, head_size) each.
#[wasm_bindgen(js_name = foretold)]
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
    let head = rope::HeadRows { query, key, head_size, first_position, is_counted, scale, causal };
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

/// Numbers for the chapters of Read by name, from settings and rows of numbers. An unknown name has none.
///
/// - "cosines" [max_distance], θ: see [`rope::cosine_sums`].
/// - "firstNegative" [limit], θ: one number, NaN for none.
/// - "stretched" [number of the [`ContextExtension`], head_size, base, context, factor, count]: θ, the magnitude, and [`ContextExtension::scores`].
/// - "smallestBase" [head_size, context]: one number, NaN for none.
/// - "turned" [position], θ and a row twice as long: the rotated row.
/// - "byHand" [tokens, size, scale], queries, keys, values and a mask (tokens, tokens), 0 for masked: scores, weights, outputs.
/// - "ways" [number of the [`PositionEncoding`], position of the first token]: its terms.
/// - "parameters" [heads, head_size, positions]: for each encoding the parameters of a layer and of all layers together, then the memory of a
///   text of that length for a layer and for all layers together.
/// - "added" [size], a row and rows to add to it: norm and cosine with each.
/// - "sinusoids" [length], θ: (length, 2 · pairs).
/// - "randomCosines" [dimensions, count, seed].
/// - "drawn" [count, seed].
///
/// # Errors
/// Those of [`ContextExtension::frequencies`].
#[wasm_bindgen]
pub fn lesson(what: &str, settings: &[f64], rows: &[f64]) -> Result<Vec<f64>, Error> {
    let setting = |at: usize| settings.get(at).copied().unwrap_or(0.0);
    let count = |at: usize| setting(at) as usize;
    let frequencies = || Frequencies::from_theta(rows.to_vec());
    // A row follows its θ, which is half as long.
    let (theta, row) = rows.split_at(rows.len() / 3);
    Ok(match what {
        "cosines" => rope::cosine_sums(&frequencies(), count(0)),
        "firstNegative" => {
            let found = rope::first_negative_distance(&frequencies(), setting(0) as u64);
            vec![found.map_or(f64::NAN, |found| found as f64)]
        }
        "smallestBase" => vec![rope::smallest_base(count(0), setting(1) as u64).unwrap_or(f64::NAN)],
        "stretched" => {
            let method = ContextExtension::ALL.get(count(0)).copied().unwrap_or(ContextExtension::None);
            let mut found = method.frequencies(count(1), setting(2), setting(3) as u64, setting(4))?;
            let mut scores = method.scores(&found, setting(3), setting(4), count(5));
            found.theta.push(found.magnitude);
            found.theta.append(&mut scores);
            found.theta
        }
        "turned" => rope::rotate_row(row, theta, setting(0)),
        "byHand" => {
            let (size, each) = (count(1), count(0) * count(1));
            let part = |at: usize| rows.get(at * each..(at + 1) * each).unwrap_or_default();
            let mask = rows.get(3 * each..).unwrap_or_default();
            positions::attention_steps(part(0), part(1), part(2), size, setting(2), mask).concat()
        }
        "ways" => PositionEncoding::ALL.get(count(0)).map_or_else(Vec::new, |encoding| encoding.terms(count(1))),
        "parameters" => {
            let [heads, head_size, length] = [0, 1, 2].map(|at| setting(at) as u64);
            let sizes = |encoding: PositionEncoding| {
                [encoding.parameters(heads, head_size, length), encoding.memory(heads, head_size, length)]
            };
            let sizes = PositionEncoding::ALL.into_iter().flat_map(sizes);
            sizes.flat_map(|(layer, shared)| [layer as f64, shared as f64]).collect()
        }
        "added" => {
            let (row, table) = rows.split_at(count(0).min(rows.len()));
            positions::sum_norms_and_cosines(row, table)
        }
        "sinusoids" => positions::sinusoids(rows, 0.0, count(0)),
        "randomCosines" => positions::random_cosines(count(0), count(1), setting(2) as u64),
        "drawn" => positions::random_numbers(setting(1) as u64, count(0)),
        _ => Vec::new(),
    })
}
