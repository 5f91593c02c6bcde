//! The division of a GEMM among workgroups, by the sizes of its plan: workgroups should be many, and read little.

use crate::kernels::Format;
use crate::plan::WORKGROUP;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiling {
    /// Rows and columns of a tile, `TILE` of `shaders/gemm/gemm.wgsl`; none: row by row, by `shaders/gemm/gemv.wgsl`.
    pub tile: Option<usize>,
    /// Slices of the inner axis; 1: one dispatch computes the product.
    pub split_k: usize,
    /// Numbers of a column that an invocation of the GEMV reads at a time.
    pub unit: usize,
}

/// Plans for up to this many rows use the GEMV.
const FEW_ROWS: usize = 4;

/// Adjacent columns of one row that invocations of the GEMV compute together.
const ROW_COLUMNS: usize = 4;

/// Fewest invocations that share the inner axis: `PARTIALS` of `shaders/gemm/gemv.wgsl`.
const FEWEST_LANES: usize = 8;

/// Tiles of 64 read half as much as tiles of 32; they are used if there are at least this many.
const LARGE_TILES: usize = 128;

/// Split-K aims at this many workgroups: fewer leave most of a large GPU idle.
const WORKGROUPS: usize = 256;

/// Lanes of a GEMV are halved down to this many workgroups. On an H200 256 took up to 1.5 times as long, 4096 up to 1.2 times.
const MANY_WORKGROUPS: usize = 1024;

/// Every slice writes its sums, which the second step reads.
const MAX_SLICES: usize = 8;

/// The [`Tiling::unit`] of f32 weights, and of rows that are too short for all lanes.
pub(super) const FOUR: usize = 4;

/// The [`Tiling::unit`] of long rows: a block with its scale, or four words if rows have a multiple of four.
fn large_unit(format: Format, inner: usize) -> usize {
    match format {
        Format::Int8 | Format::Int4 => Format::BLOCK,
        Format::F16 | Format::BF16 if format.row_words(inner).is_multiple_of(4) => 8,
        _ => FOUR,
    }
}

fn gemv_workgroups([rows, columns]: [usize; 2], lanes: usize) -> usize {
    rows * columns.div_ceil(ROW_COLUMNS * WORKGROUP / lanes)
}

impl Tiling {
    /// rows: of the plan. format: of the weight. may_split: whether split-K is allowed.
    pub fn of([rows, inner, columns]: [usize; 3], format: Format, may_split: bool) -> Self {
        let tiles = |tile: usize| rows.div_ceil(tile) * columns.div_ceil(tile);
        let tile = match rows {
            0..=FEW_ROWS => None,
            5..=16 => Some(16),
            _ if tiles(64) >= LARGE_TILES => Some(64),
            _ => Some(32),
        };
        let mut unsplit = Self { tile, split_k: 1, unit: large_unit(format, inner) };
        // With most lanes idle the others take longer than all lanes with less each.
        if 2 * inner.div_ceil(unsplit.unit) < unsplit.lanes([rows, columns]) {
            unsplit.unit = FOUR;
        }
        let splits = WORKGROUPS.div_ceil(unsplit.workgroups([rows, columns]).max(1));
        let split_k = if may_split { splits.min(inner / unsplit.min_slice()).clamp(1, MAX_SLICES) } else { 1 };
        Self { split_k, ..unsplit }
    }

    /// Whether an invocation of the GEMV reads more than four numbers of a column at a time.
    pub fn has_large_units(self) -> bool {
        self.unit > FOUR
    }

    /// Invocations of the GEMV that share the inner axis of four columns: half as many have fewer sums to add, as long as workgroups are many.
    pub fn lanes(self, [rows, columns]: [usize; 2]) -> usize {
        let mut lanes = WORKGROUP;
        let is_many = |lanes: usize| gemv_workgroups([rows, columns], lanes) >= MANY_WORKGROUPS;
        while self.has_large_units() && lanes > FEWEST_LANES && is_many(lanes / 2) {
            lanes /= 2;
        }
        lanes
    }

    /// Fewest numbers of the inner axis in a slice. A workgroup reads 256 of them a round as a GEMV, 32 with a tile of 16, and 16 with a
    /// tile of 32. The rounds of such a slice take longer than the second dispatch.
    fn min_slice(self) -> usize {
        match self.tile {
            None => 4096,
            Some(16) => 1536,
            Some(_) => 768,
        }
    }

