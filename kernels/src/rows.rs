//! Rows that do not depend on each other, computed by all threads of a native program. In WebAssembly the calling thread computes them:
//! workers run another module, which has kernels alone.

#[cfg(not(target_arch = "wasm32"))]
use crate::pool::{JobKind, Work};

/// Calls `compute` with the number of each row and the row. out: (rows, width). cost: the time of a row, in multiply-adds.
pub fn for_each_row<T: Send>(out: &mut [T], width: usize, cost: usize, compute: impl Fn(usize, &mut [T]) + Sync) {
    #[cfg(target_arch = "wasm32")]
    {
        let _ = cost;
        out.chunks_exact_mut(width.max(1)).enumerate().for_each(|(row, out)| compute(row, out));
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let rows = out.len() / width.max(1);
        let job = RowsJob { out: out.as_mut_ptr(), rows, width, cost, compute };
        // SAFETY: `out` has all rows and is borrowed mutably.
        unsafe { crate::run::run(&job) };
    }
}

/// See [`for_each_row`].
#[cfg(not(target_arch = "wasm32"))]
struct RowsJob<T, F> {
    /// (rows, width)
    out: *mut T,
    rows: usize,
    width: usize,
    cost: usize,
    compute: F,
}

/// Multiply-adds of a chunk: enough to make its start cheap, few enough that no thread waits long for the last one.
#[cfg(not(target_arch = "wasm32"))]
const CHUNK: usize = 1 << 15;

// SAFETY: no other module runs it.
#[cfg(not(target_arch = "wasm32"))]
unsafe impl<T: Send, F: Fn(usize, &mut [T]) + Sync> Work for RowsJob<T, F> {
    const KIND: JobKind = JobKind::Native;

    fn cost(&self) -> u64 {
        self.rows as u64 * self.cost as u64
    }

    fn scratch(&self) -> usize {
        0
    }

    #[inline(always)]
    unsafe fn run_chunks(&self, _threads: usize, _scratch: *mut f32, mut next: impl FnMut() -> usize) {
        let each = (CHUNK / self.cost.max(1)).max(1);
        while let Some(first) = next().checked_mul(each).filter(|first| *first < self.rows) {
            for row in first..self.rows.min(first + each) {
                // SAFETY: `row < rows`, and no other thread has this chunk's rows.
                let out = unsafe { std::slice::from_raw_parts_mut(self.out.add(row * self.width), self.width) };
                (self.compute)(row, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::for_each_row;

    #[test]
    fn every_row_is_computed_once() {
        for (rows, width, cost) in [(0, 3, 1), (1, 4, 1 << 20), (5, 0, 9), (100, 7, 1 << 14), (33, 1, 1 << 17)] {
            let mut out = vec![0; rows * width];
            for_each_row(&mut out, width, cost, |row, out| out.iter_mut().for_each(|number| *number += row + 1));
            let expected: Vec<usize> = (0..rows * width).map(|at| at / width + 1).collect();
            assert_eq!(out, expected, "{rows} × {width}");
        }
    }
}
