//! Rows of x as blocks of integers.

use crate::processor::with_widest_vectors;
use crate::quant::QuantisedFormat;
use crate::quant::convert::nearest_integers;
use crate::rows::for_each_row;
use crate::simd::F32x8;

/// 32 numbers of x as integers from −127 to 127.
#[repr(C, align(32))]
#[derive(Clone, Copy, Default)]
pub struct Block {
    /// For int4 weights, whose bytes have two numbers each: the numbers at even places, then those at odd places.
    pub integers: [i8; QuantisedFormat::BLOCK],
    /// Sums of integers, those of lane l of the products. Code whose products need positive weights adds an offset to them, and takes
    /// offset · sums away again.
    pub sums: [i32; SUM_LANES],
}

/// Lanes that the 32 products of a block are added into, four neighbours at a time.
pub const SUM_LANES: usize = if cfg!(target_arch = "wasm32") { 4 } else { 8 };

/// The largest integer of a block.
const LARGEST: f32 = 127.0;

/// x as blocks with a scale each, in the order that dot products with one format's weights need.
pub struct BlockRows {
    /// (rows, blocks)
    pub blocks: Vec<Block>,
    /// (rows, blocks)
    pub scales: Vec<f32>,
    /// The sum of each block's integers: (rows, blocks).
    pub totals: Vec<i32>,
}

impl BlockRows {
    /// Quantises x: (rows, inner), for a weight of `format`. The scale of a block is its largest number / 127, and NaN if a number of the
    /// block is not finite.
    pub fn new(x: &[f32], inner: usize, format: QuantisedFormat) -> Self {
        let in_row = inner.div_ceil(QuantisedFormat::BLOCK);
        let count = x.len() / inner.max(1) * in_row;
        let row_of = |row: usize| &x[row * inner..][..inner];
        // Scales first, then blocks: `for_each_row` shares the rows of one slice. A block takes about four times as long as its scale.
        let mut scales = vec![0.0; count];
        for_each_row(&mut scales, in_row, inner, |row, scales| {
            with_widest_vectors!({
                let mut scales = scales.iter_mut();
                for_each_block(row_of(row), inner, |numbers| {
                    if let Some(scale) = scales.next() {
                        *scale = scale_of(numbers);
                    }
                });
            });
        });
        let mut blocks = vec![Block::default(); count];
        for_each_row(&mut blocks, in_row, 4 * inner, |row, blocks| {
            with_widest_vectors!({
                let mut blocks = blocks.iter_mut().zip(&scales[row * in_row..]);
                for_each_block(row_of(row), inner, |numbers| {
                    if let Some((block, scale)) = blocks.next() {
                        *block = Block::new(&integers_of(numbers, *scale), format);
                    }
                });
            });
        });
        let totals = blocks.iter().map(|block| block.sums.iter().sum()).collect();
        Self { blocks, scales, totals }
    }
}

/// x rounded to int8 blocks: the numbers that [`BlockRows`] has. x: (rows, inner)
pub fn round_to_blocks(x: &[f32], inner: usize) -> Vec<f32> {
    let mut rounded = Vec::with_capacity(x.len());
    for_each_block(x, inner, |numbers| {
        let scale = scale_of(numbers);
        let count = QuantisedFormat::BLOCK.min(inner - rounded.len() % inner);
        rounded.extend(integers_of(numbers, scale)[..count].iter().map(|integer| *integer as f32 * scale));
    });
    rounded
}

/// Calls `apply` with each block of each row of x: (rows, inner). The last block of a row is padded with 0.
#[inline(always)]
fn for_each_block(x: &[f32], inner: usize, mut apply: impl FnMut(&[f32; QuantisedFormat::BLOCK])) {
    for row in x.chunks_exact(inner.max(1)) {
        let (blocks, rest) = row.as_chunks();
        blocks.iter().for_each(&mut apply);
        if !rest.is_empty() {
            let mut padded = [0.0; QuantisedFormat::BLOCK];
            padded[..rest.len()].copy_from_slice(rest);
            apply(&padded);
        }
    }
}

