//! The published ways to tell attention where tokens stand, on the same few tokens with the same weights. Equations are those
//! of the RoFormer paper (arXiv 2104.09864 v5), sections 2.2, 2.3 and 3.2, but where it is said.

use super::added::sinusoidal;
use super::vectors::{dot, drawn, row_of};
use crate::rope::{BASE, Frequencies, turned};

/// A way to tell positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// No position at all.
    None,
    /// Sinusoids added to the embeddings: equations 3, 4 and 6.
    Sinusoidal,
    /// A learnt vector for each position, added: equations 3 and 6. Beyond the last there is none.
    Learned,
    /// A learnt vector for each clipped distance, added to the key: equation 4 of Shaw et al., arXiv 1803.02155. Equation 5 puts it
    /// behind the key's matrix; what both add to values is left out.
    Shaw,
    /// Sinusoids of the distance, a matrix of their own, and two vectors in place of the query: Dai et al., arXiv 1901.02860,
    /// section 3.3. Equation 7 multiplies these by the query's matrix.
    TransformerXl,
    /// A learnt number for each bucket of distances: equation 8; buckets as in Hugging Face's T5.
    T5,
    /// Positions with matrices of their own, beside the content, and T5's numbers: equation 9.
    Tupe,
    /// Clipped distances against query and against key: equation 10.
    Deberta,
    /// A penalty that grows with the distance: Press et al., arXiv 2108.12409.
    Alibi,
    /// Queries and keys turned by their positions: equation 16.
    Rope,
}

/// Tokens, and the size of the head and of the embeddings.
pub const LENGTH: usize = 8;
pub const SIZE: usize = 16;
/// Positions that learnt tables have, and the distance that others are clipped to.
pub const TABLE: usize = 64;
pub const CLIP: usize = 4;
/// T5's buckets, and the distance from which on all share one.
const BUCKETS: usize = 32;
const FARTHEST: f64 = 128.0;
/// ALiBi's slope of the first of eight heads.
const SLOPE: f64 = 0.5;

