//! Which kernel makes a product, by what its plan holds: workgroups should be many, and fetch little.

/// How a product is shared out among a GPU's workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiling {
    /// Rows and columns of a tile, `TILE` of `shaders/gemm/gemm.wgsl`; none: row by row, `shaders/gemm/gemv.wgsl`.
    pub tile: Option<usize>,
    /// How many the inner axis is cut into; 1: one dispatch makes the product.
    pub split_k: usize,
}

/// A plan for no more rows than these makes them one by one.
const FEW_ROWS: usize = 4;

/// Adjacent columns that a workgroup makes of one row.
const ROW_COLUMNS: usize = 4;

/// Tiles of 64 fetch half of what tiles of 32 do, and are taken where there are so many.
const LARGE_TILES: usize = 128;

/// Fewer workgroups leave most of a large GPU to nobody, and each goes along all of the inner axis: it is cut, so that there are so many.
const WORKGROUPS: usize = 256;

/// Each slice has its sums written and read again.
const MOST_SLICES: usize = 8;

impl Tiling {
    /// The tiling of a product in a plan for so many rows. spreads: whether another dispatch may add split_k.
    pub fn of([rows, inner, columns]: [usize; 3], spreads: bool) -> Self {
        let tiles = |tile: usize| rows.div_ceil(tile) * columns.div_ceil(tile);
        let tile = match rows {
            0..=FEW_ROWS => None,
            5..=16 => Some(16),
            _ if tiles(64) >= LARGE_TILES => Some(64),
            _ => Some(32),
        };
        let whole = Self { tile, split_k: 1 };
        let wanted = WORKGROUPS.div_ceil(whole.workgroups([rows, columns]).max(1));
        let split_k = if spreads { wanted.min(inner / whole.least_slice()).clamp(1, MOST_SLICES) } else { 1 };
        Self { tile, split_k }
    }

    /// Numbers of the inner axis that a slice has at least. A workgroup takes 256 of a row at a time, 32 for a tile of 16, 16 for one
    /// of 32: so many rounds last longer than another dispatch, whose cost is some of a tile's.
    fn least_slice(self) -> usize {
        match self.tile {
            None => 4096,
            Some(16) => 1536,
            Some(_) => 768,
        }
    }

    /// For a run of so many rows, and so many columns of a part.
    pub fn workgroups(self, [rows, columns]: [usize; 2]) -> usize {
        let of_slice = match self.tile {
            Some(tile) => rows.div_ceil(tile) * columns.div_ceil(tile),
            None => rows * columns.div_ceil(ROW_COLUMNS),
        };
        of_slice * self.split_k
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiling(tile: Option<usize>, split_k: usize) -> Tiling {
        Tiling { tile, split_k }
    }

    #[test]
    fn tiles_follow_rows_and_how_many_there_are() {
        for (sizes, expected) in [
            ([1, 576, 1536], None),
            ([4, 256, 8192], None),
            ([5, 256, 8192], Some(16)),
            ([16, 768, 768], Some(16)),
            ([17, 768, 768], Some(32)),
            ([32, 256, 768], Some(32)),
            ([128, 384, 1536], Some(32)),
            // 8 × 12 tiles of 64 are too few, 8 × 16 are enough.
            ([512, 768, 768], Some(32)),
            ([512, 768, 1024], Some(64)),
            ([64, 576, 49_152], Some(64)),
        ] {
            assert_eq!(Tiling::of(sizes, true).tile, expected, "{sizes:?}");
            assert_eq!(Tiling::of(sizes, false), tiling(expected, 1), "{sizes:?}");
        }
    }

    #[test]
    fn long_sums_of_few_workgroups_are_cut() {
        for (sizes, split_k) in [
            // Back to BERT's 768 columns: 24 tiles, 48, 96, 192 and 384; of 16 rows 48.
            ([32, 3072, 768], 4),
            ([64, 3072, 768], 4),
            ([128, 3072, 768], 3),
            ([256, 3072, 768], 2),
            ([512, 3072, 768], 1),
            ([16, 3072, 768], 2),
            ([32, 8192, 256], 8),
            // As long as a first visit's model has them.
            ([32, 1024, 256], 1),
            ([32, 1536, 384], 2),
            // A row's invocations share the inner axis as it is.
            ([1, 3072, 768], 1),
            ([1, 8192, 64], 2),
        ] {
            assert_eq!(Tiling::of(sizes, true).split_k, split_k, "{sizes:?}");
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
