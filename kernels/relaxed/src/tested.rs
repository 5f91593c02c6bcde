//! All products for JavaScript's tests of them: what is compiled for WebAssembly alone, no native test reaches.

use ropescope_kernels::{Ending, Format, Matrix, Numbers, multiply, multiply_kept};
use std::slice;

/// Zeros, never given back.
#[unsafe(no_mangle)]
pub extern "C" fn room(numbers: usize) -> *mut f32 {
    Box::leak(vec![0.0; numbers].into_boxed_slice()).as_mut_ptr()
}

/// out = x · wᵀ. x: (rows, inner), w: (columns, inner), as it lies for form 0, in panels for form 1; for 2 and more in the formats of
/// `Format::ALL` behind f32, after which w is what the format made of it. out: (rows, columns).
///
/// # Safety
/// As many numbers lie there, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multiply_by(
    form: usize,
    out: *mut f32,
    x: *const f32,
    w: *mut f32,
    rows: usize,
    inner: usize,
    columns: usize,
) {
    // SAFETY: as the caller has it.
    let (out, x, w) = unsafe {
        (
            slice::from_raw_parts_mut(out, rows * columns),
            slice::from_raw_parts(x, rows * inner),
            slice::from_raw_parts_mut(w, columns * inner),
        )
    };
    let mut kept = Numbers::Plain(w.to_vec());
    if form == 1 {
        kept.lay_out(inner);
    } else if form > 1 {
        let format = Format::ALL[form - 1];
        let each = format.row_words(inner);
        let mut words = vec![0; columns * each];
        for (row, words) in w.chunks_exact(inner).zip(words.chunks_exact_mut(each)) {
            assert!(format.pack(row, words), "a number is beyond the format");
        }
        kept = Numbers::Packed(format, words);
    }
    for (at, row) in w.chunks_exact_mut(inner).enumerate() {
        kept.kept().row(at, row);
    }
    multiply_kept(out, x, kept.kept(), [rows, inner, columns], &Ending::default());
}

/// out = scale · left · right, all with rows so many numbers apart. left: (rows, inner), right: (inner, columns), out: (rows, columns).
///
/// # Safety
/// As many numbers lie there, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn weigh(
    out: *mut f32,
    left: *const f32,
    right: *const f32,
    stride: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    scale: f32,
) {
    // SAFETY: as the caller has it.
    let (out, left, right) = unsafe {
        (
            slice::from_raw_parts_mut(out, rows * stride),
            slice::from_raw_parts(left, rows * stride),
            slice::from_raw_parts(right, inner * stride),
        )
    };
    multiply(out, stride, Matrix::rows(left, stride), Matrix::rows(right, stride), [rows, inner, columns], scale);
}
