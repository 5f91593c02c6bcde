//! A check of precompiled charsmaps. The library allocates the size that a trie declares, up to 8 GB, before it reads the trie, and a
//! failed allocation aborts the program.

use serde::Deserialize;
use serde_json::Value;

/// Has the name that the library uses in its errors.
#[derive(Deserialize)]
#[serde(rename = "Tokenizer")]
struct Normalized {
    #[serde(default)]
    normalizer: Value,
}

/// Checks every charsmap of a tokenizer.json.
///
/// # Errors
/// A trie that is longer than its charsmap; a file that is not JSON or has two normalizers, because the library would read a charsmap
/// before it finds that error.
pub fn check(json: &[u8]) -> tokenizers::Result<()> {
    let Normalized { normalizer } = serde_json::from_slice(json)?;
    if declares_too_much(&normalizer) {
        return Err(
            "a precompiled_charsmap of its normalizer is cut short; fetch the file again, or give --ids to run".into(),
        );
    }
    Ok(())
}

fn declares_too_much(normalizer: &Value) -> bool {
    match normalizer {
        Value::Array(values) => values.iter().any(declares_too_much),
        Value::Object(settings) => settings.iter().any(|(name, value)| match value.as_str() {
            Some(base64) if name == "precompiled_charsmap" => {
                trie_bytes(base64).is_some_and(|bytes| u64::from(bytes) > base64.len() as u64)
            }
            _ => declares_too_much(value),
        }),
        _ => false,
    }
}

/// The first four bytes of a charsmap: its trie's length in bytes, little-endian.
fn trie_bytes(base64: &str) -> Option<u32> {
    let digits = base64.as_bytes().first_chunk::<6>()?;
    let bits = digits.iter().try_fold(0_u64, |bits, digit| Some(bits << 6 | u64::from(value(*digit)?)))?;
    // Six digits are 36 bits.
    Some(u32::try_from(bits >> 4).ok()?.swap_bytes())
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_trie_is_read() {
        assert_eq!(trie_bytes("BAAAAAD8/wA="), Some(4));
        assert_eq!(trie_bytes("AQIDBA=="), Some(0x0403_0201));
        assert_eq!(
            (trie_bytes("/P///w=="), trie_bytes("AAAA"), trie_bytes("A AAAAA=")),
            (Some(0xffff_fffc), None, None)
        );
    }
}