    /// Workgroups for rows of a run and columns of a slice of the weight.
    pub fn workgroups(self, [rows, columns]: [usize; 2]) -> usize {
        let tiles = match self.tile {
            Some(tile) => rows.div_ceil(tile) * columns.div_ceil(tile),
            None => gemv_workgroups([rows, columns], self.lanes([rows, columns])),
        };
        tiles * self.split_k
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiling(tile: Option<usize>, split_k: usize) -> Tiling {
        Tiling { tile, split_k, unit: FOUR }
    }

    #[test]
    fn tiles_depend_on_rows_and_on_their_number() {
        for (sizes, expected) in [
            ([1, 576, 1536], None),
            ([4, 256, 8192], None),
            ([5, 256, 8192], Some(16)),
            ([16, 768, 768], Some(16)),
            ([17, 768, 768], Some(32)),
            ([32, 256, 768], Some(32)),
            ([128, 384, 1536], Some(32)),
            // 8 × 12 tiles of 64 are too few; 8 × 16 are enough.
            ([512, 768, 768], Some(32)),
            ([512, 768, 1024], Some(64)),
            ([64, 576, 49_152], Some(64)),
        ] {
            assert_eq!(Tiling::of(sizes, Format::F32, true).tile, expected, "{sizes:?}");
            let unsplit = Tiling::of(sizes, Format::F32, false);
            assert_eq!((unsplit.tile, unsplit.split_k), (expected, 1), "{sizes:?}");
        }
    }

    #[test]
    fn few_workgroups_with_a_long_inner_axis_are_split() {
        for (sizes, split_k) in [
            // BERT's output projection: 24 tiles, 48, 96, 192 and 384; 48 for 16 rows.
            ([32, 3072, 768], 4),
            ([64, 3072, 768], 4),
            ([128, 3072, 768], 3),
            ([256, 3072, 768], 2),
            ([512, 3072, 768], 1),
            ([16, 3072, 768], 2),
            ([32, 8192, 256], 8),
            // The model of a first visit.
            ([32, 1024, 256], 1),
            ([32, 1536, 384], 2),
            // The invocations of a GEMV share the inner axis already.
            ([1, 3072, 768], 1),
            ([1, 8192, 64], 2),
        ] {
            assert_eq!(Tiling::of(sizes, Format::F32, true).split_k, split_k, "{sizes:?}");
        }
    }

    #[test]
    fn units_of_a_gemv_are_large_where_they_keep_lanes_busy() {
        for (sizes, format, unit, lanes) in [
            // SmolLM2-135M's: 18 and 48 blocks, and the vocabulary.
            ([1, 576, 3072], Format::Int4, 4, 64),
            ([1, 1536, 576], Format::Int8, 32, 64),
            ([1, 576, 49_152], Format::Int4, 32, 8),
            ([1, 576, 49_152], Format::F16, 8, 8),
            ([1, 576, 960], Format::F16, 8, 64),
            ([1, 2048, 2048], Format::Int4, 32, 64),
            ([4, 2048, 2048], Format::Int4, 32, 32),
            ([1, 2048, 16_384], Format::Int8, 32, 16),
            // f32 is fastest with all lanes on a column.
            ([1, 2048, 16_384], Format::F32, 4, 64),
            // A row of 1,026 has no multiple of four words.
            ([1, 1026, 49_152], Format::BF16, 4, 64),
        ] {
            let tiling = Tiling::of(sizes, format, true);
            let [rows, _, columns] = sizes;
            assert_eq!((tiling.unit, tiling.lanes([rows, columns])), (unit, lanes), "{sizes:?}, {format:?}");
        }
    }

    #[test]
    fn every_block_of_columns_has_a_workgroup() {
        for (tiling, [rows, columns], workgroups) in [
            (tiling(None, 1), [3, 9], 9),
            (tiling(None, 4), [3, 9], 36),
            (tiling(Some(16), 8), [16, 17], 16),
            (tiling(Some(32), 1), [33, 65], 6),
            (tiling(Some(64), 1), [64, 65], 2),
            (tiling(Some(64), 1), [0, 65], 0),
        ] {
            assert_eq!(tiling.workgroups([rows, columns]), workgroups, "{tiling:?}");
        }
    }
}
