//! Shorter names for what the module imports: wasm-bindgen's tell what they do and carry a hash, which every visitor would fetch.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::wasm_bytes::{IMPORTS, PREFIX, Reader, put, sections};

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
    let mut bindings = bindings.to_string();
    for (id, section) in sections(wasm)? {
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

#[cfg(test)]
mod tests {
    use super::{short, shortened};
    use crate::wasm_bytes::put;

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
