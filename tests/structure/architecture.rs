//! Who imports whom, in all Rust files of the engine: no circle between files, and no import of a higher floor.

use crate::imports::{Edge, Imports, circles};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The engine's floors, from below. A floor is a list of rooms: files and folders. A file may import from its own room and from any floor
/// below its own, but from no other room of its floor and from none above.
const FLOORS: [&[&str]; 14] = [
    &["kernels", "weights"],
    &["src/number.rs"],
    &["src/error"],
    &["src/rope", "src/sampling"],
    &["src/positions"],
    &["src/shaders.rs"],
    &["src/plan"],
    &["src/ops", "src/weight_table"],
    &["src/model", "src/backend"],
    &["src/runtime"],
    &["src/trial.rs"],
    &["src/draw"],
    &["src/cli", "src/web"],
    &["src/main.rs"],
];

/// Above all floors: it declares and exports modules.
const ROOT: &str = "src/lib.rs";

static IMPORTS: LazyLock<Imports> = LazyLock::new(Imports::read);

fn room(file: &str) -> Option<(usize, &'static str)> {
    let holds = |room: &str| file.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let mut rooms = FLOORS.iter().enumerate().flat_map(|(floor, rooms)| rooms.iter().map(move |room| (floor, *room)));
    rooms.find(|(_, room)| holds(room))
}

fn edge(from: &str, to: &str) -> Edge {
    Edge { from: from.to_string(), to: to.to_string() }
}

#[test]
fn names_are_followed_to_the_file_that_defines_them() {
    for (from, to) in [
        // Through a folder's re-exports, and through those of a crate under another name.
        ("kernels/src/linear.rs", "kernels/src/gemm/product.rs"),
        ("src/draw/grid.rs", "kernels/src/max_pool.rs"),
        ("kernels/src/quant/convert.rs", "kernels/src/quant/format.rs"),
    ] {
        assert!(IMPORTS.edges.contains(&edge(from, to)), "{from} imports {to}");
    }
    let of_tests = |file: &String| file.contains("tests");
    assert!(!IMPORTS.files.iter().any(of_tests), "{:?}", IMPORTS.files.iter().find(|file| of_tests(file)));
}

#[test]
fn circles_are_found() {
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "e"), ("g", "a")];
    let found = circles(&edges.map(|(from, to)| edge(from, to)).into());
    assert_eq!(
        found,
        [BTreeSet::from(["a", "b", "c"].map(String::from)), BTreeSet::from(["e", "f"].map(String::from))]
    );
}

#[test]
fn every_file_has_a_floor() {
    let homeless: Vec<_> = IMPORTS.files.iter().filter(|file| room(file).is_none()).collect();
    assert_eq!(homeless, [ROOT], "these files are on no floor, or on several");
}

#[test]
fn nobody_imports_from_above() {
    let mut found: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for Edge { from, to } in &IMPORTS.edges {
        let (Some((floor, own)), Some((other_floor, other))) = (room(from), room(to)) else { continue };
        if own != other && other_floor >= floor {
            found.entry((own, other)).or_default().push(format!("{from} imports {to}"));
        }
    }
    assert!(found.is_empty(), "imports against the order: {found:#?}");
}

#[test]
fn no_circle() {
    let found = circles(&IMPORTS.edges);
    assert!(found.is_empty(), "files that import each other: {found:#?}");
}
