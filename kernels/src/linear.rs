//! A linear layer: x times a stored weight, with its epilogue.

use crate::epilogue::LinearEpilogue;
#[cfg(not(target_arch = "wasm32"))]
use crate::gemm::{FloatWeight, convert_and_multiply, multiply_few_rows};
use crate::gemm::{Matrix, PACKING_PAYS, PANEL, Panels, gemm, gemm_panels, gemm_transposed};
#[cfg(not(target_arch = "wasm32"))]
use crate::processor::Processor;
#[cfg(target_arch = "wasm32")]
use crate::quant::quantised_gemm;
use crate::quant::{QuantisedFormat, integer_gemm, round_to_blocks};
use crate::weight::WeightView;

/// Whether a weight is multiplied as it is stored: for up to 32 rows of x that takes 0.4 (3 rows) to 0.95 (32) of the gemm crate's time,
/// which packs the weight. Measured with AVX-512 and with AVX2; other processors take the crate from three rows on.
#[cfg(not(target_arch = "wasm32"))]
fn has_few_rows(rows: usize) -> bool {
    let most = match Processor::detect() {
        #[cfg(target_arch = "x86_64")]
        Processor::Vnni | Processor::Avx2 => 32,
        #[cfg(target_arch = "aarch64")]
        Processor::DotProduct => PACKING_PAYS - 1,
        Processor::Baseline => PACKING_PAYS - 1,
    };
    rows <= most
}

/// out = epilogue(x · weightᵀ). x: (rows, inner), weight: (columns, inner), out: (rows, columns). Panics if a slice is smaller than its
/// shape; plans check shapes before they run.
#[inline(never)]
pub fn linear(
    out: &mut [f32],
    x: &[f32],
    weight: WeightView<'_>,
    [rows, inner, columns]: [usize; 3],
    epilogue: &LinearEpilogue<'_>,
) {
    if rows == 0 {
        return;
    }
    match weight {
        #[cfg(not(target_arch = "wasm32"))]
        WeightView::Plain(weight) if has_few_rows(rows) => {
            multiply_few_rows(out, x, FloatWeight::F32(weight), [rows, inner, columns]);
        }
        WeightView::Plain(weight) => gemm_transposed(out, x, weight, [rows, inner, columns]),
        WeightView::Packed(weight) => return packed_linear(out, x, weight, [rows, inner, columns], epilogue),
        WeightView::Quantised(format, words) => {
            return quantised_linear(out, x, (format, words), [rows, inner, columns], epilogue);
        }
    }
    epilogue.apply(out, columns);
}

/// Natively integers are multiplied as integers, and 16-bit numbers converted: as they are read for few rows, some rows of the weight at a
/// time for more.
#[cfg(not(target_arch = "wasm32"))]
fn quantised_linear(
    out: &mut [f32],
    x: &[f32],
    (format, words): (QuantisedFormat, &[u32]),
    shape @ [rows, inner, columns]: [usize; 3],
    epilogue: &LinearEpilogue<'_>,
) {
    let few = has_few_rows(rows);
    match format {
        QuantisedFormat::F16 if few => multiply_few_rows(out, x, FloatWeight::F16(words), shape),
        QuantisedFormat::BF16 if few => multiply_few_rows(out, x, FloatWeight::BF16(words), shape),
        QuantisedFormat::F16 | QuantisedFormat::BF16 => convert_and_multiply(out, x, (format, words), shape),
        // For many rows the gemm crate is quicker than code without special instructions (measured on x86-64): x rounded to blocks gives the same
        // results but for rounding.
        _ if rows >= PACKING_PAYS && Processor::detect() == Processor::Baseline => {
            convert_and_multiply(out, &round_to_blocks(x, inner), (format, words), shape);
        }
        _ => return integer_gemm(out, x, (format, words), shape, epilogue),
    }
    epilogue.apply(out, columns);
}

/// In WASM integers are multiplied as integers for few rows. For more the f32 product is quicker: of x rounded to blocks, so that a row's
/// result is the same but for rounding.
#[cfg(target_arch = "wasm32")]
fn quantised_linear(
    out: &mut [f32],
    x: &[f32],
    (format, words): (QuantisedFormat, &[u32]),
    shape @ [rows, inner, _]: [usize; 3],
    epilogue: &LinearEpilogue<'_>,
) {
    match format {
        QuantisedFormat::F16 | QuantisedFormat::BF16 => quantised_gemm(out, x, (format, words), shape, epilogue),
        _ if rows < PACKING_PAYS => integer_gemm(out, x, (format, words), shape, epilogue),
        _ => quantised_gemm(out, &round_to_blocks(x, inner), (format, words), shape, epilogue),
    }
}

