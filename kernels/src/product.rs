//! A product as a [`Job`](super::job::Job): how it is cut, and what follows it.

use super::activation::Activation;
use super::elementwise::add;
use super::finish::finish_row;
use super::job::{Work, have_done};
use super::panels::{ROWS, WIDTH, multiply_block};
use std::ops::Range;
use std::ptr::null;

/// Numbers of w, 256 KB, that all rows of x are multiplied with before the next: they stay in the second cache.
const STRETCH: usize = 1 << 16;

/// Multiplications of a chunk of four rows and more: enough that taking it costs nothing, and few enough that nobody waits long for the last one. Of
/// fewer rows there are fewer, which wait for memory.
const CHUNK: Range<u64> = 1 << 19..1 << 22;

/// Chunks of a product, about, so that threads end together.
const CHUNKS: u64 = 32;

/// Rows of a chunk, at least, where there are as many: their panels are read from memory once.
const CHUNK_ROWS: usize = 16;

/// out = end(scale · x · w), or scale · x · w added to it. Plain numbers and addresses, so that another module on the same memory can do it.
#[repr(C)]
pub struct Product {
    /// (rows, panels · 8), its rows so many numbers apart.
    pub out: *mut f32,
    pub out_stride: usize,
    /// (rows, inner).
    pub x: *const f32,
    pub x_stride: usize,
    /// (inner, panels · 8): number (k, column) at `column / 8 · panel_step + k · w_stride + column % 8`.
    pub w: *const f32,
    pub w_stride: usize,
    pub panel_step: usize,
    pub rows: usize,
    pub inner: usize,
    pub panels: usize,
    pub scale: f32,
    /// Whether it is added to what is there.
    pub adds: bool,
    pub end: End,
}

/// What follows a product: bias (columns), activation by its code, and a residual, whose rows lie as far apart as those of `out`. Null and 0 where there is none.
#[repr(C)]
pub struct End {
    pub bias: *const f32,
    pub activation: usize,
    pub residual: *const f32,
}

impl End {
    pub const NONE: Self = Self { bias: null(), activation: 0, residual: null() };

    #[inline(always)]
    fn is_none(&self) -> bool {
        self.bias.is_null() && self.activation == 0 && self.residual.is_null()
    }

    /// Follows `count` numbers of a row, in whole panels, of which the first is of this column, and lies so many numbers behind the result's first.
    ///
    /// # Safety
    /// As many numbers lie there, and may be written at `out`.
    #[inline(always)]
    pub unsafe fn follow(&self, out: *mut f32, count: usize, (column, at): (usize, usize)) {
        if self.is_none() {
            return;
        }
        let Self { bias, activation, residual } = *self;
        // SAFETY: as the caller has it.
        unsafe {
            let bias = if bias.is_null() { bias } else { bias.add(column) };
            let residual = if residual.is_null() { residual } else { residual.add(at) };
            finish_row(out, count, bias, activation, residual);
        }
    }
}

impl Product {
    /// Multiplications.
    pub fn work(&self) -> u64 {
        (self.rows * self.inner) as u64 * (self.panels * WIDTH) as u64
    }

    /// Numbers that a thread needs room for.
    pub fn room(&self) -> usize {
        ROWS * self.inner
    }

    // Checked: the module that threads run has no data, and so no panic to speak of.
    /// How so many threads cut it.
    pub fn chunks(&self, threads: usize) -> Chunks {
        let panel = (self.inner.max(1) * WIDTH) as u64;
        let of = |work: u64, each: u64| work.checked_div(each).unwrap_or(0) as usize;
        let at_once = (STRETCH / WIDTH).checked_div(self.inner).unwrap_or(usize::MAX);
        let most = at_once.min(self.panels).max(1);
        let work = if threads > 1 {
            (self.work() / CHUNKS).clamp(CHUNK.start / ROWS as u64 * self.rows.clamp(1, ROWS) as u64, CHUNK.end)
        } else {
            u64::MAX
        };
        let rows = of(work, most as u64 * panel).clamp(CHUNK_ROWS, self.rows.max(CHUNK_ROWS)).next_multiple_of(ROWS);
        let panels = of(work, rows.min(self.rows) as u64 * panel).max(1).min(most);
        let across = of((self.rows + rows - 1) as u64, rows as u64);
        Chunks { rows, panels, across, count: across * of((self.panels + panels - 1) as u64, panels as u64) }
    }

