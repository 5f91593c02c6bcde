//! The grid of all heads: a row of maps for each layer, a column for each head. The CPU reference for
//! `shaders/head_grid/head_grid.wgsl`.

use super::Palette;
use crate::kernels::{max_pool, tokens_of_pixel};

/// Sizes, order and colours of the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Side of a map in device pixels.
    pub cell: u32,
    /// Device pixels between two maps.
    pub gap: u32,
    pub palette: Palette,
    /// sRGB colour between the maps.
    pub ground: [u8; 3],
    /// The head at each place, (layers, heads). A place without an entry shows the head of the same index.
    pub order: Vec<u32>,
}

impl Layout {
    pub fn size(&self, layers: usize, heads: usize) -> (u32, u32) {
        let side = |count: usize| {
            let count = count as u32;
            (count * self.cell + count.saturating_sub(1) * self.gap).max(1)
        };
        (side(heads), side(layers))
    }

    /// The head at a place of a layer with `heads` heads.
    pub fn head_at(&self, layer: usize, place: usize, heads: usize) -> usize {
        self.order.get(layer * heads + place).map_or(place, |head| (*head as usize).min(heads.saturating_sub(1)))
    }

    /// The first row of pixels of a layer.
    pub fn top(&self, layer: usize) -> u32 {
        layer as u32 * (self.cell + self.gap)
    }
}

/// Paints the grid as RGBA bytes, (height, width, 4). `layers` has each layer's attention weights, (heads, length, length).
pub fn paint(layout: &Layout, layers: &[&[f32]], heads: usize, length: usize) -> Vec<u8> {
    let (width, height) = layout.size(layers.len(), heads);
    let [red, green, blue] = layout.ground;
    let mut pixels = [red, green, blue, 255].repeat((width * height) as usize);
    let mut weights = vec![0.0; layout.cell as usize];
    for (layer, maps) in layers.iter().enumerate() {
        for place in 0..heads {
            let first = layout.head_at(layer, place, heads) * length * length;
            let Some(map) = maps.get(first..first + length * length) else { continue };
            let left = place as u32 * (layout.cell + layout.gap);
            for y in 0..layout.cell {
                weights.fill(0.0);
                for query in tokens_of_pixel(y as usize, weights.len(), &(0..length)) {
                    max_pool(&mut weights, &map[query * length..][..length], &(0..length));
                }
                let row = ((layout.top(layer) + y) * width + left) as usize * 4;
                for (pixel, weight) in pixels[row..].chunks_exact_mut(4).zip(&weights) {
                    pixel[..3].copy_from_slice(&layout.palette.colour(*weight));
                }
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(cell: u32, gap: u32) -> Layout {
        Layout {
            cell,
            gap,
            palette: Palette::from_stops(&[0, 0, 0, 255, 255, 255]),
            ground: [7, 8, 9],
            order: Vec::new(),
        }
    }

    /// The first channel of each pixel, row by row.
    fn reds(layout: &Layout, layers: &[&[f32]], heads: usize, length: usize) -> Vec<u8> {
        paint(layout, layers, heads, length).chunks_exact(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn maps_are_painted_at_their_places() {
        // Two layers of two heads at length 1: weights 0, 1 above, 0.25 (root 0.5), 1 below.
        let (above, below) = ([0.0, 1.0], [0.25, 1.0]);
        let found = reds(&layout(1, 1), &[&above, &below], 2, 1);
        assert_eq!(found, [0, 7, 255, 7, 7, 7, 128, 7, 255]);
        // The second layer reversed. An order that is too short is completed; a head that does not exist becomes the last one.
        let ordered = |order: &[u32]| Layout { order: order.to_vec(), ..layout(1, 1) };
        let found = reds(&ordered(&[0, 1, 1, 0]), &[&above, &below], 2, 1);
        assert_eq!(found, [0, 7, 255, 7, 7, 7, 255, 7, 128]);
        assert_eq!(reds(&ordered(&[9]), &[&above, &below], 2, 1), [255, 7, 255, 7, 7, 7, 128, 7, 255]);
    }

    #[test]
    fn large_cells_repeat_a_token_and_small_ones_show_the_largest() {
        let map = [0.0, 1.0, 1.0, 0.0];
        #[rustfmt::skip]
        assert_eq!(reds(&layout(4, 0), &[&map], 1, 2), [
            0, 0, 255, 255,
            0, 0, 255, 255,
            255, 255, 0, 0,
            255, 255, 0, 0,
        ]);
        // A diagonal of a long text survives in a small picture.
        let length = 64;
        let diagonal: Vec<f32> = (0..length * length).map(|at| f32::from(u8::from(at % (length + 1) == 0))).collect();
        let found = reds(&layout(8, 0), &[&diagonal], 1, length);
        assert!((0..8).all(|at| found[at * 8 + at] == 255));
        assert_eq!(found.iter().filter(|red| **red > 0).count(), 8);
    }

    #[test]
    fn sizes_count_cells_and_gaps() {
        assert_eq!(layout(10, 2).size(3, 4), (46, 34));
        assert_eq!(layout(10, 2).size(0, 0), (1, 1), "a canvas has at least one pixel");
        assert_eq!(layout(10, 2).top(2), 24);
        assert_eq!(paint(&layout(1, 0), &[], 0, 0), [7, 8, 9, 255]);
    }
}
