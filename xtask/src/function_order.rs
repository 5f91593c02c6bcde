//! Orders a module's functions so that gzip packs them well: it finds repetitions within 32 KiB only, and near ones are cheaper.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::wasm_bytes::{CODE, CUSTOM, IMPORTS, PREFIX, Reader, put, put_number, sections};

/// Bytes of a repeated piece of code: about the shortest that gzip profits from.
const PIECE: usize = 6;

/// gzip's window, minus the size of the function itself.
const WINDOW: usize = 30_000;

/// Names all functions of a module by their places in the order, in digits, in place: Binaryen can then sort them by name.
///
/// # Errors
/// When the file is no module.
pub fn name(module: &Path) -> anyhow::Result<()> {
    let wasm = fs::read(module)?;
    let named = named(&wasm).with_context(|| format!("no functions in {}", module.display()))?;
    fs::write(module, named)?;
    Ok(())
}

fn named(wasm: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut out = wasm.get(..PREFIX).context("the module is cut short")?.to_vec();
    let mut imported = 0;
    let mut bodies = Vec::new();
    for (id, section) in sections(wasm)? {
        match id {
            IMPORTS => imported = imported_functions(section)?,
            CODE => bodies = functions(section)?,
            _ => {}
        }
        if id != CUSTOM {
            out.push(id);
            put(&mut out, section);
        }
    }
    out.push(CUSTOM);
    put(&mut out, &names(imported, &order(&bodies)));
    Ok(out)
}

fn imported_functions(section: &[u8]) -> anyhow::Result<usize> {
    let mut rest = Reader(section);
    let mut functions = 0;
    for _ in 0..rest.number()? {
        rest.name()?;
        rest.name()?;
        functions += usize::from(rest.external()?);
    }
    Ok(functions)
}

fn functions(section: &[u8]) -> anyhow::Result<Vec<&[u8]>> {
    let mut rest = Reader(section);
    (0..rest.number()?).map(|_| rest.name()).collect()
}

/// The name section. Functions count from the imported ones on.
fn names(imported: usize, order: &[usize]) -> Vec<u8> {
    let mut places = vec![0; order.len()];
    for (place, &function) in order.iter().enumerate() {
        places[function] = place;
    }
    let mut map = Vec::new();
    put_number(&mut map, places.len());
    for (function, place) in places.iter().enumerate() {
        put_number(&mut map, imported + function);
        put(&mut map, format!("{place:08}").as_bytes());
    }
    let mut section = Vec::new();
    put(&mut section, b"name");
    section.push(1);
    put(&mut section, &map);
    section
}

/// Appends one function after the other, each time the one that shares most with the window.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let shared = Shared::of(bodies);
    // A score of shared bytes per byte would place short functions first, and so separate them from long functions that share bytes with
    // them: the divisor is length^(3/4).
    let weights: Vec<f64> =
        bodies.iter().map(|body| (body.len() as f64).sqrt()).map(|root| root * root.sqrt()).collect();
    let mut found = vec![0; bodies.len()];
    let mut times = vec![0u32; shared.holders.len()];
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut window = VecDeque::new();
    let mut bytes = 0;
    let mut order = Vec::with_capacity(bodies.len());
    let rank =
        |function: usize, found: &[u32]| (f64::from(found[function]) / weights[function], bodies[function].len());
    while let Some(next) = (0..left.len()).max_by(|&one, &other| {
        let ((one, length), (other, other_length)) = (rank(left[one], &found), rank(left[other], &found));
        one.total_cmp(&other).then(length.cmp(&other_length))
    }) {
        let next = left.swap_remove(next);
        order.push(next);
        window.push_back(next);
        bytes += bodies[next].len();
        for &piece in &shared.pieces[next] {
            times[piece] += 1;
            if times[piece] == 1 {
                shared.holders[piece].iter().for_each(|&holder| found[holder] += shared.worth(piece));
            }
        }
        while bytes > WINDOW
            && let Some(first) = window.pop_front()
        {
            bytes -= bodies[first].len();
            for &piece in &shared.pieces[first] {
                times[piece] -= 1;
                if times[piece] == 0 {
                    shared.holders[piece].iter().for_each(|&holder| found[holder] -= shared.worth(piece));
                }
            }
        }
    }
    order
}

/// Pieces of code that occur in several functions.
struct Shared {
    /// Each function's pieces, each once.
    pieces: Vec<Vec<usize>>,
    /// Each piece's functions.
    holders: Vec<Vec<usize>>,
}

impl Shared {
    fn of(bodies: &[&[u8]]) -> Self {
        let mut numbers = HashMap::new();
        let mut holders: Vec<Vec<usize>> = Vec::new();
        for (function, body) in bodies.iter().enumerate() {
            for piece in body.windows(PIECE) {
                let number = *numbers.entry(piece).or_insert(holders.len());
                if number == holders.len() {
                    holders.push(Vec::new());
                }
                if holders[number].last() != Some(&function) {
                    holders[number].push(function);
                }
            }
        }
        holders.retain(|holders| holders.len() > 1);
        let mut pieces = vec![Vec::new(); bodies.len()];
        for (piece, holders) in holders.iter().enumerate() {
            holders.iter().for_each(|&holder| pieces[holder].push(piece));
        }
        Self { pieces, holders }
    }

    /// A rare piece has few chances to repeat.
    fn worth(&self, piece: usize) -> u32 {
        2048 / (2 + (self.holders[piece].len() - 1).ilog2())
    }
}

#[cfg(test)]
mod tests {
    use super::{WINDOW, named, order};
    use crate::wasm_bytes::put;

    #[test]
    fn likes_come_one_after_the_other() {
        let (one, other) = (b"abcdefghijklmnop".as_slice(), b"0123456789".as_slice());
        let bodies = [one, other, &one[1..], &other[..9], &one[..14]];
        let order = order(&bodies);
        assert_eq!(order, [0, 2, 4, 1, 3]);
    }

    #[test]
    fn what_is_out_of_sight_counts_no_more() {
        let far = vec![7; WINDOW + 1];
        let near: Vec<u8> = (0..=255).collect();
        let bodies = [&far[..], &far[..40], &near[..], &near[..60]];
        // The second resembles the first, which is longer than the window.
        assert_eq!(order(&bodies)[..2], [0, 2]);
    }

    #[test]
    fn names_follow_the_imports() {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        for (id, bytes) in [(2, &b"\x01\x01m\x01f\x00\x00"[..]), (10, b"\x02\x01a\x02bc"), (0, b"\x04name")] {
            wasm.push(id);
            put(&mut wasm, bytes);
        }
        let section = b"\x04name\x01\x15\x02\x01\x0800000001\x02\x0800000000";
        let mut expected = wasm[..wasm.len() - 7].to_vec();
        expected.push(0);
        put(&mut expected, section);
        assert_eq!(named(&wasm).unwrap(), expected);
        assert!(named(&wasm[..wasm.len() - 9]).is_err());
    }
}
