//! Rotary position embedding (RoPE) of adjacent pairs, eq. 34 of RoFormer (arXiv 2104.09864), and its inverse.
//!
//! `cos_sin` has the cosine and the sine of each pair of a head, times the rope's magnitude (1 unless the scaling sets another).

/// Rotates adjacent heads. cos_sin: (head size)
#[inline(never)]
pub fn rotate(heads: &mut [f32], cos_sin: &[f32]) {
    for head in heads.chunks_exact_mut(cos_sin.len().max(1)) {
        for ([x, y], [cos, sin]) in head.as_chunks_mut::<2>().0.iter_mut().zip(cos_sin.as_chunks::<2>().0) {
            (*x, *y) = (*x * cos - *y * sin, *y * cos + *x * sin);
        }
    }
}

/// [`rotate`], but some pairs are frozen (angle 0, the rope's magnitude stays) or ablated (0). modes: (heads, head size / 2): 0 rotates a
/// pair, 1 freezes it, 2 ablates it.
#[inline(never)]
pub fn rotate_by_mode(heads: &mut [f32], cos_sin: &[f32], modes: &[u32]) {
    let size = cos_sin.len().max(2);
    for (head, modes) in heads.chunks_exact_mut(size).zip(modes.chunks_exact(size / 2)) {
        let pairs = head.as_chunks_mut::<2>().0.iter_mut();
        for (([x, y], [cos, sin]), mode) in pairs.zip(cos_sin.as_chunks::<2>().0).zip(modes) {
            (*x, *y) = match *mode {
                0 => (*x * cos - *y * sin, *y * cos + *x * sin),
                1 => (*x * cos.hypot(*sin), *y * cos.hypot(*sin)),
                _ => (0.0, 0.0),
            };
        }
    }
}

/// Rotates the pairs of a head by their angles alone, without the rope's magnitude, or back by them if `inverse`. Pair i is at i · step and
/// `offset` after it. cos_sin: (rotated pairs, 2)
#[inline(never)]
pub fn rotate_pairs(head: &mut [f32], cos_sin: &[f32], [offset, step]: [usize; 2], inverse: bool) {
    for (pair, [cos, sin]) in cos_sin.as_chunks::<2>().0.iter().enumerate() {
        let magnitude = cos.hypot(*sin);
        let (cos, sin) = (cos / magnitude, if inverse { -sin } else { *sin } / magnitude);
        let (at, other) = (pair * step, pair * step + offset);
        let (x, y) = (head[at], head[other]);
        (head[at], head[other]) = (x * cos - y * sin, y * cos + x * sin);
    }
}

/// The inverse rotation of a pair by the angle of (cos, sin), whatever their magnitude.
#[inline(always)]
fn inverse([x, y]: [f32; 2], [cos, sin]: [f32; 2]) -> [f32; 2] {
    let magnitude = cos.hypot(sin);
    [(x * cos + y * sin) / magnitude, (y * cos - x * sin) / magnitude]
}

/// The inverse rotation of adjacent heads; the rope's magnitude stays. cos_sin: (head size)
#[inline(never)]
pub fn rotate_back(heads: &mut [f32], cos_sin: &[f32]) {
    for head in heads.chunks_exact_mut(cos_sin.len().max(1)) {
        for (pair, cos_sin) in head.as_chunks_mut::<2>().0.iter_mut().zip(cos_sin.as_chunks::<2>().0) {
            *pair = inverse(*pair, *cos_sin);
        }
    }
}

/// query · key before both were rotated, each by its own cosines and sines. All: (head size)
#[inline(never)]
pub fn unrotated_product([query, key]: [&[f32]; 2], [query_cos_sin, key_cos_sin]: [&[f32]; 2]) -> f32 {
    let queries = query.as_chunks::<2>().0.iter().zip(query_cos_sin.as_chunks::<2>().0);
    let keys = key.as_chunks::<2>().0.iter().zip(key_cos_sin.as_chunks::<2>().0);
    let pairs = queries.zip(keys).map(|(query, key)| (inverse(*query.0, *query.1), inverse(*key.0, *key.1)));
    pairs.map(|([a, b], [c, d])| a * c + b * d).sum()
}

