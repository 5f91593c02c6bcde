//! Max pooling of an attention map to few pixels, so that a thin diagonal survives.

use std::ops::Range;

/// The tokens that pixel `at` of `pixels` covers: of n tokens, those from ⌊at · n / pixels⌋ to ⌈(at + 1) · n / pixels⌉, at least one.
pub fn tokens_of_pixel(at: usize, pixels: usize, tokens: &Range<usize>) -> Range<usize> {
    let count = tokens.len();
    let first = at * count / pixels;
    let end = ((at + 1) * count).div_ceil(pixels).max(first + 1).min(count);
    tokens.start + first..tokens.start + end
}

/// Raises each pixel to the largest number that it covers. `tokens` is the part of `numbers` that the pixels show.
#[inline(never)]
pub fn max_pool(pixels: &mut [f32], numbers: &[f32], tokens: &Range<usize>) {
    let count = pixels.len();
    for (at, pixel) in pixels.iter_mut().enumerate() {
        *pixel = numbers[tokens_of_pixel(at, count, tokens)].iter().fold(*pixel, |most, number| most.max(*number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_cover_every_token_in_order() {
        for pixels in 1..40 {
            for count in 1..90 {
                let tokens = 7..7 + count;
                let ranges: Vec<_> = (0..pixels).map(|at| tokens_of_pixel(at, pixels, &tokens)).collect();
                let what = format!("{pixels} pixels, {count} tokens");
                assert_eq!((ranges[0].start, ranges[pixels - 1].end), (7, 7 + count), "{what}");
                assert!(ranges.iter().all(|range| !range.is_empty()), "{what}");
                assert!(ranges.windows(2).all(|pair| pair[1].start <= pair[0].end), "{what}");
            }
        }
    }

    #[test]
    fn a_pixel_shows_the_largest_number_it_covers() {
        let numbers = [9.0, 1.0, 4.0, 2.0, 3.0, 9.0];
        let mut pixels = [f32::MIN, 3.5];
        max_pool(&mut pixels, &numbers, &(1..5));
        assert_eq!(pixels, [4.0, 3.5]);
        let mut wide = [f32::MIN; 4];
        max_pool(&mut wide, &numbers, &(2..4));
        assert_eq!(wide, [4.0, 4.0, 2.0, 2.0]);
    }
}
