//! Colours for attention weights.

/// 256 sRGB colours; a weight p has colour round(255 · √p).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    colours: Vec<[u8; 3]>,
}

impl Palette {
    /// Interpolates evenly spaced stops linearly in sRGB. `stops`: (stops, 3) sRGB bytes; without a stop, everything is black.
    pub fn from_stops(stops: &[u8]) -> Self {
        let stops: Vec<&[u8]> = stops.chunks_exact(3).collect();
        let last = stops.len().saturating_sub(1);
        let colour = |index: usize| {
            let place = index as f64 / 255.0 * last as f64;
            let low = (place as usize).min(last);
            let part = place - low as f64;
            let channel = |channel: usize| {
                let of = |stop: usize| stops.get(stop.min(last)).map_or(0.0, |stop| f64::from(stop[channel]));
                (of(low) + (of(low + 1) - of(low)) * part).round() as u8
            };
            [channel(0), channel(1), channel(2)]
        };
        Self { colours: (0..256).map(colour).collect() }
    }

    /// The sRGB colour of a weight from 0 to 1.
    pub fn colour(&self, probability: f32) -> [u8; 3] {
        self.colours[(probability.max(0.0).sqrt().min(1.0) * 255.0 + 0.5) as usize]
    }

    /// All colours, (256, 3) sRGB bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// The colours for the shader: opaque, red in the lowest byte.
    pub(super) fn packed(&self) -> Vec<u32> {
        self.colours.iter().map(|[red, green, blue]| u32::from_le_bytes([*red, *green, *blue, 255])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Palette;

    #[test]
    fn runs_through_its_stops() {
        let palette = Palette::from_stops(&[255, 255, 255, 0, 100, 50, 10, 20, 30]);
        assert_eq!(palette.colour(0.0), [255, 255, 255]);
        assert_eq!(palette.colour(1.0), [10, 20, 30]);
        // √0.25 is half way: the middle stop, within the step between two entries.
        let middle = palette.colour(0.25);
        for (found, expected) in middle.iter().zip([0u8, 100, 50]) {
            assert!(found.abs_diff(expected) <= 2, "{middle:?}");
        }
        assert_eq!(palette.colour(7.0), palette.colour(1.0));
        assert_eq!(palette.bytes().len(), 768);
    }

    #[test]
    fn takes_any_number_of_stops() {
        assert_eq!(Palette::from_stops(&[]).colour(0.5), [0, 0, 0]);
        assert_eq!(Palette::from_stops(&[1, 2, 3]).colour(0.5), [1, 2, 3]);
    }
}
