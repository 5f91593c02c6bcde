//! The epilogue of a linear layer's GEMM: bias, activation, residual.

use crate::activation::{Activation, activate_row};
use crate::elementwise::{add, add_row};
use std::ops::Range;
use std::ptr::null;

/// out = activation(x · w + bias) + residual.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinearEpilogue<'a> {
    /// (columns)
    pub bias: Option<&'a [f32]>,
    /// Applied after the bias.
    pub activation: Option<Activation>,
    /// (rows, columns), its rows as far apart as those of the result.
    pub residual: Option<&'a [f32]>,
}

/// A [`LinearEpilogue`] of raw pointers, which are null for a missing operand.
#[repr(C)]
pub struct RawEpilogue {
    pub bias: *const f32,
    /// [`Activation::code`]
    pub activation: usize,
    pub residual: *const f32,
}

impl LinearEpilogue<'_> {
    /// Panics if the bias is shorter than `columns` or the residual shorter than `numbers`.
    pub fn raw(&self, columns: usize, numbers: usize) -> RawEpilogue {
        let pointer = |operand: Option<&[f32]>, count: usize| operand.map_or(null(), |of| of[..count].as_ptr());
        RawEpilogue {
            bias: pointer(self.bias, columns),
            activation: Activation::code(self.activation),
            residual: pointer(self.residual, numbers),
        }
    }

    /// Applies it to `out`: (rows, columns).
    pub fn apply(&self, out: &mut [f32], columns: usize) {
        self.apply_columns(out, columns, 0..columns);
    }

    /// Applies it to the columns `range` of `out`: (rows, columns).
    pub fn apply_columns(&self, out: &mut [f32], columns: usize, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            let out = &mut out[range.clone()];
            if let Some(bias) = self.bias {
                add(out, &bias[range.clone()]);
            }
            if let Some(activation) = self.activation {
                activation.apply(out);
            }
            if let Some(residual) = self.residual {
                add(out, &residual[row * columns..][range.clone()]);
            }
        }
    }
}

impl RawEpilogue {
    #[inline(always)]
    fn is_none(&self) -> bool {
        self.bias.is_null() && self.activation == 0 && self.residual.is_null()
    }

    /// Applies it to `count` numbers of a row, a multiple of 8. The first one is in `column`, and `at` numbers after the first number
    /// of the whole result.
    ///
    /// # Safety
    /// `out .. out + count` is writable. Where they are not null, `bias + column .. + count` and `residual + at .. + count` are readable.
    #[inline(always)]
    pub unsafe fn apply(&self, out: *mut f32, count: usize, (column, at): (usize, usize)) {
        if self.is_none() {
            return;
        }
        let Self { bias, activation, residual } = *self;
        // SAFETY: an offset is added only to a pointer that is not null, which has `count` numbers from there on.
        unsafe {
            let bias = if bias.is_null() { bias } else { bias.add(column) };
            let residual = if residual.is_null() { residual } else { residual.add(at) };
            apply_row(out, count, bias, activation, residual);
        }
    }
}

/// In WASM not inlined: every GEMM would repeat all activations.
///
/// # Safety
/// `count` is a multiple of 8 and `out .. out + count` writable; `bias` and `residual` are null or have as many readable numbers.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
unsafe fn apply_row(out: *mut f32, count: usize, bias: *const f32, activation: usize, residual: *const f32) {
    // SAFETY: the caller guarantees `count` numbers of each operand that is not null.
    unsafe {
        add_row(out, count, bias);
        activate_row(out, count, activation);
        add_row(out, count, residual);
    }
}
