//! A strided matrix.

/// A matrix in memory: element (row, column) at `row · row_stride + column · column_stride`.
#[derive(Clone, Copy)]
pub struct Matrix<'a> {
    /// Begins with element (0, 0).
    pub data: &'a [f32],
    /// Numbers from one row to the next.
    pub row_stride: usize,
    /// Numbers from one column to the next.
    pub column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// Row-major, rows `width` numbers apart.
    pub fn rows(data: &'a [f32], width: usize) -> Self {
        Self { data, row_stride: width, column_stride: 1 }
    }

    /// The transpose of [`Matrix::rows`].
    pub fn transposed(data: &'a [f32], width: usize) -> Self {
        Self { data, row_stride: 1, column_stride: width }
    }

    /// Whether all elements of this shape are in the slice.
    pub fn has(&self, rows: usize, columns: usize) -> bool {
        // In u64: usize would wrap on wasm32.
        let last = |count: usize, stride: usize| (count as u64 - 1) * stride as u64;
        rows == 0
            || columns == 0
            || last(rows, self.row_stride) + last(columns, self.column_stride) < self.data.len() as u64
    }
}
