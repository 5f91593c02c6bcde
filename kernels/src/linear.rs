//! A linear layer: x times a stored weight, with its epilogue.

use crate::epilogue::LinearEpilogue;
use crate::gemm::{Matrix, PANEL, Panels, gemm, gemm_panels, gemm_transposed};
#[cfg(not(target_arch = "wasm32"))]
use crate::gemm::{PACKING_PAYS, dequantise_and_multiply};
use crate::quant::quantised_gemm;
use crate::weight::WeightView;

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
        WeightView::Plain(weight) => gemm_transposed(out, x, weight, [rows, inner, columns]),
        WeightView::Packed(weight) => return packed_linear(out, x, weight, [rows, inner, columns], epilogue),
        #[cfg(not(target_arch = "wasm32"))]
        WeightView::Quantised(format, words) if rows >= PACKING_PAYS => {
            dequantise_and_multiply(out, x, (format, words), [rows, inner, columns]);
        }
        WeightView::Quantised(format, words) => {
            return quantised_gemm(out, x, (format, words), [rows, inner, columns], epilogue);
        }
    }
    epilogue.apply(out, columns);
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
    fn a_product_without_rows_does_nothing() {
        let words = vec![0; 40 * QuantisedFormat::Int8.row_words(3)];
        let weight = WeightView::Quantised(QuantisedFormat::Int8, &words);
        linear(&mut [], &[], weight, [0, 3, 40], &LinearEpilogue::default());
    }
}
