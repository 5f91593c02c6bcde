//! Bytes in the notation of tokens, and characters from bytes.

/// The bytes of a byte-level token (GPT-2's encoder). `None` if one of its characters stands for no byte.
pub fn byte_level(token: &str) -> Option<Vec<u8>> {
    token.chars().map(byte_of).collect()
}

/// Printable bytes stand for themselves, the others are numbered from U+0100.
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

/// Joins bytes to characters. Bytes of an unfinished character wait for the next ones; invalid bytes are written as ⟨E2⟩.
#[derive(Debug, Default)]
pub struct Characters {
    pending: Vec<u8>,
}

impl Characters {
    /// The text that these bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.pending) {
                Ok(characters) => {
                    text.push_str(characters);
                    self.pending.clear();
                    return text;
                }
                Err(error) => {
                    let rest = self.pending.split_off(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(&self.pending));
                    self.pending = rest;
                    let Some(broken) = error.error_len() else { return text };
                    let rest = self.pending.split_off(broken);
                    text.push_str(&self.flush());
                    self.pending = rest;
                }
            }
        }
    }

    /// The bytes that still wait, as hexadecimal numbers.
    pub fn flush(&mut self) -> String {
        self.pending.drain(..).map(hexadecimal).collect()
    }
}

/// A byte without a character, as ⟨E2⟩.
pub fn hexadecimal(byte: u8) -> String {
    format!("⟨{byte:02X}⟩")
}
