//! GEMM, attention and norms for JavaScript's tests: native tests do not reach what is compiled for WebAssembly alone.

use ropescope_kernels::{
    Activation, AttentionInputs, LinearEpilogue, MaskPattern, Matrix, Norm, QuantisedFormat, StridedHeads, WeightData,
    gemm, linear, normalise_rows,
};
use std::slice;

/// Allocates zeros, which are never freed.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(numbers: usize) -> *mut f32 {
    Box::leak(vec![0.0; numbers].into_boxed_slice()).as_mut_ptr()
}

/// The `count` numbers at `at`; `None` if the pointer is null.
///
/// # Safety
/// `at` is null, or has `count` readable numbers for `'a`.
unsafe fn numbers<'a>(at: *const f32, count: usize) -> Option<&'a [f32]> {
    // SAFETY: the pointer is not null, so that it has `count` numbers.
    (!at.is_null()).then(|| unsafe { slice::from_raw_parts(at, count) })
}

/// out = epilogue(x · wᵀ). Every field is a 32-bit word.
#[repr(C)]
pub struct Linear {
    /// (rows, columns).
    out: *mut f32,
    /// (rows, inner).
    x: *const f32,
    /// (columns, inner); replaced by the numbers that `storage` keeps of it.
    w: *mut f32,
    /// How w is stored: 0 plain, 1 packed, then the formats of `QuantisedFormat::ALL`.
    storage: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    /// (columns), or null.
    bias: *const f32,
    /// `Activation::code`
    activation: usize,
    /// (rows, columns), or null.
    residual: *const f32,
}

/// # Safety
/// The pointers that are not null are valid for their shapes, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linear_layer(arguments: &Linear) {
    let Linear { out, x, w, storage, rows, inner, columns, bias, activation, residual } = *arguments;
    // SAFETY: `out` has rows · columns numbers, `x` rows · inner, `w` columns · inner; `bias` and `residual` are null or have columns and
    // rows · columns; none overlaps another.
    let (out, x, w, epilogue) = unsafe {
        let (bias, residual) = (numbers(bias, columns), numbers(residual, rows * columns));
        (
            slice::from_raw_parts_mut(out, rows * columns),
            slice::from_raw_parts(x, rows * inner),
            slice::from_raw_parts_mut(w, columns * inner),
            LinearEpilogue { bias, activation: Activation::of_code(activation), residual },
        )
    };
    let mut weight = WeightData::Plain(w.to_vec());
    if storage == 1 {
        weight.pack(inner);
    } else if storage > 1 {
        let format = QuantisedFormat::ALL[storage - 2];
        let row_words = format.row_words(inner);
        let mut words = vec![0; columns * row_words];
        for (row, words) in w.chunks_exact(inner).zip(words.chunks_exact_mut(row_words)) {
            assert!(format.quantise(row, words), "a number is beyond the format");
        }
        weight = WeightData::Quantised(format, words);
    }
    for (at, row) in w.chunks_exact_mut(inner).enumerate() {
        weight.view().row(at, row);
    }
    linear(out, x, weight.view(), [rows, inner, columns], &epilogue);
}

/// Attention of all blocks. Every field is a 32-bit word. Rows have `gap` numbers more than they need, sequences of keys one row more.
#[repr(C)]
pub struct Attention {
    /// (batch, length, heads · head size).
    head_outputs: *mut f32,
    /// (batch, length, heads, 2).
    statistics: *mut f32,
    /// (batch, length, heads · head size + gap).
    query: *const f32,
    /// (batch, keys + 1, key heads · head size + gap)
    key: *const f32,
    /// As `key`.
    value: *const f32,
    /// (batch, keys).
    mask: *const f32,
    batch: usize,
    length: usize,
    keys: usize,
    heads: usize,
    key_heads: usize,
    head_size: usize,
    gap: usize,
    past: usize,
    causal: usize,
    window: usize,
    scale: f32,
}

/// # Safety
/// The pointers are valid for their shapes, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn attend(of: &Attention) {
    let Attention { batch, length, keys, heads, key_heads, head_size, gap, past, window, scale, .. } = *of;
    let width = heads * head_size;
    let rows = |data: *const f32, heads: usize, pitch: usize| {
        let stride = heads * head_size + gap;
        // SAFETY: the pointer has `batch` sequences of `pitch` rows of `stride` numbers.
        StridedHeads { data: unsafe { slice::from_raw_parts(data, batch * pitch * stride) }, stride, pitch }
    };
    // SAFETY: `head_outputs` has batch · length rows of `width` numbers, `statistics` two numbers a head of each row, `mask` a number a key of
    // each sequence; nobody else uses what is written.
    let (head_outputs, statistics, mask) = unsafe {
        (
            slice::from_raw_parts_mut(of.head_outputs, batch * length * width),
            slice::from_raw_parts_mut(of.statistics, batch * length * heads * 2),
            slice::from_raw_parts(of.mask, batch * keys),
        )
    };
    let inputs = AttentionInputs {
        query: rows(of.query, heads, length),
        key: rows(of.key, key_heads, keys + 1),
        value: rows(of.value, key_heads, keys + 1),
        mask,
        heads: [heads, key_heads],
        head_size,
        batch,
        length,
        keys,
        pattern: MaskPattern { past, causal: of.causal != 0, window },
        scale,
    };
    inputs.attend(head_outputs, (statistics, length), 0..inputs.blocks());
}

/// out = norm(x) + residual. Every field is a 32-bit word.
#[repr(C)]
pub struct Norms {
    /// (rows, width)
    out: *mut f32,
    /// (rows, width)
    x: *const f32,
    /// (rows, width), or null.
    residual: *const f32,
    /// (width), or null.
    gain: *const f32,
    /// (width), or null.
    shift: *const f32,
    rows: usize,
    width: usize,
    centres: usize,
    epsilon: f32,
}

/// # Safety
/// The pointers that are not null are valid for their shapes, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn norm(norms: &Norms) {
    let Norms { out, x, residual, gain, shift, rows, width, centres, epsilon } = *norms;
    let count = rows * width;
    // SAFETY: `out` and `x` have rows · width numbers; `residual` is null or has as many; `gain` and `shift` are null or have `width`;
    // `out` overlaps none of them.
    unsafe {
        let norm = Norm { centres: centres != 0, gain: numbers(gain, width), shift: numbers(shift, width), epsilon };
        let (out, x) = (slice::from_raw_parts_mut(out, count), slice::from_raw_parts(x, count));
        normalise_rows(out, x, numbers(residual, count), width, &norm);
    }
}

/// out = scale · left · right, all with rows `stride` numbers apart. left: (rows, inner), right: (inner, columns), out: (rows, columns).
///
/// # Safety
/// The pointers are valid for their shapes, and nothing overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gemm_rows(
    out: *mut f32,
    left: *const f32,
    right: *const f32,
    stride: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    scale: f32,
) {
    // SAFETY: `out` and `left` have `rows` rows of `stride` numbers, `right` has `inner`; `out` overlaps neither.
    let (out, left, right) = unsafe {
        (
            slice::from_raw_parts_mut(out, rows * stride),
            slice::from_raw_parts(left, rows * stride),
            slice::from_raw_parts(right, inner * stride),
        )
    };
    gemm(out, stride, Matrix::rows(left, stride), Matrix::rows(right, stride), [rows, inner, columns], scale);
}
