//! How fast something grows.

/// The slope of ln y over ln x by least squares; none of fewer than two points.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let [x, y] = [|point: &(f64, f64)| point.0.ln(), |point: &(f64, f64)| point.1.ln()]
        .map(|part: fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>() / count);
    let above: f64 = points.iter().map(|point| (point.0.ln() - x) * (point.1.ln() - y)).sum();
    let below: f64 = points.iter().map(|point| (point.0.ln() - x).powi(2)).sum();
    (points.len() > 1 && below > 0.0).then_some(above / below)
}

/// That of the larger half of ever larger points.
pub fn exponent_at_the_end(points: &[(f64, f64)]) -> Option<f64> {
    exponent(&points[points.len() / 2..])
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let points = [64.0, 256.0, 1024.0].map(|length: f64| (length, 3.0 * length.powf(1.75)));
        assert!((exponent(&points).unwrap() - 1.75).abs() < 1e-9);
        assert_eq!(exponent(&points[..1]), None);
    }
}