/// Whole panels by the packed product; the rows after them are plain.
fn packed_linear(
    out: &mut [f32],
    x: &[f32],
    weight: &[f32],
    [rows, inner, columns]: [usize; 3],
    epilogue: &LinearEpilogue<'_>,
) {
    let panels = columns / PANEL;
    let packed = Panels { data: weight, stride: PANEL, step: PANEL * inner };
    gemm_panels((out, columns), (x, inner), packed, [rows, inner, panels], (1.0, false), epilogue);
    let (first, rest) = (panels * PANEL, columns % PANEL);
    let right = Matrix::transposed(&weight[first * inner..], inner);
    gemm(&mut out[first..], columns, Matrix::rows(x, inner), right, [rows, inner, rest], 1.0);
    epilogue.apply_columns(&mut out[..rows * columns], columns, first..columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::Activation;
    use crate::quant::QuantisedFormat;
    use crate::tests::eighths;
    use crate::weight::WeightData;

    #[test]
    fn a_packed_weight_gives_what_a_plain_one_gives() {
        for rows in [1, 2, 3, 4, 7, 17] {
            for inner in [1, 3, 16, 37] {
                for columns in [1, 3, 7, 8, 9, 16, 34, 43] {
                    let (x, weight) = (eighths(rows * inner, 1), eighths(columns * inner, 2));
                    let (bias, residual) = (eighths(columns, 3), eighths(rows * columns, 4));
                    let activation = Some(Activation::Relu);
                    let epilogue = LinearEpilogue { bias: Some(&bias), activation, residual: Some(&residual) };
                    let [mut expected, mut found] = [vec![0.0; rows * columns], vec![7.0; rows * columns]];
                    linear(&mut expected, &x, WeightView::Plain(&weight), [rows, inner, columns], &epilogue);
                    let mut packed = WeightData::Plain(weight);
                    packed.pack(inner);
                    linear(&mut found, &x, packed.view(), [rows, inner, columns], &epilogue);
                    assert_eq!(found, expected, "{rows} × {inner} × {columns}");
                }
            }
        }
    }

    #[test]
    fn quantised_weights_take_an_epilogue_and_may_be_in_parts() {
        for (format, rows) in
            QuantisedFormat::ALL.into_iter().flat_map(|format| [1, 2, 3, 9].map(|rows| (format, rows)))
        {
            let (inner, columns) = (70, 43);
            let (x, weight) = (eighths(rows * inner, 1), eighths(columns * inner, 2));
            let (bias, residual) = (eighths(columns, 3), eighths(rows * columns, 4));
            let mut words = vec![0; columns * format.row_words(inner)];
            for (row, words) in weight.chunks_exact(inner).zip(words.chunks_exact_mut(format.row_words(inner))) {
                assert!(format.quantise(row, words));
            }
            let weight = WeightView::Quantised(format, &words);
            let mut expected = vec![7.0; rows * columns];
            linear(&mut expected, &x, weight, [rows, inner, columns], &LinearEpilogue::default());
            for part in [0..16, 16..43] {
                let mut found = vec![7.0; rows * part.len()];
                let slice = weight.slice(part.clone(), inner);
                linear(&mut found, &x, slice, [rows, inner, part.len()], &LinearEpilogue::default());
                for (row, found) in found.chunks_exact(part.len()).enumerate() {
                    assert_eq!(found, &expected[row * columns..][part.clone()], "{format:?}, {rows} rows, {part:?}");
                }
            }
            let activation = Some(Activation::Relu);
            let epilogue = LinearEpilogue { bias: Some(&bias), activation, residual: Some(&residual) };
            let mut found = vec![7.0; rows * columns];
            linear(&mut found, &x, weight, [rows, inner, columns], &epilogue);
            epilogue.apply(&mut expected, columns);
            assert_eq!(found, expected, "{format:?}, {rows} rows");
        }
    }

    #[test]
    fn a_product_without_rows_does_nothing() {
        let words = vec![0; 40 * QuantisedFormat::Int8.row_words(3)];
        let weight = WeightView::Quantised(QuantisedFormat::Int8, &words);
        linear(&mut [], &[], weight, [0, 3, 40], &LinearEpilogue::default());
    }
}
