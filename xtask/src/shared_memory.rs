//! Allows shared memory for the engine: an isolated page changes one byte of the module (`web/engine/protocol/sharing.ts`), and the
//! bindings work with either kind of memory.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};

use crate::wasm_bytes::{MEMORY, PREFIX, Reader, sections};

/// Code that wasm-bindgen writes for unshared memory, and code that works for both. Shared memory is not detached when it grows, and
/// browsers refuse to decode or encode text in it.
const REPLACED: [(&str, &str); 3] = [
    ("Memory0.byteLength === 0)", "Memory0.buffer !== wasm.memory.buffer)"),
    ("cachedTextDecoder.decode(bytes)", "cachedTextDecoder.decode(bytes.slice())"),
    ("if (!('encodeInto' in cachedTextEncoder)) {", "if (cachedTextEncoder) {"),
];

/// The flag of an unshared memory with a limit.
const LIMITED: u8 = 1;

/// Makes the bindings work with shared memory, and says beside them, in `…_shared.js`, which byte of the module makes it so.
///
/// # Errors
/// When either file is not as wasm-bindgen makes it.
pub fn allow(module: &Path, bindings: &Path) -> anyhow::Result<()> {
    let at = limits_at(&fs::read(module)?).with_context(|| format!("no memory in {}", module.display()))?;
    let text = fs::read_to_string(bindings)?;
    fs::write(bindings, for_either(&text).with_context(|| format!("in {}", bindings.display()))?)?;
    let name = bindings.file_stem().and_then(|name| name.to_str()).context("bindings without a name")?;
    let sibling = |ending: &str| bindings.with_file_name(format!("{name}_shared.{ending}"));
    fs::write(sibling("js"), format!("export const sharedAt = {at};\n"))?;
    let comment = "/** The byte of the module that is 1, and 3 where its memory is to be shared. */";
    fs::write(sibling("d.ts"), format!("{comment}\nexport const sharedAt: number;\n"))?;
    Ok(())
}

/// The position of the memory's flags in the module.
fn limits_at(wasm: &[u8]) -> anyhow::Result<usize> {
    let mut sections = sections(wasm)?.into_iter();
    let (_, section) = sections.find(|(id, _)| *id == MEMORY).context("the memory is another's")?;
    let mut rest = Reader(section);
    ensure!(rest.number()? == 1, "more than one memory");
    // The section is a slice of the module.
    let at = rest.0.as_ptr() as usize - wasm.as_ptr() as usize;
    ensure!(at > PREFIX && rest.byte()? == LIMITED, "the memory has no limit");
    Ok(at)
}

fn for_either(bindings: &str) -> anyhow::Result<String> {
    let mut text = bindings.to_string();
    for (what, with) in REPLACED {
        ensure!(text.contains(what), "no {what}");
        text = text.replace(what, with);
    }
    // The replacements renew a view of the memory by its buffer. A view that compares lengths would stay stale when shared memory grows.
    ensure!(
        !text.contains("byteLength"),
        "a view of the memory is compared by its length, which no replacement covers"
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{for_either, limits_at};
    use crate::wasm_bytes::put;

    /// A module with these memory limits after a section of types.
    fn module(limits: &[u8]) -> Vec<u8> {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        for (id, section) in [(1, &[0][..]), (5, limits)] {
            wasm.push(id);
            put(&mut wasm, section);
        }
        wasm
    }

    #[test]
    fn the_flags_of_a_memory_with_a_limit_are_found() {
        let wasm = module(&[1, 1, 17, 32]);
        let at = limits_at(&wasm).unwrap();
        assert_eq!(wasm[at..], [1, 17, 32]);
        assert!(limits_at(&module(&[1, 0, 17])).is_err(), "no limit");
        assert!(limits_at(&module(&[2, 1, 17, 32, 1, 17, 32])).is_err(), "two memories");
        assert!(limits_at(&wasm[..11]).is_err(), "none");
    }

    #[test]
    fn bindings_that_are_written_in_another_way_are_refused() {
        let views = "a === null || aMemory0.byteLength === 0)";
        let text = "cachedTextDecoder.decode(bytes) if (!('encodeInto' in cachedTextEncoder)) {";
        let found = for_either(&format!("{views} {views} {text}")).unwrap();
        assert_eq!(found.matches("aMemory0.buffer !== wasm.memory.buffer)").count(), 2);
        assert!(found.ends_with("cachedTextDecoder.decode(bytes.slice()) if (cachedTextEncoder) {"));
        assert!(for_either(text).is_err() && for_either(views).is_err());
        assert!(for_either(&format!("{views} b.byteLength < 1 {text}")).is_err());
    }
}
