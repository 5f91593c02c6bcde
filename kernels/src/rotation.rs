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

/// The same, turned by a distance after that: by `far` less `first`, whatever their magnitude, or the other way round where
/// `reversed`. All: (head size).
#[inline(never)]
pub fn product_at(
    [query, key]: [&[f32]; 2],
    [query_turns, key_turns]: [&[f32]; 2],
    [far, first]: [&[f32]; 2],
    reversed: bool,
) -> f32 {
    let queries = query.as_chunks::<2>().0.iter().zip(query_turns.as_chunks::<2>().0);
    let keys = key.as_chunks::<2>().0.iter().zip(key_turns.as_chunks::<2>().0);
    let turns = far.as_chunks::<2>().0.iter().zip(first.as_chunks::<2>().0);
    let products = queries.zip(keys).zip(turns).map(|((query, key), (far, first))| {
        let ([a, b], [c, d]) = (turned_back(*query.0, *query.1), turned_back(*key.0, *key.1));
        let [cos, sin] = turned_back(*far, *first).map(|turn| turn / far[0].hypot(far[1]));
        (a * c + b * d) * cos - (b * c - a * d) * if reversed { -sin } else { sin }
    });
    products.sum()
}

#[cfg(test)]
mod tests {
    use super::{product_at, rotate, rotate_fated, turn, turn_back, unrotated};

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
    fn a_product_is_that_of_its_distance() {
        // Pairs that turn by 0.4 and 0.05 a position, and rows 3 .. of their table, times a magnitude.
        let turns = |position: f32| {
            [0.4f32, 0.05].map(|theta| [1.5 * (position * theta).cos(), 1.5 * (position * theta).sin()]).concat()
        };
        let (query, key) = ([1.0, 2.0, 3.0, -1.0], [0.5, -4.0, 0.25, 8.0]);
        let at = |mut row: [f32; 4], position: f32| {
            rotate(&mut row, &turns(position));
            row
        };
        for (m, n, distance) in [(9.0, 4.0, 2.0f32), (4.0, 9.0, 2.0), (7.0, 6.0, 1.0), (5.0, 5.0, 0.0)] {
            let reversed = n > m;
            let (near_query, near_key) = if reversed { (3.0, 3.0 + distance) } else { (3.0 + distance, 3.0) };
            let expected: f32 = at(query, near_query).iter().zip(at(key, near_key)).map(|(q, k)| q * k).sum();
            let (rows, own) = ([at(query, m), at(key, n)], [turns(m), turns(n)]);
            let far = [turns(3.0 + distance), turns(3.0)];
            let found = product_at([&rows[0], &rows[1]], [&own[0], &own[1]], [&far[0], &far[1]], reversed);
            assert!((found - expected).abs() < 1e-4, "{m} and {n}: {found}, expected {expected}");
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