impl Way {
    /// All, in the order in which they are numbered for the page.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Sinusoidal,
        Self::Learned,
        Self::Shaw,
        Self::TransformerXl,
        Self::T5,
        Self::Tupe,
        Self::Deberta,
        Self::Alibi,
        Self::Rope,
    ];

    /// The score's terms, each (LENGTH, LENGTH), queries down, with the first token at position `first`: the score is their sum.
    /// Products are divided by √SIZE, learnt numbers and penalties are not. NaN where a table has no such position.
    pub fn terms(self, first: usize) -> Vec<f64> {
        let x = drawn(1, LENGTH * SIZE);
        let (of, to) = (drawn(2, SIZE * SIZE), drawn(3, SIZE * SIZE));
        let (mut query, mut key) = (projected(&x, &of), projected(&x, &to));
        let theta = Frequencies::of_base(SIZE, BASE).theta;
        // Sinusoids of LENGTH positions or of all distances, or learnt vectors.
        let places = match self {
            Self::Sinusoidal => sinusoids(&theta, first as f64, LENGTH),
            Self::TransformerXl => {
                projected(&sinusoids(&theta, 1.0 - LENGTH as f64, 2 * LENGTH - 1), &drawn(6, SIZE * SIZE))
            }
            Self::Learned | Self::Tupe => {
                let mut table = drawn(4, TABLE * SIZE);
                table.resize((TABLE + first + LENGTH) * SIZE, f64::NAN);
                table.split_off(first * SIZE)
            }
            Self::Shaw | Self::Deberta => drawn(5, (2 * CLIP + 1) * SIZE),
            _ => Vec::new(),
        };
        if self == Self::Rope {
            for rows in [&mut query, &mut key] {
                for (at, row) in rows.chunks_exact_mut(SIZE).enumerate() {
                    row.copy_from_slice(&turned(row, &theta, (first + at) as f64));
                }
            }
        }
        let mut terms = Vec::new();
        add(&mut terms, (&query, of_query), (&key, of_key));
        match self {
            Self::Sinusoidal | Self::Learned => {
                let (of_place, to_place) = (projected(&places, &of), projected(&places, &to));
                add(&mut terms, (&query, of_query), (&to_place, of_key));
                add(&mut terms, (&of_place, of_query), (&key, of_key));
                add(&mut terms, (&of_place, of_query), (&to_place, of_key));
            }
            Self::Shaw => add(&mut terms, (&query, of_query), (&places, clipped)),
            Self::TransformerXl => {
                add(&mut terms, (&query, of_query), (&places, apart));
                add(&mut terms, (&drawn(7, SIZE), of_none), (&key, of_key));
                add(&mut terms, (&drawn(8, SIZE), of_none), (&places, apart));
            }
            Self::Tupe => {
                let (of, to) = (drawn(10, SIZE * SIZE), drawn(11, SIZE * SIZE));
                add(&mut terms, (&projected(&places, &of), of_query), (&projected(&places, &to), of_key));
            }
            Self::Deberta => {
                add(&mut terms, (&query, of_query), (&projected(&places, &to), clipped));
                add(&mut terms, (&projected(&places, &of), clipped), (&key, of_key));
            }
            _ => {}
        }
        if matches!(self, Self::T5 | Self::Tupe | Self::Alibi) {
            let learnt = drawn(9, BUCKETS);
            for at in 0..LENGTH * LENGTH {
                let distance = (at / LENGTH) as i64 - (at % LENGTH) as i64;
                let number = learnt.get(bucket(distance)).copied().unwrap_or(0.0);
                terms.push(if self == Self::Alibi { -SLOPE * distance.abs() as f64 } else { number });
            }
        }
        terms
    }

    /// Numbers that one layer of `heads` heads of `head_size` learns for positions, with tables of `positions` places and
    /// distances clipped to half of that; what the layers share is counted once and so is given apart: (each layer, shared).
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

    /// Numbers that stand for positions while `heads` heads of `head_size` read a text of `length` tokens, distances clipped to half of
    /// that: (held in one layer at a time, made once for all layers). Without the parameters, and with tables, projected rows and terms of
    /// the score as the publications compute them: Shaw's rows for every query and key, which heads share (arXiv 1803.02155, section
    /// 3.3); Transformer-XL's (arXiv 1901.02860, appendix B) and DeBERTa's (arXiv 2006.03654, algorithm 1) products with each distance,
    /// of the former with the sinusoids of all distances;
    /// a number for each head, query and key of T5, TUPE and ALiBi; RoPE's cosines and sines.
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

/// T5's bucket of a distance (query − key): half of them for keys ahead, of each half the first eight a distance each, the
/// others wider and wider.
fn bucket(distance: i64) -> usize {
    let half = BUCKETS / 2;
    let ahead = if distance < 0 { half } else { 0 };
    let away = distance.unsigned_abs() as usize;
    let exact = half / 2;
    if away < exact {
        return ahead + away;
    }
    let far = (away as f64 / exact as f64).ln() / (FARTHEST / exact as f64).ln() * (half - exact) as f64;
    ahead + (exact + far as usize).min(half - 1)
}

/// Which row of a table belongs to query token m and key token n.
type Place = fn(usize, usize) -> usize;

fn of_query(m: usize, _: usize) -> usize {
    m
}

fn of_key(_: usize, n: usize) -> usize {
    n
}

fn of_none(_: usize, _: usize) -> usize {
    0
}

fn clipped(m: usize, n: usize) -> usize {
    (m + CLIP).saturating_sub(n).min(2 * CLIP)
}

fn apart(m: usize, n: usize) -> usize {
    m + LENGTH - 1 - n
}

/// Adds a term: products of rows, divided by √SIZE.
#[inline(never)]
fn add(terms: &mut Vec<f64>, (of, from): (&[f64], Place), (to, into): (&[f64], Place)) {
    for at in 0..LENGTH * LENGTH {
        let (m, n) = (at / LENGTH, at % LENGTH);
        terms.push(product(of, from(m, n), to, into(m, n)));
    }
}

/// Sinusoids of so many positions from the first on, (count, SIZE).
#[inline(never)]
fn sinusoids(theta: &[f64], first: f64, count: usize) -> Vec<f64> {
    let mut rows = Vec::new();
    for step in 0..count {
        sinusoidal(theta, first + step as f64, &mut rows);
    }
    rows
}

