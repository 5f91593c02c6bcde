//! Random numbers.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). It computes with integers only, so that a
/// seed gives the same numbers in the browser and natively, bit for bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

/// Added to the state for each number.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(INCREMENT);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The bits after the next `count` ones, without drawing them.
    pub fn bits_after(&self, count: u64) -> u64 {
        Self { state: self.state.wrapping_add(count.wrapping_mul(INCREMENT)) }.bits()
    }

    /// A number in [0, 1): the upper 53 of 64 bits, which are exact in f64.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_published_ones() {
        let mut random = Random::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        let bits_after = [0, 1, 2, 3, 4].map(|count| random.bits_after(count));
        assert_eq!(bits_after, expected);
        assert_eq!(expected.map(|_| random.bits()), expected);
        assert_eq!(Random::new(0).bits(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn fractions_fill_the_unit_interval() {
        let mut random = Random::new(7);
        let mut tenths = [0; 10];
        for _ in 0..10_000 {
            let fraction = random.fraction();
            assert!((0.0..1.0).contains(&fraction));
            tenths[(fraction * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|count| (850..1150).contains(count)), "{tenths:?}");
    }
}
