//! A safetensors file of f32 tensors, as the safetensors crate writes it.

use super::PREFIX;
use std::fmt::Write;

/// A tensor to be written: its name without quotes or backslashes, its shape, its numbers.
pub type Named<'a> = (&'a str, &'a [usize], &'a [f32]);

/// The file of these tensors, whose names come in order: header, then their numbers, little-endian.
pub fn write_tensors(tensors: &[Named<'_>]) -> Vec<u8> {
    let mut header = String::from("{");
    let mut end = 0;
    for (name, shape, data) in tensors {
        let (first, comma) = (end, if end == 0 { "" } else { "," });
        end += 4 * data.len();
        // A String takes every write.
        let _ = write!(header, r#"{comma}"{name}":{{"dtype":"F32","shape":["#);
        for (at, size) in shape.iter().enumerate() {
            let _ = write!(header, "{}{size}", if at == 0 { "" } else { "," });
        }
        let _ = write!(header, r#"],"data_offsets":[{first},{end}]}}"#);
    }
    header.push('}');
    // Numbers begin at a multiple of their own size.
    while !header.len().is_multiple_of(PREFIX) {
        header.push(' ');
    }
    let mut file = Vec::with_capacity(PREFIX + header.len() + end);
    file.extend_from_slice(&(header.len() as u64).to_le_bytes());
    file.extend_from_slice(header.as_bytes());
    for number in tensors.iter().flat_map(|(_, _, data)| *data) {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::{Named, write_tensors};
    use safetensors::tensor::{Dtype, TensorView, serialize};

    #[test]
    fn files_are_the_crates_to_the_byte() {
        let numbers = [1.0f32, -2.5, 0.0, f32::MAX, 7.0, 1e-30];
        let all: [Named<'_>; 4] = [
            ("attentions.0", &[1, 2, 3], &numbers),
            ("hidden_states.10", &[1, 1], &numbers[..1]),
            ("hidden_states.2", &[2], &numbers[1..3]),
            ("logits", &[3, 1], &numbers[3..]),
        ];
        for count in 0..=all.len() {
            let tensors = &all[..count];
            let bytes: Vec<Vec<u8>> = tensors
                .iter()
                .map(|(_, _, data)| data.iter().flat_map(|number| number.to_le_bytes()).collect())
                .collect();
            let views = tensors
                .iter()
                .zip(&bytes)
                .map(|((name, shape, _), bytes)| (*name, TensorView::new(Dtype::F32, shape.to_vec(), bytes).unwrap()));
            assert_eq!(write_tensors(tensors), serialize(views, None).unwrap(), "{count} tensors");
        }
    }
}
