//! Numbers as text, with an exponent where JavaScript writes one.

/// The shortest digits that parse to the same number. Large and small numbers have an exponent, as "1e21".
pub fn format_number(number: f64) -> String {
    let plain = number == 0.0 || !number.is_finite() || (1e-6..1e21).contains(&number.abs());
    if plain { number.to_string() } else { format!("{number:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_numbers_have_an_exponent() {
        let numbers = [0.0, -1.5, 1e-6, 1e20, 1e21, -2.5e-7, 1e300, f64::INFINITY];
        let expected = ["0", "-1.5", "0.000001", "100000000000000000000", "1e21", "-2.5e-7", "1e300", "inf"];
        assert_eq!(numbers.map(format_number), expected);
        numbers.iter().for_each(|number| assert_eq!(format_number(*number).parse(), Ok(*number)));
    }
}
