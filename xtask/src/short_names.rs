//! Shorter names for what the module imports: wasm-bindgen's tell what they do and carry a hash, which every visitor would fetch.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

/// Bytes before a module's first section: its magic and version.
const PREFIX: usize = 8;

/// The id of the section with the imports.
const IMPORTS: u8 = 2;

/// Renames all imports of a module, and the functions of the same names in its bindings.
///
/// # Errors
/// When either file is not as wasm-bindgen makes it.
pub fn shorten(module: &Path, bindings: &Path) -> anyhow::Result<()> {
    let wasm = fs::read(module)?;
    let text = fs::read_to_string(bindings)?;
    let (wasm, text) = shortened(&wasm, &text).with_context(|| format!("no imports in {}", module.display()))?;
    fs::write(module, wasm)?;
    fs::write(bindings, text)?;
    Ok(())
}

fn shortened(wasm: &[u8], bindings: &str) -> anyhow::Result<(Vec<u8>, String)> {
    let mut out = wasm.get(..PREFIX).context("the module is cut short")?.to_vec();
    let mut rest = Reader(&wasm[PREFIX..]);
    let mut bindings = bindings.to_string();
    while !rest.0.is_empty() {
        let id = rest.byte()?;
        let section = rest.name()?;
        let renamed = if id == IMPORTS { renamed(section, &mut bindings)? } else { section.to_vec() };
        out.push(id);
        put(&mut out, &renamed);
    }
    Ok((out, bindings))
}

/// The section with shorter names, which the bindings get, too.
fn renamed(section: &[u8], bindings: &mut String) -> anyhow::Result<Vec<u8>> {
    let mut rest = Reader(section);
    let count = rest.number()?;
    let mut out = section[..section.len() - rest.0.len()].to_vec();
    for index in 0..count {
        put(&mut out, rest.name()?);
        let name = std::str::from_utf8(rest.name()?)?;
        let short = short(index);
        // A method of the object that the module imports from: nothing else in the file is written so.
        let method = format!("\n        {name}: ");
        if bindings.matches(&method).count() != 1 {
            bail!("{name} is not one function of the bindings");
        }
        *bindings = bindings.replacen(&method, &format!("\n        {short}: "), 1);
        put(&mut out, short.as_bytes());
        let before = rest.0;
        rest.external()?;
        out.extend(&before[..before.len() - rest.0.len()]);
    }
    Ok(out)
}

/// a, b, … z, ba, bb, …: the digits of a number.
fn short(mut index: u32) -> String {
    let mut name = String::new();
    loop {
        name.insert(0, char::from(b'a' + (index % 26) as u8));
        index /= 26;
        if index == 0 {
            return name;
        }
    }
}

/// Its length, then the bytes.
fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut left = bytes.len();
    while left >= 128 {
        out.push(left as u8 | 128);
        left >>= 7;
    }
    out.push(left as u8);
    out.extend(bytes);
}

/// What is not read yet of a module's bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> anyhow::Result<u8> {
        let (first, rest) = self.0.split_first().context("the module is cut short")?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number in LEB128.
    fn number(&mut self) -> anyhow::Result<u32> {
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

    /// Bytes with their length before them: a name, or a section.
    fn name(&mut self) -> anyhow::Result<&'a [u8]> {
        let length = self.number()? as usize;
        let (name, rest) = self.0.split_at_checked(length).context("the module is cut short")?;
        self.0 = rest;
        Ok(name)
    }

    /// What is imported: a function by its type, a table, a memory, a global or a tag.
    fn external(&mut self) -> anyhow::Result<()> {
        match self.byte()? {
            0 => drop(self.number()?),
            kind @ (1 | 2) => {
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{put, short, shortened};

    /// A module that imports functions of these names.
    fn module(names: &[&str]) -> Vec<u8> {
        let mut section = vec![names.len() as u8];
        for name in names {
            put(&mut section, b"./x.js");
            put(&mut section, name.as_bytes());
            section.extend([0, 3]);
        }
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        for (id, bytes) in [(1, &b"types"[..]), (2, &section), (10, b"code")] {
            wasm.push(id);
            put(&mut wasm, bytes);
        }
        wasm
    }

    #[test]
    fn names_are_the_same_on_both_sides() {
        let bindings =
            "x = {\n        __wbg_log_12: function() { __wbg_log_1(); },\n        __wbg_log_1: addHeapObject,\n}";
        let (wasm, text) = shortened(&module(&["__wbg_log_1", "__wbg_log_12"]), bindings).unwrap();
        assert_eq!(wasm, module(&["a", "b"]));
        assert_eq!(text, "x = {\n        b: function() { __wbg_log_1(); },\n        a: addHeapObject,\n}");
    }

    #[test]
    fn a_long_section_keeps_its_length() {
        let names: Vec<String> = (0..40).map(|index| format!("a_name_that_is_long_{index}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let bindings: String = names.iter().map(|name| format!("\n        {name}: f,")).collect();
        let (wasm, _) = shortened(&module(&names), &bindings).unwrap();
        let shorts: Vec<String> = (0..40).map(short).collect();
        assert_eq!(wasm, module(&shorts.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!((short(25), short(26), short(701)), ("z".into(), "ba".into(), "baz".into()));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        assert!(shortened(&module(&["missing"]), "x = {}").is_err());
        // Cut short in its prefix, in a section, and in the length of one.
        for length in [4, 9, 12, 16, 20] {
            assert!(shortened(&module(&["one"])[..length], "\n        one: f").is_err(), "{length} bytes");
        }
    }
}
