//! The mathematics of the laboratory: needs no model and no device.

use crate::draw::Palette;
use crate::rope::{self, Frequencies};
use wasm_bindgen::prelude::wasm_bindgen;

/// θ_i = base^(−2i/d): (head_size / 2).
#[wasm_bindgen]
pub fn frequencies(head_size: usize, base: f64) -> Vec<f64> {
    Frequencies::of_base(head_size, base).theta
}

/// mθ_i modulo 2π: (length, pairs). theta: (pairs).
#[wasm_bindgen]
pub fn angles(theta: Vec<f64>, length: usize) -> Vec<f32> {
    rope::angles(&turned_by(theta), length)
}

/// The paper's bound (figure 2) at distances 0 … max_distance. theta: (pairs).
#[wasm_bindgen(js_name = decayBound)]
pub fn decay_bound(theta: Vec<f64>, max_distance: usize) -> Vec<f64> {
    rope::decay_bound(&turned_by(theta), max_distance)
}

/// 256 × 3 sRGB bytes between stops (stops × 3).
#[wasm_bindgen]
pub fn palette(stops: &[u8]) -> Vec<u8> {
    Palette::from_stops(stops).bytes()
}

/// A score taken apart, see [`rope::ScoreParts`].
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

/// Takes one score apart. query, key: (head_size), rotated to positions m and n by theta (head_size / 2); their product times
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
    ScoreParts(rope::score_parts(query, key, m as u64, n as u64, &turned_by(theta), scale, max_distance))
}

/// Foretells a head's scores by its means. query, key: (length, head_size), rotated by theta (head_size / 2) from first_position
/// on; counted: (length), 0 where a token has no part in the means. One array holds all of [`rope::Foretold`]: the correlation;
/// scores and weights, (2·length − 1) each; of each pair strength, constancy of the query and of the key, phase and the distance
/// it wants; query and key, (length, head_size) each.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)] // as JavaScript calls it
pub fn foretold(
    query: &[f32],
    key: &[f32],
    head_size: usize,
    first_position: f64,
    theta: Vec<f64>,
    scale: f64,
    counted: &[u8],
    causal: bool,
) -> Vec<f64> {
    let first_position = first_position as u64;
    let head = rope::HeadRows { query, key, head_size, first_position, counted, scale, causal };
    let mut found = rope::foretold(&head, &turned_by(theta));
    let mut numbers = vec![found.correlation];
    numbers.append(&mut found.scores);
    numbers.append(&mut found.weights);
    for pair in &found.pairs {
        numbers.extend([pair.strength, pair.query_constancy, pair.key_constancy, pair.phase, pair.wants]);
    }
    numbers.append(&mut found.query);
    numbers.append(&mut found.key);
    numbers
}

/// All pairs turn; the magnitude is in the rows already.
fn turned_by(theta: Vec<f64>) -> Frequencies {
    Frequencies { turning: theta.len(), theta, magnitude: 1.0 }
}
