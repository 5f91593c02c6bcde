//! All products, attention and norms for JavaScript's tests of them: what is compiled for WebAssembly alone, no native test reaches.

use ropescope_kernels::{
    Activation, Attended, Ending, HeadRows, Matrix, Norm, Numbers, PackedFormat, Sight, multiply, multiply_kept,
    normalise_rows,
};
use std::slice;

/// Zeros, never given back.
#[unsafe(no_mangle)]
pub extern "C" fn room(numbers: usize) -> *mut f32 {
    Box::leak(vec![0.0; numbers].into_boxed_slice()).as_mut_ptr()
}

/// Some numbers; none where they are null.
///
/// # Safety
/// As many lie there, as long as they are used.
unsafe fn numbers<'a>(at: *const f32, count: usize) -> Option<&'a [f32]> {
    // SAFETY: as the caller has it.
    (!at.is_null()).then(|| unsafe { slice::from_raw_parts(at, count) })
}

/// out = end(x · wᵀ): 32-bit words one after the other.
#[repr(C)]
pub struct Product {
    /// (rows, columns).
    out: *mut f32,
    /// (rows, inner).
    x: *const f32,
    /// (columns, inner), which becomes what the form made of it.
    w: *mut f32,
    /// Of w: as it lies for 0, in panels for 1, then the formats of `PackedFormat::ALL`.
    form: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    /// (columns), null where there is none; the activation's code; (rows, columns), null where there is none.
    bias: *const f32,
    activation: usize,
    residual: *const f32,
}

/// Makes a [`Product`].
///
/// # Safety
/// As many numbers lie there, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multiply_by(product: &Product) {
    let Product { out, x, w, form, rows, inner, columns, bias, activation, residual } = *product;
    // SAFETY: as the caller has it.
    let (out, x, w, ending) = unsafe {
        let (bias, residual) = (numbers(bias, columns), numbers(residual, rows * columns));
        (
            slice::from_raw_parts_mut(out, rows * columns),
            slice::from_raw_parts(x, rows * inner),
            slice::from_raw_parts_mut(w, columns * inner),
            Ending { bias, activation: Activation::of_code(activation), residual },
        )
    };
    let mut kept = Numbers::Plain(w.to_vec());
    if form == 1 {
        kept.lay_out(inner);
    } else if form > 1 {
        let format = PackedFormat::ALL[form - 2];
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
    multiply_kept(out, x, kept.kept(), [rows, inner, columns], &ending);
}

/// Attention of all parts: 32-bit words one after the other. Rows have `apart` numbers more than they need, sequences of keys a row more.
#[repr(C)]
pub struct Attention {
    /// (batch, length, heads · head size).
    context: *mut f32,
    /// (batch, length, heads, 2).
    statistics: *mut f32,
    /// (batch, length, heads · head size + apart).
    query: *const f32,
    /// (batch, keys + 1, key heads · head size + apart), both.
    key: *const f32,
    value: *const f32,
    /// (batch, keys).
    mask: *const f32,
    batch: usize,
    length: usize,
    keys: usize,
    heads: usize,
    key_heads: usize,
    head_size: usize,
    apart: usize,
    past: usize,
    causal: usize,
    window: usize,
    scale: f32,
}

/// Makes an [`Attention`].
///
/// # Safety
/// As many numbers lie there, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn attend(of: &Attention) {
    let Attention { batch, length, keys, heads, key_heads, head_size, apart, past, window, scale, .. } = *of;
    let width = heads * head_size;
    let rows = |data: *const f32, heads: usize, pitch: usize| {
        let stride = heads * head_size + apart;
        // SAFETY: as the caller has it.
        HeadRows { data: unsafe { slice::from_raw_parts(data, batch * pitch * stride) }, stride, pitch }
    };
    // SAFETY: as the caller has it.
    let (context, statistics, mask) = unsafe {
        (
            slice::from_raw_parts_mut(of.context, batch * length * width),
            slice::from_raw_parts_mut(of.statistics, batch * length * heads * 2),
            slice::from_raw_parts(of.mask, batch * keys),
        )
    };
    let attended = Attended {
        query: rows(of.query, heads, length),
        key: rows(of.key, key_heads, keys + 1),
        value: rows(of.value, key_heads, keys + 1),
        mask,
        heads: [heads, key_heads],
        head_size,
        batch,
        length,
        keys,
        sight: Sight { past, causal: of.causal != 0, window },
        scale,
    };
    attended.attend(context, (statistics, length), 0..attended.parts());
}

/// out = norm(x) + residual: 32-bit words one after the other.
#[repr(C)]
pub struct Norms {
    /// (rows, width); the residual is null where there is none.
    out: *mut f32,
    x: *const f32,
    residual: *const f32,
    /// (width), null where there is none.
    gain: *const f32,
    shift: *const f32,
    rows: usize,
    width: usize,
    centres: usize,
    epsilon: f32,
}

/// Makes [`Norms`].
///
/// # Safety
/// As many numbers lie there, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn norm(norms: &Norms) {
    let Norms { out, x, residual, gain, shift, rows, width, centres, epsilon } = *norms;
    let count = rows * width;
    // SAFETY: as the caller has it.
    unsafe {
        let norm = Norm { centres: centres != 0, gain: numbers(gain, width), shift: numbers(shift, width), epsilon };
        let (out, x) = (slice::from_raw_parts_mut(out, count), slice::from_raw_parts(x, count));
        normalise_rows(out, x, numbers(residual, count), width, &norm);
    }
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
