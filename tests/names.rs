//! Words that CONTRIBUTING.md forbids as names, looked for in all Rust files of the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};

/// The folders and files that are looked at.
const ROOMS: [&str; 3] = ["kernels/src", "src", "weights/src"];

/// The words between the two marks of CONTRIBUTING.md.
fn forbidden() -> BTreeSet<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let (_, list) = text.split_once("<!-- forbidden names -->").expect("a list of forbidden names");
    let (list, _) = list.split_once("<!-- end -->").expect("the list's end");
    list.split_whitespace().map(|word| word.trim_matches('`').to_string()).collect()
}

/// Names that a file declares.
#[derive(Default)]
struct Declared(BTreeSet<String>);

impl<'a> Visit<'a> for Declared {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_field(&mut self, field: &'a syn::Field) {
        self.0.extend(field.ident.iter().map(ToString::to_string));
        visit::visit_field(self, field);
    }

    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        self.0.insert(signature.ident.to_string());
        visit::visit_signature(self, signature);
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        self.0.insert(module.ident.to_string());
        visit::visit_item_mod(self, module);
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.0.insert(item.ident.to_string().to_lowercase());
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.0.insert(item.ident.to_string().to_lowercase());
        visit::visit_item_enum(self, item);
    }
}

fn names_in(source: &str) -> BTreeSet<String> {
    let mut declared = Declared::default();
    declared.visit_file(&syn::parse_file(source).unwrap());
    declared.0
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn no_name_is_a_forbidden_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let forbidden = forbidden();
    assert!(forbidden.len() > 20, "{forbidden:?}");
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for room in ROOMS {
        let mut sources = Vec::new();
        files(&root.join(room), &mut sources);
        assert!(sources.len() > 10, "{room} holds {} files", sources.len());
        for path in sources {
            let names = names_in(&fs::read_to_string(&path).unwrap());
            let wrong: BTreeSet<String> = names.intersection(&forbidden).cloned().collect();
            if !wrong.is_empty() {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), wrong);
            }
        }
    }
    assert!(found.is_empty(), "names that say nothing: {found:#?}");
}

#[test]
fn a_forbidden_name_would_be_found() {
    let source = "struct Held { kept: u8 } fn told(asked: u8) { let (whole, _) = (asked, 1); for seen in 0..1 {} }";
    let names = names_in(source);
    for word in ["held", "kept", "told", "asked", "whole", "seen"] {
        assert!(names.contains(word), "{word}");
    }
}
