//! Rotary position embedding of adjacent pairs, eq. 34, and its way back. turns: (cos, sin) of each pair of a head, times the
//! rope's magnitude.

/// Turns whole heads that lie side by side. turns: (head size).
#[inline(never)]
pub fn rotate(heads: &mut [f32], turns: &[f32]) {
    for head in heads.chunks_exact_mut(turns.len().max(1)) {
        for ([x, y], [cos, sin]) in head.as_chunks_mut::<2>().0.iter_mut().zip(turns.as_chunks::<2>().0) {
            (*x, *y) = (*x * cos - *y * sin, *y * cos + *x * sin);
        }
    }
}

/// The same where pairs may be stopped or cut. fates: (heads, head size / 2), 0 where the pair turns, 1 where it is stopped (it
/// keeps the rope's magnitude), 2 where it is cut.
#[inline(never)]
pub fn rotate_fated(heads: &mut [f32], turns: &[f32], fates: &[u32]) {
    let size = turns.len().max(2);
    for (head, fates) in heads.chunks_exact_mut(size).zip(fates.chunks_exact(size / 2)) {
        let pairs = head.as_chunks_mut::<2>().0.iter_mut();
        for (([x, y], [cos, sin]), fate) in pairs.zip(turns.as_chunks::<2>().0).zip(fates) {
            (*x, *y) = match *fate {
                0 => (*x * cos - *y * sin, *y * cos + *x * sin),
                1 => (*x * cos.hypot(*sin), *y * cos.hypot(*sin)),
                _ => (0.0, 0.0),
            };
        }
    }
}

/// Turns the pairs of a head by their angles alone, whatever their magnitude, or back. Pair i lies in i · step and `apart` behind
/// that. turns: (cos, sin) of each pair that turns.
#[inline(never)]
pub fn turn(head: &mut [f32], turns: &[f32], [apart, step]: [usize; 2], back: bool) {
    for (pair, [cos, sin]) in turns.as_chunks::<2>().0.iter().enumerate() {
        let magnitude = cos.hypot(*sin);
        let (cos, sin) = (cos / magnitude, if back { -sin } else { *sin } / magnitude);
        let (at, other) = (pair * step, pair * step + apart);
        let (x, y) = (head[at], head[other]);
        (head[at], head[other]) = (x * cos - y * sin, y * cos + x * sin);
    }
}

/// A pair turned back by the angle of (cos, sin), whatever its magnitude.
#[inline(always)]
fn turned_back([x, y]: [f32; 2], [cos, sin]: [f32; 2]) -> [f32; 2] {
    let magnitude = cos.hypot(sin);
    [(x * cos + y * sin) / magnitude, (y * cos - x * sin) / magnitude]
}

/// Turns whole heads that lie side by side back; the rope's magnitude stays. turns: (head size).
#[inline(never)]
pub fn turn_back(heads: &mut [f32], turns: &[f32]) {
    for head in heads.chunks_exact_mut(turns.len().max(1)) {
        for (pair, turn) in head.as_chunks_mut::<2>().0.iter_mut().zip(turns.as_chunks::<2>().0) {
            *pair = turned_back(*pair, *turn);
        }
    }
}

/// query · key, each pair turned back by its own turns. All: (head size).
#[inline(never)]
pub fn unrotated([query, key]: [&[f32]; 2], [query_turns, key_turns]: [&[f32]; 2]) -> f32 {
    let queries = query.as_chunks::<2>().0.iter().zip(query_turns.as_chunks::<2>().0);
    let keys = key.as_chunks::<2>().0.iter().zip(key_turns.as_chunks::<2>().0);
    let pairs = queries.zip(keys).map(|(query, key)| (turned_back(*query.0, *query.1), turned_back(*key.0, *key.1)));
    pairs.map(|([a, b], [c, d])| a * c + b * d).sum()
}

/// Takes the score in `far` for each key whose place is more than `reach` before `here`, or `behind` it: after that. scores, far,
/// places: (keys).
#[inline(never)]
pub fn take_far(scores: &mut [f32], far: &[f32], places: &[usize], here: usize, reach: usize, behind: bool) {
    for ((score, far), place) in scores.iter_mut().zip(far).zip(places) {
        let apart = if behind { place.saturating_sub(here) } else { here.saturating_sub(*place) };
        if apart > reach {
            *score = *far;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{rotate, rotate_fated, take_far, turn, turn_back, unrotated};

    const TURNS: [f32; 4] = [0.6, 0.8, 0.0, 2.0];

    #[test]
    fn heads_turn_alike_and_turn_back() {
        let row = [1.0, 2.0, 3.0, -1.0, 0.5, -4.0, 0.25, 8.0];
        let mut turned = row;
        rotate(&mut turned, &TURNS);
        assert_eq!(turned[..4], [1.0 * 0.6 - 2.0 * 0.8, 2.0 * 0.6 + 1.0 * 0.8, 2.0, 6.0]);
        let (query, key) = turned.split_at(4);
        let (plain_query, plain_key) = row.split_at(4);
        let expected = plain_query[0] * plain_key[0]
            + plain_query[1] * plain_key[1]
            + 4.0 * (plain_query[2] * plain_key[2] + plain_query[3] * plain_key[3]);
        assert!((unrotated([query, key], [&TURNS, &TURNS]) - expected).abs() < 1e-5);
        turn_back(&mut turned, &TURNS);
        for (at, (found, plain)) in turned.iter().zip(row).enumerate() {
            // The second pair's rope is twice as long.
            let expected = if at % 4 < 2 { plain } else { 2.0 * plain };
            assert!((found - expected).abs() < 1e-5, "number {at} is {found}");
        }
    }

    #[test]
    fn far_keys_have_another_score() {
        let places = [9, 0, 4, 20, 6];
        for (behind, expected) in [(false, [1.0, 0.0, 1.0, 1.0, 1.0]), (true, [1.0, 1.0, 1.0, 0.0, 1.0])] {
            let mut scores = [1.0; 5];
            take_far(&mut scores, &[0.0; 5], &places, 7, 3, behind);
            assert_eq!(scores, expected, "behind {behind}");
        }
    }

    #[test]
    fn pairs_turn_by_their_angle_wherever_they_lie() {
        // The second pair's magnitude is no matter.
        for (places, mut head, expected) in [
            ([1, 2], [1.0, 2.0, 3.0, -1.0, 9.0], [-1.0, 2.0, 1.0, 3.0, 9.0]),
            ([2, 1], [1.0, 3.0, 2.0, -1.0, 9.0], [-1.0, 1.0, 2.0, 3.0, 9.0]),
        ] {
            let plain = head;
            for (back, expected) in [(false, expected), (true, plain)] {
                turn(&mut head, &TURNS, places, back);
                let error = head.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
                assert!(error < 1e-6, "{places:?}, back {back}: {head:?}");
            }
        }
    }

    #[test]
    fn pairs_are_stopped_and_cut_by_head() {
        let mut row = [1.0, 2.0, 3.0, -1.0, 1.0, 2.0, 3.0, -1.0];
        rotate_fated(&mut row, &TURNS, &[2, 1, 0, 0]);
        assert_eq!(row[..4], [0.0, 0.0, 6.0, -2.0]);
        let mut turned = [1.0, 2.0, 3.0, -1.0];
        rotate(&mut turned, &TURNS);
        assert_eq!(row[4..], turned);
    }
}