/// Rows (count, SIZE) times a matrix (SIZE, SIZE) / √SIZE: as large as they were.
#[inline(never)]
fn projected(rows: &[f64], matrix: &[f64]) -> Vec<f64> {
    let mut turned = Vec::new();
    for at in 0..rows.len() {
        turned.push(product(matrix, at % SIZE, rows, at / SIZE));
    }
    turned
}

/// Row m of one with row n of the other, divided by √SIZE.
#[inline(never)]
fn product(of: &[f64], m: usize, to: &[f64], n: usize) -> f64 {
    dot(row_of(of, m, SIZE), row_of(to, n, SIZE)) / (SIZE as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(way: Way, first: usize) -> Vec<f64> {
        let mut sum = vec![0.0; LENGTH * LENGTH];
        for term in way.terms(first).chunks_exact(LENGTH * LENGTH) {
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
    fn every_way_is_that_of_the_published_equations() {
        let entries: Vec<Vec<Entry>> = serde_json::from_str(include_str!("../../tests/golden/positions.json")).unwrap();
        assert_eq!(entries.len(), Way::ALL.len());
        for (way, entries) in Way::ALL.into_iter().zip(entries) {
            for Entry { first, terms } in entries {
                let found = way.terms(first);
                assert_eq!(found.len(), terms.len() * LENGTH * LENGTH, "{way:?}");
                for (found, wanted) in found.iter().zip(terms.iter().flatten()) {
                    match wanted {
                        Some(wanted) => assert!((found - wanted).abs() < 1e-9, "{way:?} at {first}: {found}, {wanted}"),
                        None => assert!(found.is_nan(), "{way:?} at {first}"),
                    }
                }
            }
        }
    }

    #[test]
    fn moving_all_tokens_changes_what_knows_absolute_positions_and_nothing_else() {
        for way in Way::ALL {
            let (here, there) = (score(way, 0), score(way, 10));
            let moved = here.iter().zip(&there).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let absolute = matches!(way, Way::Sinusoidal | Way::Learned | Way::Tupe);
            assert_eq!(moved > 1e-9, absolute, "{way:?}: {moved}");
        }
    }

    #[test]
    fn distances_share_buckets_as_in_t5() {
        // transformers' _relative_position_bucket of key − query, for 32 buckets and 128 as the farthest.
        let expected = [(0, 0), (1, 1), (7, 7), (8, 8), (11, 8), (12, 9), (20, 10), (127, 15), (1000, 15)];
        for (distance, wanted) in expected {
            assert_eq!(bucket(distance), wanted, "{distance}");
            assert_eq!(bucket(-distance), if distance == 0 { 0 } else { wanted + 16 }, "-{distance}");
        }
    }

    #[test]
    fn only_some_ways_learn_anything() {
        let of = |way: Way| way.parameters(12, 64, 512);
        assert_eq!((of(Way::Rope), of(Way::Alibi), of(Way::None)), ((0, 0), (0, 0), (0, 0)));
        assert_eq!((of(Way::Learned), of(Way::T5)), ((0, 512 * 768), (0, 384)));
        assert_eq!(of(Way::TransformerXl), (768 * 768, 1536));
    }

    #[test]
    fn a_text_takes_tables_or_maps() {
        let of = |way: Way| way.memory(12, 64, 512);
        assert_eq!([of(Way::None), of(Way::Learned)], [(0, 0); 2]);
        assert_eq!([of(Way::Sinusoidal), of(Way::Rope)], [(0, 512 * 768), (0, 512 * 64)]);
        assert_eq!([of(Way::T5), of(Way::Tupe), of(Way::Alibi)], [(0, 12 * 512 * 512); 3]);
        assert_eq!(of(Way::Shaw), (512 * 512 * 64, 0));
        // Rows of 1,023 distances and of 512, of query and of key, and their products with each token of each head.
        assert_eq!(of(Way::TransformerXl), (1023 * 768 + 12 * 512 * 1023, 1023 * 768));
        assert_eq!(of(Way::Deberta), (2 * (512 * 768 + 12 * 512 * 512), 0));
    }
}