    /// Rows and panels of a chunk: those of the same panels come after each other.
    pub fn chunk(&self, chunks: &Chunks, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        if at >= chunks.count {
            return None;
        }
        let (row, panel) =
            (at.checked_rem(chunks.across)? * chunks.rows, at.checked_div(chunks.across)? * chunks.panels);
        Some((row..self.rows.min(row + chunks.rows), panel..self.panels.min(panel + chunks.panels)))
    }

    /// Makes a chunk.
    ///
    /// # Safety
    /// What the product describes lies there; it is one of its chunks, and `room` has room for [`Product::room`] numbers.
    #[inline(always)]
    pub unsafe fn make(&self, (rows, panels): (Range<usize>, Range<usize>), room: *mut f32) {
        // SAFETY: as the caller has it.
        unsafe {
            let first = rows.start * self.out_stride + panels.start * WIDTH;
            multiply_block(
                (self.out.add(first), self.out_stride),
                (self.x.add(rows.start * self.x_stride), self.x_stride),
                (self.w.add(panels.start * self.panel_step), self.w_stride),
                (self.panel_step, panels.end - panels.start),
                (rows.end - rows.start, self.inner),
                (self.scale, self.adds),
                room,
            );
            let (mut at, mut left) = (first, rows.end - rows.start);
            while left > 0 {
                self.end.follow(self.out.add(at), (panels.end - panels.start) * WIDTH, (panels.start * WIDTH, at));
                (at, left) = (at + self.out_stride, left - 1);
            }
        }
    }
}

/// How a product is cut: rows in whole blocks of [`ROWS`], so that each number is made as one thread makes it.
pub struct Chunks {
    rows: usize,
    panels: usize,
    across: usize,
    count: usize,
}

/// w in panels, see [`Product`]: `step` and `stride` numbers from one panel, and from one of its rows, to the next.
#[derive(Clone, Copy)]
pub struct Panels<'a> {
    pub data: &'a [f32],
    pub stride: usize,
    pub step: usize,
}

/// What follows the product of a linear layer: bias, (columns), activation, and a residual, (rows, columns), in this order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ending<'a> {
    pub bias: Option<&'a [f32]>,
    pub activation: Option<Activation>,
    pub residual: Option<&'a [f32]>,
}

impl Ending<'_> {
    /// Where it lies. Panics where a bias is shorter than so many columns, or a residual than so many numbers.
    pub fn addresses(&self, columns: usize, numbers: usize) -> End {
        let address = |of: Option<&[f32]>, count: usize| of.map_or(null(), |of| of[..count].as_ptr());
        End {
            bias: address(self.bias, columns),
            activation: Activation::code(self.activation),
            residual: address(self.residual, numbers),
        }
    }

    /// All of it, of rows that are so wide.
    pub fn follow(&self, out: &mut [f32], columns: usize) {
        self.follow_some(out, columns, 0..columns);
    }

    /// The same of some columns.
    pub fn follow_some(&self, out: &mut [f32], columns: usize, some: Range<usize>) {
        if some.is_empty() {
            return;
        }
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            let out = &mut out[some.clone()];
            if let Some(bias) = self.bias {
                add(out, &bias[some.clone()]);
            }
            if let Some(activation) = self.activation {
                activation.apply(out);
            }
            if let Some(residual) = self.residual {
                add(out, &residual[row * columns..][some.clone()]);
            }
        }
    }
}

/// scale · x · w in place of what out held, or added to it. x: (rows, inner), w: (inner, panels · 8), out: (rows, panels · 8); rows of x and out lie
/// so many numbers apart. Panics where a slice is smaller than its shape.
#[cfg(any(target_arch = "wasm32", test))]
pub fn multiply_panels(
    out: (&mut [f32], usize),
    x: (&[f32], usize),
    w: Panels<'_>,
    shape: [usize; 3],
    (scale, adds): (f32, bool),
) {
    multiply_panels_and(out, x, w, shape, (scale, adds), &Ending::default());
}

