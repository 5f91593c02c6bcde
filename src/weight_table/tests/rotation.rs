//! Half-split rotation of stored rows and rotation of adjacent pairs of permuted rows give the same scores.

use super::{Draft, fill};
use crate::weight_table::{RowOrder, WeightPart, WeightTable};

const HEADS: usize = 3;
const HEAD: usize = 8;
const WIDTH: usize = 5;

/// Pseudo-random numbers from -1 to 1.
fn random_numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// W x + b, W (rows, width).
fn project(weight: &[f32], bias: &[f32], x: &[f32]) -> Vec<f64> {
    let row = |(row, bias): (&[f32], &f32)| {
        row.iter().zip(x).map(|(weight, x)| f64::from(*weight) * f64::from(*x)).sum::<f64>() + f64::from(*bias)
    };
    weight.chunks_exact(x.len()).zip(bias).map(row).collect()
}

fn angle(position: f64, pair: usize, rotated: usize) -> f64 {
    position * 10_000_f64.powf(-2.0 * pair as f64 / rotated as f64)
}

/// Hugging Face's apply_rotary_pos_emb: x · cos + rotate_half(x) · sin, where both halves have the same cos and sin and rotate_half is
/// (-second half, first half). Columns beyond `rotated` do not change.
fn rotate_half_split(head: &[f64], position: f64, rotated: usize) -> Vec<f64> {
    let half = rotated / 2;
    let rotate = |lane: usize| {
        let (sin, cos) = angle(position, lane % half, rotated).sin_cos();
        let partner = if lane < half { -head[lane + half] } else { head[lane - half] };
        head[lane] * cos + partner * sin
    };
    (0..head.len()).map(|lane| if lane < rotated { rotate(lane) } else { head[lane] }).collect()
}

/// Eq. 34 of arXiv 2104.09864: adjacent pairs.
fn rotate_pairs(head: &[f64], position: f64, rotated: usize) -> Vec<f64> {
    let (rotating, rest) = head.split_at(rotated);
    let pairs = rotating.chunks_exact(2).enumerate().flat_map(|(pair, lanes)| {
        let (sin, cos) = angle(position, pair, rotated).sin_cos();
        [lanes[0] * cos - lanes[1] * sin, lanes[0] * sin + lanes[1] * cos]
    });
    pairs.chain(rest.iter().copied()).collect()
}

/// q · k of every head at positions 9 and 2 under a rotation.
fn scores(query: &[f64], key: &[f64], rotate: impl Fn(&[f64], f64) -> Vec<f64>) -> Vec<f64> {
    let heads = query.chunks_exact(HEAD).zip(key.chunks_exact(HEAD));
    heads.map(|(q, k)| rotate(q, 9.0).iter().zip(rotate(k, 2.0)).map(|(q, k)| q * k).sum()).collect()
}

#[test]
fn scores_are_hugging_faces() {
    let size = HEADS * HEAD;
    let shape = [size as u64, WIDTH as u64];
    let names = ["q", "k"];
    let weights = [1, 2].map(|seed| random_numbers(size * WIDTH, seed));
    let biases = [3, 4].map(|seed| random_numbers(size, seed));
    let [at_query, at_key] = [5, 6].map(|seed| random_numbers(WIDTH, seed));
    for rotated in [HEAD, HEAD / 2] {
        let order = RowOrder::HalvesToPairs { heads: HEADS, head_size: HEAD, rotated };
        let mut draft = Draft::default();
        let mut table = WeightTable::default();
        for index in 0..2 {
            let (matrix, bias) = (names[index], format!("{}.bias", names[index]));
            draft = draft.add(matrix, "F32", &shape, &weights[index]).add(&bias, "F32", &shape[..1], &biases[index]);
            table.weight(size, WIDTH, vec![WeightPart::new(matrix, &[size, WIDTH]).ordered(order)]);
            table.weight(1, size, vec![WeightPart::new(bias, &[size]).ordered(order)]);
        }
        let (writes, _) = fill(&table, &draft.bytes(), &[13, 200]).unwrap();
        let permuted = writes.plain();
        let stored = [project(&weights[0], &biases[0], &at_query), project(&weights[1], &biases[1], &at_key)];
        let ours = [project(&permuted[0], &permuted[1], &at_query), project(&permuted[2], &permuted[3], &at_key)];
        let expected = scores(&stored[0], &stored[1], |head, position| rotate_half_split(head, position, rotated));
        let found = scores(&ours[0], &ours[1], |head, position| rotate_pairs(head, position, rotated));
        let wrong = scores(&stored[0], &stored[1], |head, position| rotate_pairs(head, position, rotated));
        for head in 0..HEADS {
            assert!((expected[head] - found[head]).abs() < 1e-12, "{rotated}, head {head}: {expected:?} {found:?}");
            assert!((expected[head] - wrong[head]).abs() > 1e-3, "the order makes no difference");
        }
        // Rotated rows are Hugging Face's in another order.
        let theirs = stored[0].chunks_exact(HEAD).flat_map(|head| rotate_half_split(head, 9.0, rotated));
        let pairs: Vec<f64> = ours[0].chunks_exact(HEAD).flat_map(|head| rotate_pairs(head, 9.0, rotated)).collect();
        let ours = (0..).map(|row| pairs[order.place(row) as usize]);
        assert!(theirs.zip(ours).all(|(theirs, ours)| (theirs - ours).abs() < 1e-12));
    }
}