/// The largest number / 127; NaN if a number is not finite.
#[inline(always)]
fn scale_of(numbers: &[f32; QuantisedFormat::BLOCK]) -> f32 {
    let (zero, mut largest, mut broken) = (F32x8::splat(0.0), F32x8::splat(0.0), F32x8::splat(0.0));
    let (eights, _) = numbers.as_chunks::<{ F32x8::LANES }>();
    for eight in eights.iter().map(F32x8::from_array) {
        largest = largest.max(eight).max(eight.times(F32x8::splat(-1.0)));
        // 0 · number is NaN where the number is not finite.
        broken = broken.plus(zero.times(eight));
    }
    largest.largest() / LARGEST + broken.sum() as f32
}

/// The numbers in units of `scale`, rounded to the nearest integer, of two the even one.
#[inline(always)]
fn integers_of(numbers: &[f32; QuantisedFormat::BLOCK], scale: f32) -> [i32; QuantisedFormat::BLOCK] {
    // Smaller numbers have no reciprocal, and NaN has no integers.
    let inverse = if scale >= f32::MIN_POSITIVE { 1.0 / scale } else { 0.0 };
    nearest_integers(numbers.map(|number| number * inverse))
}

impl Block {
    #[inline(always)]
    fn new(integers: &[i32; QuantisedFormat::BLOCK], format: QuantisedFormat) -> Self {
        let integers = match format {
            QuantisedFormat::Int4 => std::array::from_fn(|at| integers[at % 16 * 2 + at / 16] as i8),
            _ => integers.map(|integer| integer as i8),
        };
        let mut sums = [0; SUM_LANES];
        for (at, four) in integers.as_chunks::<4>().0.iter().enumerate() {
            sums[at % SUM_LANES] += four.iter().map(|integer| i32::from(*integer)).sum::<i32>();
        }
        Self { integers, sums }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sines;

    #[test]
    fn a_number_is_off_by_at_most_half_a_step_of_its_block() {
        for inner in [1, 31, 32, 33, 100] {
            let x = sines(3 * inner, 1);
            let rounded = round_to_blocks(&x, inner);
            assert_eq!(rounded.len(), x.len());
            let (in_order, split) =
                [QuantisedFormat::Int8, QuantisedFormat::Int4].map(|format| BlockRows::new(&x, inner, format)).into();
            assert_eq!(in_order.scales, split.scales);
            for (at, (number, found)) in x.iter().zip(&rounded).enumerate() {
                let (row, column) = (at / inner, at % inner);
                let block = row * inner.div_ceil(32) + column / 32;
                let place = column % 32;
                let scale = in_order.scales[block];
                assert!((number - found).abs() <= scale * 0.5001, "{number} became {found}, in steps of {scale}");
                let integers =
                    [in_order.blocks[block].integers[place], split.blocks[block].integers[place / 2 + place % 2 * 16]];
                assert_eq!(integers.map(|integer| f32::from(integer) * scale), [*found; 2]);
            }
        }
    }

    #[test]
    fn the_extremes_of_a_block_have_integers() {
        for (number, integer, scale) in
            [(2.0, 127, 2.0 / 127.0), (-2.0, -127, 2.0 / 127.0), (0.0, 0, 0.0), (1e-44, 0, 0.0)]
        {
            let rows = BlockRows::new(&[number; 32], 32, QuantisedFormat::Int8);
            assert_eq!((rows.blocks[0].integers, rows.scales[0]), ([integer; 32], scale), "{number}");
            assert_eq!(rows.blocks[0].sums.iter().sum::<i32>(), 32 * i32::from(integer));
        }
        for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut x = [1.0; 64];
            x[40] = broken;
            let scales = BlockRows::new(&x, 64, QuantisedFormat::Int8).scales;
            assert!(scales[0] == 1.0 / 127.0 && scales[1].is_nan(), "{broken}: {scales:?}");
        }
    }
}
