//! Bytes as tokens write them, and the characters that bytes make up.

/// The bytes of a byte-level token, after GPT-2's encoder; none where one of its characters stands for no byte.
pub fn byte_level(token: &str) -> Option<Vec<u8>> {
    token.chars().map(byte_of).collect()
}

/// Printable bytes are written as themselves, the others follow each other from U+0100.
fn byte_of(character: char) -> Option<u8> {
    let printable = |byte: &u8| matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
    match u32::from(character) {
        point @ 0..=0xff => u8::try_from(point).ok().filter(printable),
        point => (0..=u8::MAX).filter(|byte| !printable(byte)).nth(usize::try_from(point).ok()? - 0x100),
    }
}

/// The byte of a token such as `<0xE2>`.
pub fn fallback(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 { u8::from_str_radix(digits, 16).ok() } else { None }
}

/// Puts bytes together to characters. Bytes that may still become one are held back; those that no longer can are
/// written ⟨E2⟩.
#[derive(Debug, Default)]
pub struct Characters {
    held: Vec<u8>,
}

impl Characters {
    /// The text that is certain with these bytes.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.held) {
                Ok(whole) => {
                    text.push_str(whole);
                    self.held.clear();
                    return text;
                }
                Err(error) => {
                    let rest = self.held.split_off(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(&self.held));
                    self.held = rest;
                    let Some(broken) = error.error_len() else { return text };
                    let rest = self.held.split_off(broken);
                    text.push_str(&self.flush());
                    self.held = rest;
                }
            }
        }
    }

    /// What is held back, as hexadecimal numbers.
    pub fn flush(&mut self) -> String {
        self.held.drain(..).map(hexadecimal).collect()
    }
}

/// A byte that is no character, for people to read: ⟨E2⟩.
pub fn hexadecimal(byte: u8) -> String {
    format!("⟨{byte:02X}⟩")
}
