//! GEMV by dot products of a row with the rows of a matrix, which is not packed.

use crate::simd::F32x4;

/// From this many rows of x on, packing the weight into panels pays.
pub const PACKING_PAYS: usize = 3;

/// Dot products that are computed side by side.
const COLUMNS: usize = 8;

/// out = scale · x · wᵀ, a GEMV. x: (inner), w: (columns, inner), its rows `stride` numbers apart, out: (columns).
///
/// # Safety
/// `x` and `w` are readable and `out` is writable for these shapes; `out` overlaps neither.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub unsafe fn gemv(
    out: *mut f32,
    x: *const f32,
    (w, stride): (*const f32, usize),
    (inner, columns): (usize, usize),
    scale: f32,
) {
    let mut first = 0;
    while first < columns {
        // SAFETY: rows of `w` are clamped to `columns - 1`; `k + 4 <= inner` for vectors and `k < inner` for the tail; `out` is written
        // below `columns`.
        unsafe {
            let rows: [_; COLUMNS] = std::array::from_fn(|c| w.add((first + c).min(columns - 1) * stride));
            let mut sums = [F32x4::ZERO; COLUMNS];
            let mut k = 0;
            while k + F32x4::LANES <= inner {
                let x = F32x4::load(x.add(k));
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = sum.plus_product(x, F32x4::load(row.add(k)));
                }
                k += F32x4::LANES;
            }
            while k < inner {
                let x = F32x4::load_one(x.add(k));
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = sum.plus_product(x, F32x4::load_one(row.add(k)));
                }
                k += 1;
            }
            // A constant trip count keeps `sums` in registers.
            for (c, sum) in sums.into_iter().enumerate() {
                if first + c < columns {
                    *out.add(first + c) = sum.sum() * scale;
                }
            }
        }
        first += COLUMNS;
    }
}
