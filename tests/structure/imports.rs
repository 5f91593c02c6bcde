//! Reads which file imports from which, of all crates of the engine.
//!
//! A name is followed through re-exports to the file that defines it. So a `mod.rs` that only lists and re-exports its children makes no
//! circle of them. Tests and their files do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};

/// The crates: the name others import it by, and its sources.
const CRATES: [(&str, &str); 4] = [
    ("ropescope", "src"),
    ("ropescope_kernels", "kernels/src"),
    ("ropescope_relaxed", "kernels/relaxed/src"),
    ("ropescope_weights", "weights/src"),
];

/// A file that imports from another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: String,
    pub to: String,
}

/// All imports.
pub struct Imports {
    pub files: Vec<String>,
    pub edges: BTreeSet<Edge>,
}

/// The path of a module or item: a crate's name, then modules, then perhaps an item.
type Names = Vec<String>;

/// A module that is a file.
struct Module {
    file: String,
    /// Names that it re-exports, and what they stand for.
    exports: BTreeMap<String, Names>,
    /// Modules of which it re-exports everything.
    globs: Vec<Names>,
    /// Names that it defines.
    items: BTreeSet<String>,
    /// Paths that it uses, as they are written.
    uses: Vec<Names>,
}

impl Imports {
    pub fn read() -> Self {
        let mut modules = BTreeMap::new();
        for (name, folder) in CRATES {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            let mut skipped = BTreeSet::new();
            let mut files = Vec::new();
            sources(&root, &mut files);
            for file in files {
                // A program is a crate of its own beside the library.
                let name = if file == "main.rs" { "program" } else { name };
                let names: Names = [name.to_string()].into_iter().chain(module_names(&file)).collect();
                let text = fs::read_to_string(root.join(&file)).unwrap();
                let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{folder}/{file}: {error}"));
                let mut reader = Reader { module: names.clone(), inline: 0, public: true, ..Reader::default() };
                reader.visit_file(&syntax);
                let only_lists = syntax.items.iter().all(|item| matches!(item, syn::Item::Mod(_) | syn::Item::Use(_)));
                if only_lists {
                    reader.uses.clear();
                }
                skipped.extend(reader.tests);
                let Reader { exports, globs, items, uses, .. } = reader;
                modules.insert(names, Module { file: format!("{folder}/{file}"), exports, globs, items, uses });
            }
            modules.retain(|names, _| !skipped.iter().any(|tests: &Names| names.starts_with(tests)));
        }
        let mut edges = BTreeSet::new();
        for (names, module) in &modules {
            for path in &module.uses {
                let to = absolute(&modules, names, path).and_then(|path| file_of(&modules, &path, 0));
                if let Some(to) = to.filter(|to| *to != module.file) {
                    edges.insert(Edge { from: module.file.clone(), to });
                }
            }
        }
        let files = modules.into_values().map(|module| module.file).collect();
        Self { files, edges }
    }
}

