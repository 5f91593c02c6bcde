//! Numbers as text, as JavaScript writes them.

/// The shortest digits that parse to the same number, with an exponent in the range where JavaScript writes one.
#[cfg(not(target_arch = "wasm32"))]
pub fn written(number: f64) -> String {
    let plain = number == 0.0 || !number.is_finite() || (1e-6..1e21).contains(&number.abs());
    if plain { number.to_string() } else { format!("{number:e}") }
}

/// The same as JavaScript writes it.
#[cfg(target_arch = "wasm32")]
pub fn written(number: f64) -> String {
    js_sys::Number::from(number).to_string_with_radix(10).ok().and_then(|text| text.as_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_numbers_have_an_exponent() {
        let numbers = [0.0, -1.5, 1e-6, 1e20, 1e21, -2.5e-7, 1e300, f64::INFINITY];
        let expected = ["0", "-1.5", "0.000001", "100000000000000000000", "1e21", "-2.5e-7", "1e300", "inf"];
        assert_eq!(numbers.map(written), expected);
        numbers.iter().for_each(|number| assert_eq!(written(*number).parse(), Ok(*number)));
    }
}