/// ReRoPE: takes the score in `far` for each key more than `reach` positions before `position`, or after it if `behind`. scores, far,
/// positions: (keys)
#[inline(never)]
pub fn replace_far(scores: &mut [f32], far: &[f32], positions: &[usize], position: usize, reach: usize, behind: bool) {
    for ((score, far), key) in scores.iter_mut().zip(far).zip(positions) {
        let distance = if behind { key.saturating_sub(position) } else { position.saturating_sub(*key) };
        if distance > reach {
            *score = *far;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COS_SIN: [f32; 4] = [0.6, 0.8, 0.0, 2.0];

    #[test]
    fn heads_rotate_alike_and_back() {
        let row = [1.0, 2.0, 3.0, -1.0, 0.5, -4.0, 0.25, 8.0];
        let mut rotated = row;
        rotate(&mut rotated, &COS_SIN);
        assert_eq!(rotated[..4], [1.0 * 0.6 - 2.0 * 0.8, 2.0 * 0.6 + 1.0 * 0.8, 2.0, 6.0]);
        let (query, key) = rotated.split_at(4);
        let (plain_query, plain_key) = row.split_at(4);
        let expected = plain_query[0] * plain_key[0]
            + plain_query[1] * plain_key[1]
            + 4.0 * (plain_query[2] * plain_key[2] + plain_query[3] * plain_key[3]);
        assert!((unrotated_product([query, key], [&COS_SIN, &COS_SIN]) - expected).abs() < 1e-5);
        rotate_back(&mut rotated, &COS_SIN);
        for (at, (found, plain)) in rotated.iter().zip(row).enumerate() {
            // The second pair's rope has magnitude 2.
            let expected = if at % 4 < 2 { plain } else { 2.0 * plain };
            assert!((found - expected).abs() < 1e-5, "number {at} is {found}");
        }
    }

    #[test]
    fn far_keys_take_the_other_score() {
        let positions = [9, 0, 4, 20, 6];
        for (behind, expected) in [(false, [1.0, 0.0, 1.0, 1.0, 1.0]), (true, [1.0, 1.0, 1.0, 0.0, 1.0])] {
            let mut scores = [1.0; 5];
            replace_far(&mut scores, &[0.0; 5], &positions, 7, 3, behind);
            assert_eq!(scores, expected, "behind {behind}");
        }
    }

    #[test]
    fn pairs_rotate_by_their_angle_wherever_they_are() {
        // The second pair's magnitude does not matter.
        for (places, mut head, expected) in [
            ([1, 2], [1.0, 2.0, 3.0, -1.0, 9.0], [-1.0, 2.0, 1.0, 3.0, 9.0]),
            ([2, 1], [1.0, 3.0, 2.0, -1.0, 9.0], [-1.0, 1.0, 2.0, 3.0, 9.0]),
        ] {
            let plain = head;
            for (inverse, expected) in [(false, expected), (true, plain)] {
                rotate_pairs(&mut head, &COS_SIN, places, inverse);
                let error = head.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
                assert!(error < 1e-6, "{places:?}, inverse {inverse}: {head:?}");
            }
        }
    }

    #[test]
    fn pairs_are_frozen_and_ablated_by_head() {
        let mut row = [1.0, 2.0, 3.0, -1.0, 1.0, 2.0, 3.0, -1.0];
        rotate_by_mode(&mut row, &COS_SIN, &[2, 1, 0, 0]);
        assert_eq!(row[..4], [0.0, 0.0, 6.0, -2.0]);
        let mut rotated = [1.0, 2.0, 3.0, -1.0];
        rotate(&mut rotated, &COS_SIN);
        assert_eq!(row[4..], rotated);
    }
}