/// The `.rs` files below a folder.
fn sources(folder: &Path, files: &mut Vec<String>) {
    fn walk(root: &Path, folder: &Path, files: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    walk(folder, folder, files);
    files.sort();
}

/// The module of a file: `a/b.rs` and `a/b/mod.rs` are a::b.
fn module_names(file: &str) -> Names {
    let mut names: Names = file.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    if names.last().is_some_and(|last| last == "mod") || ["lib.rs", "main.rs"].contains(&file) {
        names.pop();
    }
    names
}

/// A written path from its crate on; `None` if it leads out of the engine or is a local name.
fn absolute(modules: &BTreeMap<Names, Module>, module: &Names, path: &[String]) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let mut base = match first.as_str() {
        "crate" => vec![module[0].clone()],
        "self" => module.clone(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        name if CRATES.iter().any(|(of, _)| of == &name) => vec![name.to_string()],
        name => {
            let child: Names = module.iter().cloned().chain([name.to_string()]).collect();
            modules.contains_key(&child).then_some(child)?
        }
    };
    for name in rest {
        if name == "super" { drop(base.pop()) } else { base.push(name.clone()) }
    }
    Some(base)
}

/// The file that defines what a path names.
fn file_of(modules: &BTreeMap<Names, Module>, path: &[String], depth: usize) -> Option<String> {
    assert!(depth < 20, "re-exports of {path:?} go round");
    let deepest = (1..=path.len()).rev().find(|count| modules.contains_key(&path[..*count]))?;
    let module = &modules[&path[..deepest]];
    let Some(name) = path.get(deepest) else { return Some(module.file.clone()) };
    let follow = |target: &Names, rest: &[String]| {
        let target = absolute(modules, &path[..deepest].to_vec(), target)?;
        file_of(modules, &[&target[..], rest].concat(), depth + 1)
    };
    if let Some(target) = module.exports.get(name) {
        return follow(target, &path[deepest + 1..]);
    }
    if module.items.contains(name) {
        return Some(module.file.clone());
    }
    let defines = |file: &String| modules.values().any(|module| module.file == *file && module.items.contains(name));
    let found = module.globs.iter().find_map(|glob| follow(glob, &path[deepest..]).filter(defines));
    Some(found.unwrap_or_else(|| module.file.clone()))
}

/// Collects what a file imports and exports.
#[derive(Default)]
struct Reader {
    module: Names,
    /// How many inline modules it is inside.
    inline: usize,
    /// Whether the use declaration is a re-export.
    public: bool,
    exports: BTreeMap<String, Names>,
    globs: Vec<Names>,
    items: BTreeSet<String>,
    uses: Vec<Names>,
    /// Modules that only tests have.
    tests: Vec<Names>,
}

impl Reader {
    fn add(&mut self, path: Names) {
        // Paths of inline modules begin at the file's.
        let inline = self.inline;
        let outside = path.iter().take_while(|name| *name == "super").count().min(inline);
        let mut path = path[outside..].to_vec();
        if outside > 0 && path.first().is_none_or(|name| name != "super") {
            path.insert(0, "self".to_string());
        }
        self.uses.push(path);
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
            syn::UseTree::Name(name) if name.ident == "self" => self.name(before.to_vec(), None),
            syn::UseTree::Name(name) => self.name(with(&name.ident), None),
            syn::UseTree::Rename(rename) => self.name(with(&rename.ident), Some(rename.rename.to_string())),
            syn::UseTree::Glob(_) => {
                if self.public && self.inline == 0 {
                    self.globs.push(before.to_vec());
                }
                self.add(before.to_vec());
            }
        }
    }

    fn name(&mut self, path: Names, rename: Option<String>) {
        if self.public && self.inline == 0 {
            let name = rename.or_else(|| path.last().cloned()).unwrap_or_default();
            self.exports.insert(name, path.clone());
        }
        self.add(path);
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.inline == 0 {
            let name = match item {
                syn::Item::Const(item) => Some(&item.ident),
                syn::Item::Enum(item) => Some(&item.ident),
                syn::Item::Fn(item) => Some(&item.sig.ident),
                syn::Item::Static(item) => Some(&item.ident),
                syn::Item::Struct(item) => Some(&item.ident),
                syn::Item::Trait(item) => Some(&item.ident),
                syn::Item::Type(item) => Some(&item.ident),
                _ => None,
            };
            self.items.extend(name.map(ToString::to_string));
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            self.tests.push([&self.module[..], &[item.ident.to_string()]].concat());
        } else if item.content.is_some() {
            self.inline += 1;
            visit::visit_item_mod(self, item);
            self.inline -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.public = !matches!(item.vis, syn::Visibility::Inherited);
            self.tree(&[], &item.tree);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    /// `pub(in crate::a)` names who may import, not what is imported.
    fn visit_visibility(&mut self, _visibility: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.add(names);
        }
        visit::visit_path(self, path);
    }

    /// Macros' arguments are not parsed: their paths are read word by word.
    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let text = item.tokens.to_string();
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || "(){}[],;&!<>".contains(c)).collect();
        for (at, word) in words.iter().enumerate() {
            if ["crate", "super"].contains(word) {
                let names = words[at..].split(|word| *word == "::");
                let mut path = Names::new();
                for name in names {
                    path.extend(name.first().map(ToString::to_string));
                    if name.len() != 1 {
                        break;
                    }
                }
                self.add(path);
            }
        }
    }
}

/// The strongly connected parts of the graph that have more than one file.
pub fn circles(edges: &BTreeSet<Edge>) -> Vec<BTreeSet<String>> {
    let reach = |forward: bool| {
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Edge { from, to } in edges {
            let (from, to) = if forward { (from, to) } else { (to, from) };
            next.entry(from).or_default().push(to);
        }
        move |start: &str| {
            let (mut reachable, mut open) = (BTreeSet::new(), vec![start.to_string()]);
            while let Some(file) = open.pop() {
                for to in next.get(file.as_str()).into_iter().flatten() {
                    if reachable.insert(to.to_string()) {
                        open.push(to.to_string());
                    }
                }
            }
            reachable
        }
    };
    let (after, before) = (reach(true), reach(false));
    let mut found = BTreeSet::new();
    for Edge { from, .. } in edges {
        let circle: BTreeSet<String> = after(from).intersection(&before(from)).cloned().collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}
