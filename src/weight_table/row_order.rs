//! The order of a tensor's rows in memory. All families' conventions become one.
//!
//! Scores are sums over a head's columns. Therefore they do not change if the rows of W_q and of W_k are permuted alike, and the rotation
//! can always act on adjacent pairs (arXiv 2104.09864, eq. 34). The numbers of a bias or of a norm's gain are permuted like the rows of its
//! matrix.

/// A permutation of a tensor's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// The identity.
    AsStored,
    /// From half-split rotation, which pairs i with i + rotated / 2 (Hugging Face's `rotate_half`), to adjacent pairs, in the first `heads`
    /// heads. Only the first `rotated` rows of a head move (even, at most `head_size`). With one head of all rows it interleaves
    /// [first half | second half].
    HalvesToPairs { heads: usize, head_size: usize, rotated: usize },
    /// GPT-NeoX's `query_key_value`: from [q | k | v] per head to [all q | all k | all v].
    FusedHeads { heads: usize, head_size: usize },
    /// Row r becomes row r · of + with, where `with` < `of`: a gate's rows alternate with the rows that it gates.
    Interleaved { with: usize, of: usize },
}

impl RowOrder {
    /// The row of the weight that the tensor's row `row` becomes.
    pub fn place(&self, row: u64) -> u64 {
        match *self {
            RowOrder::AsStored => row,
            RowOrder::HalvesToPairs { heads, head_size, rotated } => within_heads(row, heads, head_size, |lane| {
                let half = half(rotated, head_size);
                match lane {
                    lane if lane < half => 2 * lane,
                    lane if lane < 2 * half => 2 * (lane - half) + 1,
                    lane => lane,
                }
            }),
            RowOrder::FusedHeads { heads, head_size } => transpose(row, heads as u64, 3, head_size as u64),
            RowOrder::Interleaved { with, of } => row.saturating_mul(of as u64).saturating_add(with as u64),
        }
    }

    /// Blocks of this many rows become a few contiguous ranges of the weight.
    pub(super) fn period(&self) -> u64 {
        match *self {
            RowOrder::AsStored | RowOrder::Interleaved { .. } => 1,
            RowOrder::HalvesToPairs { head_size, .. } => (head_size as u64).max(1),
            RowOrder::FusedHeads { head_size, .. } => (head_size as u64).saturating_mul(3).max(1),
        }
    }
}

/// The place of a row under several orders in sequence.
pub fn place(orders: &[RowOrder], row: u64) -> u64 {
    orders.iter().fold(row, |row, order| order.place(row))
}

/// Half the rotated rows of a head.
fn half(rotated: usize, head_size: usize) -> u64 {
    (rotated.min(head_size) / 2) as u64
}

fn within_heads(row: u64, heads: usize, head_size: usize, lane: impl Fn(u64) -> u64) -> u64 {
    let size = head_size as u64;
    if row >= size.saturating_mul(heads as u64) {
        return row;
    }
    row - row % size + lane(row % size)
}

/// Rows (outer, inner, size) to (inner, outer, size).
fn transpose(row: u64, outer: u64, inner: u64, size: u64) -> u64 {
    if row >= outer.saturating_mul(inner).saturating_mul(size) {
        return row;
    }
    let (block, lane) = (row / size, row % size);
    (block % inner * outer + block / inner) * size + lane
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn placed(order: RowOrder, rows: u64) -> Vec<u64> {
        (0..rows).map(|row| order.place(row)).collect()
    }

    #[test]
    fn halves_become_pairs() {
        let order = RowOrder::HalvesToPairs { heads: 2, head_size: 6, rotated: 4 };
        assert_eq!(placed(order, 14), [0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11, 12, 13]);
        let order = RowOrder::HalvesToPairs { heads: 1, head_size: 6, rotated: 6 };
        assert_eq!(placed(order, 6), [0, 2, 4, 1, 3, 5]);
    }

    #[test]
    fn fused_heads_are_separated() {
        // Stored: q0 q0 k0 k0 v0 v0 q1 q1 k1 k1 v1 v1.
        let order = RowOrder::FusedHeads { heads: 2, head_size: 2 };
        assert_eq!(placed(order, 13), [0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11, 12]);
    }

    #[test]
    fn orders_are_applied_in_sequence() {
        let orders = [
            RowOrder::FusedHeads { heads: 2, head_size: 4 },
            RowOrder::HalvesToPairs { heads: 4, head_size: 4, rotated: 4 },
        ];
        // The second head's keys are stored at 16 … 19 and lie at 12 … 15: halves (12, 13), (14, 15) are paired crosswise.
        assert_eq!([16, 17, 18, 19].map(|row| place(&orders, row)), [12, 14, 13, 15]);
        // Values are not rotated.
        assert_eq!([8, 9, 10, 11].map(|row| place(&orders, row)), [16, 17, 18, 19]);
    }

    #[test]
    fn gate_and_up_alternate() {
        assert_eq!(placed(RowOrder::Interleaved { with: 0, of: 2 }, 3), [0, 2, 4]);
        assert_eq!(placed(RowOrder::Interleaved { with: 1, of: 2 }, 3), [1, 3, 5]);
    }

    #[test]
    fn empty_and_huge_sizes_leave_rows_in_place() {
        for order in [
            RowOrder::HalvesToPairs { heads: 3, head_size: 0, rotated: 0 },
            RowOrder::FusedHeads { heads: 3, head_size: 0 },
            RowOrder::FusedHeads { heads: 0, head_size: 3 },
        ] {
            assert_eq!(order.place(7), 7, "{order:?}");
        }
        let huge = RowOrder::FusedHeads { heads: usize::MAX, head_size: 2 };
        assert_eq!(huge.place(1), 1);
    }

    fn order() -> impl Strategy<Value = RowOrder> {
        let halves = (0_usize..5, 0_usize..9, 0_usize..12);
        prop_oneof![
            Just(RowOrder::AsStored),
            halves.prop_map(|(heads, head_size, rotated)| RowOrder::HalvesToPairs { heads, head_size, rotated }),
            (0_usize..5, 0_usize..9).prop_map(|(heads, head_size)| RowOrder::FusedHeads { heads, head_size }),
        ]
    }

    proptest! {
        #[test]
        fn every_row_has_a_place_of_its_own(orders in prop::collection::vec(order(), 0..4), more in 0_u64..9) {
            let rows = orders.iter().map(|order| match *order {
                RowOrder::HalvesToPairs { heads, head_size, .. } => heads * head_size,
                RowOrder::FusedHeads { heads, head_size } => 3 * heads * head_size,
                _ => 0,
            });
            let rows = rows.max().unwrap_or(0) as u64 + more;
            let mut is_occupied = vec![false; rows as usize];
            for row in 0..rows {
                let place = place(&orders, row);
                prop_assert!(place < rows && !is_occupied[place as usize], "{row} goes to {place} of {rows}");
                is_occupied[place as usize] = true;
            }
        }

        #[test]
        fn interleaved_tensors_fill_the_weight_together(of in 1_usize..5, rows in 0_u64..20) {
            let mut counts = vec![0; of * rows as usize];
            for with in 0..of {
                let order = RowOrder::Interleaved { with, of };
                for row in 0..rows {
                    counts[order.place(row) as usize] += 1;
                }
            }
            prop_assert!(counts.iter().all(|count| *count == 1));
        }
    }
}
