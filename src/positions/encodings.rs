//! Published position encodings on the same few tokens with the same weights. Without another source, equations are those of the
//! RoFormer paper (arXiv 2104.09864 v5), sections 2.2, 2.3 and 3.2.

use super::additive::sinusoids;
use super::vectors::{dot, random_numbers, row};
use crate::rope::{BASE, Frequencies, rotate_row};
use strum::VariantArray;

/// A published method that gives attention the positions of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum PositionEncoding {
    /// None: a score depends on the contents of query and key alone.
    None,
    /// Sinusoids added to the embeddings: equations 3, 4 and 6.
    Sinusoidal,
    /// A learned vector for each position, added to the embeddings: equations 3 and 6. Later positions have none.
    Learned,
    /// A learned vector for each clipped distance, added to the key: equation 4 of Shaw et al., arXiv 1803.02155. Equation 5 adds it before
    /// the key's matrix. The terms of the values are not computed.
    Shaw,
    /// Sinusoids of the distance with a separate matrix, and two vectors that replace the query: Dai et al., arXiv 1901.02860, section 3.3.
    /// Equation 7 multiplies these vectors by the query's matrix.
    TransformerXl,
    /// A learned number for each bucket of distances: equation 8, with the buckets of Hugging Face's T5.
    T5,
    /// Products of positions with separate matrices, added to those of the content, and T5's numbers: equation 9.
    Tupe,
    /// Clipped distances with the query and with the key: equation 10.
    Deberta,
    /// A penalty that grows with the distance: Press et al., arXiv 2108.12409.
    Alibi,
    /// Queries and keys rotated by their positions: equation 16.
    Rope,
}

/// Number of tokens.
const LENGTH: usize = 8;
/// Size of the head and of the embeddings.
const SIZE: usize = 16;
/// Positions of learned tables.
const TABLE: usize = 64;
/// The largest distance with a learned vector of its own.
const CLIP: usize = 4;
/// T5's number of buckets.
const BUCKETS: usize = 32;
/// T5's `max_distance`: all larger distances share a bucket.
const MAX_DISTANCE: f64 = 128.0;
/// ALiBi's slope for the first of eight heads.
const SLOPE: f64 = 0.5;

impl PositionEncoding {
    /// The terms of the score, each (LENGTH, LENGTH), a row for each query, with the first token at position `first`. The score is their
    /// sum. Products are divided by √SIZE, learned numbers and penalties are not. NaN for a position beyond a table.
    pub fn terms(self, first: usize) -> Vec<f64> {
        let x = random_numbers(1, LENGTH * SIZE);
        let (w_query, w_key) = (random_numbers(2, SIZE * SIZE), random_numbers(3, SIZE * SIZE));
        let (mut query, mut key) = (project(&x, &w_query), project(&x, &w_key));
        let theta = Frequencies::from_base(SIZE, BASE).theta;
        // Rows of positions or of distances.
        let positions = match self {
            Self::Sinusoidal => sinusoids(&theta, first as f64, LENGTH),
            Self::TransformerXl => {
                project(&sinusoids(&theta, 1.0 - LENGTH as f64, 2 * LENGTH - 1), &random_numbers(6, SIZE * SIZE))
            }
            Self::Learned | Self::Tupe => {
                let mut table = random_numbers(4, TABLE * SIZE);
                table.resize((TABLE + first + LENGTH) * SIZE, f64::NAN);
                table.split_off(first * SIZE)
            }
            Self::Shaw | Self::Deberta => random_numbers(5, (2 * CLIP + 1) * SIZE),
            _ => Vec::new(),
        };
        if self == Self::Rope {
            for rows in [&mut query, &mut key] {
                for (index, row) in rows.chunks_exact_mut(SIZE).enumerate() {
                    row.copy_from_slice(&rotate_row(row, &theta, (first + index) as f64));
                }
            }
        }
        let mut terms = Vec::new();
        add(&mut terms, (&query, of_query), (&key, of_key));
        match self {
            Self::Sinusoidal | Self::Learned => {
                let (position_query, position_key) = (project(&positions, &w_query), project(&positions, &w_key));
                add(&mut terms, (&query, of_query), (&position_key, of_key));
                add(&mut terms, (&position_query, of_query), (&key, of_key));
                add(&mut terms, (&position_query, of_query), (&position_key, of_key));
            }
            Self::Shaw => add(&mut terms, (&query, of_query), (&positions, of_clipped_distance)),
            Self::TransformerXl => {
                add(&mut terms, (&query, of_query), (&positions, of_distance));
                add(&mut terms, (&random_numbers(7, SIZE), single_row), (&key, of_key));
                add(&mut terms, (&random_numbers(8, SIZE), single_row), (&positions, of_distance));
            }
            Self::Tupe => {
                let [position_query, position_key] =
                    [10, 11].map(|seed| project(&positions, &random_numbers(seed, SIZE * SIZE)));
                add(&mut terms, (&position_query, of_query), (&position_key, of_key));
            }
            Self::Deberta => {
                add(&mut terms, (&query, of_query), (&project(&positions, &w_key), of_clipped_distance));
                add(&mut terms, (&project(&positions, &w_query), of_clipped_distance), (&key, of_key));
            }
            _ => {}
        }
        if matches!(self, Self::T5 | Self::Tupe | Self::Alibi) {
            let learned = random_numbers(9, BUCKETS);
            for index in 0..LENGTH * LENGTH {
                let distance = (index / LENGTH) as i64 - (index % LENGTH) as i64;
                let number = learned.get(bucket(distance)).copied().unwrap_or(0.0);
                terms.push(if self == Self::Alibi { -SLOPE * distance.abs() as f64 } else { number });
            }
        }
        terms
    }

