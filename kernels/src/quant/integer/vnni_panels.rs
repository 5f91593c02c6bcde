//! Products of many rows of x with AVX-512 VNNI: sixteen columns are the lanes of a vector, so that a block needs one scale vector for all of
//! them, and no sum goes over lanes.

use super::job::{COLUMN_STEP, IntegerGemmJob};
use super::products::BlockProducts as _;
use super::x86::X86;
use crate::quant::QuantisedFormat;
use std::arch::x86_64::*;

/// From this many rows of x on, packing the weight pays.
pub const MANY_ROWS: usize = 8;

/// Columns of a panel.
pub const COLUMNS: usize = 16;
const _: () = assert!(COLUMN_STEP.is_multiple_of(COLUMNS));

/// Rows of x that are multiplied at once, as registers allow.
const ROWS: usize = 8;

/// Groups of four neighbours in a block, which a dot product instruction adds up.
const GROUPS: usize = QuantisedFormat::BLOCK / 4;

/// Words of a packed block of all columns.
const BLOCK_WORDS: usize = GROUPS * COLUMNS;

/// Numbers of scratch for a panel with this many blocks: the packed weight, and the scales by block and by column.
pub fn scratch(blocks: usize) -> usize {
    blocks * (BLOCK_WORDS + 2 * COLUMNS)
}

/// All rows of x times the columns from `first` on, below `end`, up to [`COLUMNS`] of them.
///
/// # Safety
/// The processor has AVX-512 F, VL and VNNI, AVX2, FMA and F16C. The job's pointers are valid for its shapes, `first < end <= columns`, and
/// `scratch` has [`scratch`] writable numbers.
#[inline(always)]
pub unsafe fn multiply<const BITS: usize>(job: &IntegerGemmJob, first: usize, end: usize, scratch: *mut f32) {
    // SAFETY: scratch has room for the packed blocks, then for their scales twice. Rows below `rows` follow in steps of ROWS, then of one.
    unsafe {
        let packed = scratch.cast::<u32>();
        let scales = scratch.add(job.blocks * BLOCK_WORDS);
        pack::<BITS>(job, (first, end), packed, scales);
        let mut row = 0;
        while row + ROWS <= job.rows {
            tile::<BITS, ROWS>(job, row, (first, end), packed, scales);
            row += ROWS;
        }
        while row < job.rows {
            tile::<BITS, 1>(job, row, (first, end), packed, scales);
            row += 1;
        }
    }
}

/// Packs the columns: word (group, column) of a block has four neighbouring integers of a column, each plus 2^(BITS − 1). The last column
/// stands in for missing ones. Scales go to (block, column).
///
/// # Safety
/// That of [`multiply`]; `packed` and `scales` have room for all blocks, `scales` twice.
#[inline(always)]
unsafe fn pack<const BITS: usize>(
    job: &IntegerGemmJob,
    (first, end): (usize, usize),
    packed: *mut u32,
    scales: *mut f32,
) {
    // SAFETY: columns are clamped below `end`; a row of the weight has `blocks` blocks of BITS words, and their scales after them.
    unsafe {
        let by_column = scales.add(job.blocks * COLUMNS);
        for column in 0..COLUMNS {
            let words = job.words.add((first + column).min(end - 1) * job.row_words);
            X86::<true>::convert_f16(words.add(job.blocks * BITS), by_column, job.blocks);
            for block in 0..job.blocks {
                *scales.add(block * COLUMNS + column) = *by_column.add(block);
                let (words, to) = (words.add(block * BITS), packed.add(block * BLOCK_WORDS + column));
                for at in 0..BITS {
                    let word = *words.add(at);
                    if BITS == 8 {
                        *to.add(at * COLUMNS) = word ^ 0x8080_8080;
                    } else {
                        // The numbers at even places come first, as in a block of x.
                        let word = word ^ 0x8888_8888;
                        *to.add(at * COLUMNS) = word & 0x0f0f_0f0f;
                        *to.add((at + GROUPS / 2) * COLUMNS) = (word >> 4) & 0x0f0f_0f0f;
                    }
                }
            }
        }
    }
}

/// R rows from `row` on times the packed columns.
///
/// # Safety
/// That of [`multiply`], and `row + R <= rows`. `packed` and `scales` have been packed.
#[inline(always)]
unsafe fn tile<const BITS: usize, const R: usize>(
    job: &IntegerGemmJob,
    row: usize,
    (first, end): (usize, usize),
    packed: *const u32,
    scales: *const f32,
) {
    // SAFETY: `block < blocks` for each of R rows of x; a block has its groups; the mask leaves out columns from `end` on.
    unsafe {
        let at = |r: usize, block: usize| (row + r) * job.blocks + block;
        let mut sums = [_mm512_setzero_ps(); R];
        let mut block = 0;
        while block < job.blocks {
            let weights = packed.add(block * BLOCK_WORDS);
            // The offset of the weights times x is taken away.
            let mut products: [__m512i; R] =
                std::array::from_fn(|r| _mm512_set1_epi32(-(*job.x_totals.add(at(r, block)) << (BITS - 1))));
            for group in 0..GROUPS {
                let weights = _mm512_loadu_si512(weights.add(group * COLUMNS).cast());
                for (r, product) in products.iter_mut().enumerate() {
                    let four = (*job.x.add(at(r, block))).integers.as_ptr().cast::<i32>().add(group);
                    *product = _mm512_dpbusd_epi32(*product, weights, _mm512_set1_epi32(four.read_unaligned()));
                }
            }
            let weight_scales = _mm512_loadu_ps(scales.add(block * COLUMNS));
            for (r, (sum, product)) in sums.iter_mut().zip(products).enumerate() {
                let scale = _mm512_mul_ps(weight_scales, _mm512_set1_ps(*job.x_scales.add(at(r, block))));
                *sum = _mm512_fmadd_ps(_mm512_cvtepi32_ps(product), scale, *sum);
            }
            block += 1;
        }
        let written = (1_u32 << (end - first).min(COLUMNS)) - 1;
        for (r, sum) in sums.into_iter().enumerate() {
            _mm512_mask_storeu_ps(job.out.add((row + r) * job.columns + first), written as __mmask16, sum);
        }
    }
}
