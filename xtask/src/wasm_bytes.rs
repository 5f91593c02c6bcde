//! Reads and writes WebAssembly: sections and their numbers.

use anyhow::{Context, bail};

/// Bytes before a module's first section: its magic and version.
pub const PREFIX: usize = 8;

/// The id of a section that is for tools, such as the names.
pub const CUSTOM: u8 = 0;

/// The id of the section with the imports.
pub const IMPORTS: u8 = 2;

/// The id of the section with the memory.
pub const MEMORY: u8 = 5;

/// The id of the section with the functions' bodies.
pub const CODE: u8 = 10;

/// A module's sections by their ids, in order.
///
/// # Errors
/// When the module is cut short.
pub fn sections(wasm: &[u8]) -> anyhow::Result<Vec<(u8, &[u8])>> {
    let mut rest = Reader(wasm.get(PREFIX..).context("the module is cut short")?);
    let mut sections = Vec::new();
    while !rest.0.is_empty() {
        sections.push((rest.byte()?, rest.name()?));
    }
    Ok(sections)
}

/// A number in LEB128.
pub fn put_number(out: &mut Vec<u8>, number: usize) {
    let mut left = number;
    while left >= 128 {
        out.push(left as u8 | 128);
        left >>= 7;
    }
    out.push(left as u8);
}

/// Its length, then the bytes.
pub fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len());
    out.extend(bytes);
}

/// The unread bytes of a module.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn byte(&mut self) -> anyhow::Result<u8> {
        let (first, rest) = self.0.split_first().context("the module is cut short")?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number in LEB128.
    pub fn number(&mut self) -> anyhow::Result<u32> {
        let mut number = 0u32;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        bail!("a number is too long");
    }

    /// Bytes with their length before them: a name, a section or a function's body.
    pub fn name(&mut self) -> anyhow::Result<&'a [u8]> {
        let length = self.number()? as usize;
        let (name, rest) = self.0.split_at_checked(length).context("the module is cut short")?;
        self.0 = rest;
        Ok(name)
    }

    /// Skips the description of an import (function, table, memory, global or tag). Returns true for a function.
    pub fn external(&mut self) -> anyhow::Result<bool> {
        let kind = self.byte()?;
        match kind {
            0 => drop(self.number()?),
            1 | 2 => {
                if kind == 1 {
                    self.byte()?;
                }
                let has_most = self.byte()? & 1 == 1;
                self.number()?;
                if has_most {
                    self.number()?;
                }
            }
            3 | 4 => drop((self.byte()?, self.byte()?)),
            kind => bail!("an import of kind {kind}"),
        }
        Ok(kind == 0)
    }
}