    /// Learned numbers for positions: (per layer, shared by all layers), in a model of `heads` heads of `head_size`, with tables of
    /// `positions` rows and distances clipped to half of that.
    pub fn parameters(self, heads: u64, head_size: u64, positions: u64) -> (u64, u64) {
        let hidden = heads * head_size;
        match self {
            Self::None | Self::Sinusoidal | Self::Alibi | Self::Rope => (0, 0),
            Self::Learned => (0, positions * hidden),
            Self::Shaw => ((positions + 1) * head_size, 0),
            Self::TransformerXl => (hidden * hidden, 2 * hidden),
            Self::T5 => (0, BUCKETS as u64 * heads),
            Self::Tupe => (0, positions * hidden + 2 * hidden * hidden + BUCKETS as u64 * heads),
            Self::Deberta => (0, positions * hidden),
        }
    }

    /// Temporary numbers for positions while `heads` heads of `head_size` read `length` tokens, with distances clipped to half of that:
    /// (in one layer at a time, once for all layers). The parameters do not count; tables, projected rows and terms of the score do, as
    /// the publications compute them:
    /// - Shaw: a row for each query and key, which heads share (arXiv 1803.02155, section 3.3).
    /// - Transformer-XL (arXiv 1901.02860, appendix B) and DeBERTa (arXiv 2006.03654, algorithm 1): products with each distance; for
    ///   Transformer-XL also the sinusoids of all distances.
    /// - T5, TUPE and ALiBi: a number for each head, query and key.
    /// - RoPE: cosines and sines.
    pub fn memory(self, heads: u64, head_size: u64, length: u64) -> (u64, u64) {
        let hidden = heads * head_size;
        let maps = heads * length;
        match self {
            Self::None | Self::Learned => (0, 0),
            Self::Sinusoidal => (0, length * hidden),
            Self::Shaw => (length * length * head_size, 0),
            Self::TransformerXl => ((2 * length - 1) * (hidden + maps), (2 * length - 1) * hidden),
            Self::Deberta => (2 * length * (hidden + maps), 0),
            Self::T5 | Self::Tupe | Self::Alibi => (0, maps * length),
            Self::Rope => (0, length * head_size),
        }
    }
}

/// T5's bucket of a distance (query − key). Half of the buckets are for later keys. The first eight of each half hold one distance each,
/// the others logarithmic ranges.
fn bucket(distance: i64) -> usize {
    let half = BUCKETS / 2;
    let first = if distance < 0 { half } else { 0 };
    let distance = distance.unsigned_abs() as usize;
    let exact = half / 2;
    if distance < exact {
        return first + distance;
    }
    let range = (distance as f64 / exact as f64).ln() / (MAX_DISTANCE / exact as f64).ln() * (half - exact) as f64;
    first + (exact + range as usize).min(half - 1)
}

/// The row of a table for query token m and key token n.
type RowIndex = fn(usize, usize) -> usize;

fn of_query(m: usize, _: usize) -> usize {
    m
}

fn of_key(_: usize, n: usize) -> usize {
    n
}

fn single_row(_: usize, _: usize) -> usize {
    0
}

fn of_clipped_distance(m: usize, n: usize) -> usize {
    (m + CLIP).saturating_sub(n).min(2 * CLIP)
}

fn of_distance(m: usize, n: usize) -> usize {
    m + LENGTH - 1 - n
}

/// Adds a term: products of two tables' rows, divided by √SIZE.
#[inline(never)]
fn add(terms: &mut Vec<f64>, (left, left_row): (&[f64], RowIndex), (right, right_row): (&[f64], RowIndex)) {
    for index in 0..LENGTH * LENGTH {
        let (m, n) = (index / LENGTH, index % LENGTH);
        terms.push(scaled_product(left, left_row(m, n), right, right_row(m, n)));
    }
}

