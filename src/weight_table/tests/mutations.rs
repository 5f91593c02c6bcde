//! Mutated files give an error or the right numbers.

use super::{Draft, fill, ramp};
use crate::Error;
use crate::weight_table::{RowOrder, WeightPart, WeightTable};
use proptest::prelude::*;
use proptest::sample::Index;

fn draft() -> Draft {
    Draft::default().add("a", "F32", &[4, 2], &ramp(8, 0.0)).add("b", "F16", &[4], &ramp(4, 20.0)).add(
        "c",
        "U8",
        &[3],
        &ramp(3, 0.0),
    )
}

fn table() -> WeightTable {
    let order = RowOrder::HalvesToPairs { heads: 1, head_size: 4, rotated: 4 };
    let mut table = WeightTable::default();
    table.weight(4, 2, vec![WeightPart::new("a", &[4, 2]).ordered(order)]);
    table.vector("b", 4);
    table.host("b", &[4]);
    table
}

fn weights(bytes: &[u8], pieces: &[usize]) -> Result<Vec<Vec<f32>>, Error> {
    fill(&table(), bytes, pieces).map(|(writes, _)| writes.plain())
}

fn header_end(bytes: &[u8]) -> usize {
    bytes.len() - draft().data.len()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn headers(edits in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4), pieces in prop::collection::vec(0_usize..9, 0..9)) {
        let mut bytes = draft().bytes();
        let end = header_end(&bytes);
        for (index, byte) in edits {
            bytes[index.index(end)] = byte;
        }
        // Names and types may have changed without effect, but not the shapes.
        if let Ok(weights) = weights(&bytes, &pieces) {
            prop_assert_eq!(weights.iter().map(Vec::len).collect::<Vec<_>>(), [8, 4]);
        }
    }

    #[test]
    fn useful_headers(edits in prop::collection::vec((any::<Index>(), prop::sample::select(b"{}[]\",:0123489abcF".to_vec())), 1..3)) {
        let mut bytes = draft().bytes();
        let text = 8..header_end(&bytes);
        for (index, byte) in edits {
            bytes[text.start + index.index(text.len())] = byte;
        }
        if let Ok(weights) = weights(&bytes, &[5]) {
            prop_assert_eq!(weights.iter().map(Vec::len).collect::<Vec<_>>(), [8, 4]);
        }
    }

    #[test]
    fn lengths(length in any::<u64>(), small in 0_u64..400) {
        for length in [length, small, length >> 32, length >> 40] {
            let mut bytes = draft().bytes();
            let own = header_end(&bytes) as u64 - 8;
            bytes[..8].copy_from_slice(&length.to_le_bytes());
            prop_assert_eq!(weights(&bytes, &[]).is_ok(), length == own);
        }
    }

    #[test]
    fn cuts(length in any::<Index>(), pieces in prop::collection::vec(0_usize..9, 0..9)) {
        let bytes = draft().bytes();
        let found = weights(&bytes[..length.index(bytes.len())], &pieces);
        prop_assert_eq!(found.map_err(|error| error.code()), Err("truncated"));
    }

    #[test]
    fn data(bytes in prop::collection::vec(any::<u8>(), 43), pieces in prop::collection::vec(0_usize..9, 0..9)) {
        let mut draft = draft();
        draft.data = bytes;
        let found = weights(&draft.bytes(), &pieces).unwrap();
        let number = |row: usize, column: usize| {
            let start = 4 * (2 * row + column);
            f32::from_le_bytes(draft.data[start..start + 4].try_into().unwrap()).to_bits()
        };
        let rows = [0, 2, 1, 3];
        let expected: Vec<u32> = rows.iter().flat_map(|row| [number(*row, 0), number(*row, 1)]).collect();
        prop_assert_eq!(found[0].iter().map(|number| number.to_bits()).collect::<Vec<_>>(), expected);
    }
}