/// The same, with what follows it; rows of the residual lie as far apart as those of out.
pub fn multiply_panels_and(
    (out, out_stride): (&mut [f32], usize),
    (x, x_stride): (&[f32], usize),
    w: Panels<'_>,
    [rows, inner, panels]: [usize; 3],
    (scale, adds): (f32, bool),
    ending: &Ending<'_>,
) {
    let Some((last_row, last_panel)) = rows.checked_sub(1).zip(panels.checked_sub(1)) else { return };
    // 64 bits: an address that has gone round would pass.
    let [panels_64, last_row, last_panel] = [panels, last_row, last_panel].map(|count| count as u64);
    let reaches =
        |last: u64, stride: usize, more: u64, numbers: &[f32]| last * stride as u64 + more <= numbers.len() as u64;
    let columns = panels_64 * WIDTH as u64;
    assert!(reaches(last_row, out_stride, columns, out), "the product does not fit");
    if let Some(last) = inner.checked_sub(1) {
        let panel = last as u64 * w.stride as u64 + WIDTH as u64;
        let inside = reaches(last_row, x_stride, inner as u64, x) && reaches(last_panel, w.step, panel, w.data);
        assert!(inside, "a matrix is smaller than its shape");
    }
    let end = ending.addresses(panels * WIDTH, last_row as usize * out_stride + panels * WIDTH);
    let product = Product {
        out: out.as_mut_ptr(),
        out_stride,
        x: x.as_ptr(),
        x_stride,
        w: w.data.as_ptr(),
        w_stride: w.stride,
        panel_step: w.step,
        rows,
        inner,
        panels,
        scale,
        adds,
        end,
    };
    // SAFETY: the assertions above say that the last number of each matrix lies in its slice; `out` is borrowed mutably.
    unsafe { have_done(Work::Product(product)) };
}

#[cfg(test)]
mod tests {
    use super::super::panels::lay_out;
    use super::*;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|at| (((at * 37 + seed * 11) % 23) as f32 - 11.0) / 8.0).collect()
    }

    #[test]
    fn agrees_with_plain_sums_at_every_shape() {
        for rows in [0, 1, 2, 3, 4, 5, 8, 11] {
            for inner in [0, 1, 2, 3, 4, 5, 16, 37] {
                for panels in [0, 1, 2, 5] {
                    let columns = panels * WIDTH;
                    let (x_stride, w_stride, apart) = (inner + 3, inner + 1, columns + 2);
                    let (x, w) = (numbers(rows * x_stride, 1), numbers(columns * w_stride, 2));
                    let mut laid = vec![0.0; columns * inner];
                    lay_out(&mut laid, (&w, w_stride), inner);
                    let panels_of = Panels { data: &laid, stride: WIDTH, step: WIDTH * inner };
                    let mut out = vec![7.0; rows * apart];
                    let shape = [rows, inner, panels];
                    multiply_panels((&mut out, apart), (&x, x_stride), panels_of, shape, (0.5, true));
                    for (at, found) in out.iter().enumerate() {
                        let (row, column) = (at / apart, at % apart);
                        // Small eighths: exact in any order.
                        let sum = || (0..inner).map(|k| x[row * x_stride + k] * w[column * w_stride + k]).sum::<f32>();
                        let expected = if column < columns { 7.0 + sum() * 0.5 } else { 7.0 };
                        assert_eq!(*found, expected, "{rows} × {inner} × {columns} at {at}");
                    }
                }
            }
        }
    }

    /// More panels than are gone through at once, so that four rows pass by twice.
    #[test]
    fn wide_matrices_are_multiplied_a_stretch_at_a_time() {
        let (rows, inner, panels) = (6, STRETCH / WIDTH / 5 + 3, 11);
        let (x, w) = (numbers(rows * inner, 3), numbers(panels * WIDTH * inner, 4));
        let mut laid = vec![0.0; w.len()];
        lay_out(&mut laid, (&w, inner), inner);
        let mut out = vec![0.0; rows * panels * WIDTH];
        let w_panels = Panels { data: &laid, stride: WIDTH, step: WIDTH * inner };
        multiply_panels((&mut out, panels * WIDTH), (&x, inner), w_panels, [rows, inner, panels], (1.0, false));
        for (at, found) in out.iter().enumerate() {
            let (row, column) = (at / (panels * WIDTH), at % (panels * WIDTH));
            let products = (0..inner).map(|k| f64::from(x[row * inner + k]) * f64::from(w[column * inner + k]));
            assert_eq!(f64::from(*found), products.sum::<f64>(), "({row}, {column})");
        }
    }

    #[test]
    #[should_panic(expected = "a matrix is smaller than its shape")]
    fn panels_that_are_too_small_are_refused() {
        let w = Panels { data: &[1.0; 23], stride: WIDTH, step: 24 };
        multiply_panels((&mut [0.0; 8], 8), (&[1.0; 3], 3), w, [1, 3, 1], (1.0, false));
    }

    #[test]
    #[should_panic(expected = "the product does not fit")]
    fn a_product_that_does_not_fit_is_refused() {
        let w = Panels { data: &[1.0; 24], stride: WIDTH, step: 24 };
        multiply_panels((&mut [0.0; 15], 8), (&[1.0; 6], 3), w, [2, 3, 1], (1.0, false));
    }
}