/// Rows (count, SIZE) times a matrix (SIZE, SIZE), divided by √SIZE: (count, SIZE).
#[inline(never)]
fn project(rows: &[f64], matrix: &[f64]) -> Vec<f64> {
    (0..rows.len()).map(|index| scaled_product(matrix, index % SIZE, rows, index / SIZE)).collect()
}

/// Row m of `left` times row n of `right`, divided by √SIZE.
#[inline(never)]
fn scaled_product(left: &[f64], m: usize, right: &[f64], n: usize) -> f64 {
    dot(row(left, m, SIZE), row(right, n, SIZE)) / (SIZE as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(encoding: PositionEncoding, first: usize) -> Vec<f64> {
        let mut sum = vec![0.0; LENGTH * LENGTH];
        for term in encoding.terms(first).chunks_exact(LENGTH * LENGTH) {
            sum.iter_mut().zip(term).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    #[derive(serde::Deserialize)]
    struct Entry {
        first: usize,
        /// NaN is null.
        terms: Vec<Vec<Option<f64>>>,
    }

    #[test]
    fn the_terms_are_those_of_the_published_equations() {
        let entries: Vec<Vec<Entry>> = serde_json::from_str(include_str!("../../tests/golden/positions.json")).unwrap();
        assert_eq!(entries.len(), PositionEncoding::VARIANTS.len());
        for (encoding, entries) in PositionEncoding::VARIANTS.iter().zip(entries) {
            for Entry { first, terms } in entries {
                let found = encoding.terms(first);
                assert_eq!(found.len(), terms.len() * LENGTH * LENGTH, "{encoding:?}");
                for (found, expected) in found.iter().zip(terms.iter().flatten()) {
                    let context = format!("{encoding:?} at {first}: {found}, {expected:?}");
                    match expected {
                        Some(expected) => assert!((found - expected).abs() < 1e-9, "{context}"),
                        None => assert!(found.is_nan(), "{context}"),
                    }
                }
            }
        }
    }

    #[test]
    fn only_absolute_encodings_change_if_all_tokens_move() {
        for &encoding in PositionEncoding::VARIANTS {
            let (at_0, at_10) = (score(encoding, 0), score(encoding, 10));
            let change = at_0.iter().zip(&at_10).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let is_absolute =
                matches!(encoding, PositionEncoding::Sinusoidal | PositionEncoding::Learned | PositionEncoding::Tupe);
            assert_eq!(change > 1e-9, is_absolute, "{encoding:?}: {change}");
        }
    }

    #[test]
    fn buckets_of_distances_are_those_of_t5() {
        // transformers' _relative_position_bucket of key − query, for 32 buckets and 128 as the farthest.
        let buckets = [(0, 0), (1, 1), (7, 7), (8, 8), (11, 8), (12, 9), (20, 10), (127, 15), (1000, 15)];
        for (distance, expected) in buckets {
            assert_eq!(bucket(distance), expected, "{distance}");
            assert_eq!(bucket(-distance), if distance == 0 { 0 } else { expected + 16 }, "-{distance}");
        }
    }

    #[test]
    fn only_some_encodings_have_parameters() {
        let of = |encoding: PositionEncoding| encoding.parameters(12, 64, 512);
        assert_eq!(
            (of(PositionEncoding::Rope), of(PositionEncoding::Alibi), of(PositionEncoding::None)),
            ((0, 0), (0, 0), (0, 0))
        );
        assert_eq!((of(PositionEncoding::Learned), of(PositionEncoding::T5)), ((0, 512 * 768), (0, 384)));
        assert_eq!(of(PositionEncoding::TransformerXl), (768 * 768, 1536));
    }

    #[test]
    fn the_memory_of_a_text_is_tables_or_maps() {
        let of = |encoding: PositionEncoding| encoding.memory(12, 64, 512);
        assert_eq!([of(PositionEncoding::None), of(PositionEncoding::Learned)], [(0, 0); 2]);
        assert_eq!([of(PositionEncoding::Sinusoidal), of(PositionEncoding::Rope)], [(0, 512 * 768), (0, 512 * 64)]);
        assert_eq!(
            [of(PositionEncoding::T5), of(PositionEncoding::Tupe), of(PositionEncoding::Alibi)],
            [(0, 12 * 512 * 512); 3]
        );
        assert_eq!(of(PositionEncoding::Shaw), (512 * 512 * 64, 0));
        // Rows of 1,023 and of 2 · 512 distances, and their products with each token of each head.
        assert_eq!(of(PositionEncoding::TransformerXl), (1023 * 768 + 12 * 512 * 1023, 1023 * 768));
        assert_eq!(of(PositionEncoding::Deberta), (2 * (512 * 768 + 12 * 512 * 512), 0));
    }
}
