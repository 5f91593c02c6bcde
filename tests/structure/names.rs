//! Words that CONTRIBUTING.md forbids as names, looked for in all Rust and WGSL files.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};

/// The folders and files that are looked at.
const FOLDERS: [&str; 9] = [
    "benches/native",
    "kernels/relaxed/src",
    "kernels/src",
    "shaders",
    "src",
    "tests",
    "weights/src",
    "weights/tests",
    "xtask/src",
];

/// The words between the two marks of CONTRIBUTING.md.
fn forbidden() -> BTreeSet<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let (_, list) = text.split_once("<!-- forbidden names -->").expect("a list of forbidden names");
    let (list, _) = list.split_once("<!-- end -->").expect("the list's end");
    list.split_whitespace().map(|word| word.trim_matches('`').to_string()).collect()
}

/// The words of the names that a file declares, each with the name it is part of.
#[derive(Default)]
struct Declared(BTreeMap<String, String>);

impl Declared {
    fn add(&mut self, name: &syn::Ident) {
        let name = name.to_string();
        for word in words_of(&name) {
            self.0.insert(word, name.clone());
        }
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => self.add(&name),
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

/// `BytesHeld`, `bytes_held`, `BYTES_HELD` and `KVHeld` end with the word "held".
fn words_of(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.trim_start_matches("r#").chars().collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let after_small = before.is_some_and(|before| before.is_lowercase() || before.is_numeric());
        // The last of several capitals begins a word: `KVHeld` is "kv" and "held".
        let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let ends_capitals = before.is_some_and(char::is_uppercase) && before_small;
        if *letter == '_' || (letter.is_uppercase() && (after_small || ends_capitals)) {
            words.push(String::new());
        }
        if *letter != '_' {
            words.last_mut().expect("there is one").extend(letter.to_lowercase());
        }
    }
    words
}

impl<'a> Visit<'a> for Declared {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.add(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_field(&mut self, field: &'a syn::Field) {
        if let Some(name) = &field.ident {
            self.add(name);
        }
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        self.add(&variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        self.add(&signature.ident);
        visit::visit_signature(self, signature);
    }

    /// A test's name is a sentence.
    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        if function.attrs.iter().any(|attribute| attribute.path().is_ident("test")) {
            self.visit_block(&function.block);
        } else {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        self.add(&module.ident);
        visit::visit_item_mod(self, module);
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.add(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.add(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.add(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.add(&item.ident);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.add(&item.ident);
        visit::visit_item_static(self, item);
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        self.add(&item.ident);
        visit::visit_item_type(self, item);
    }

    /// A macro's tokens have no grammar: every identifier counts, in the rules of `macro_rules!` as in calls.
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.add(&item.ident);
        visit::visit_impl_item_const(self, item);
    }
}

fn words_in(source: &str) -> BTreeMap<String, String> {
    let mut declared = Declared::default();
    declared.visit_file(&syn::parse_file(source).unwrap());
    declared.0
}

/// The words of the names after a keyword that declares one.
fn words_in_shader(source: &str) -> BTreeMap<String, String> {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut tokens =
        code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    let mut words = BTreeMap::new();
    while let Some(token) = tokens.next() {
        // `var<storage, read> name` and `var<workgroup> name`: the words in angle brackets name no thing.
        let is_declaration = matches!(token, "fn" | "struct" | "let" | "var" | "const" | "override" | "alias");
        let is_space =
            |word: &&str| matches!(*word, "storage" | "read" | "read_write" | "workgroup" | "private" | "uniform");
        if is_declaration && let Some(name) = tokens.by_ref().find(|word| !is_space(word)) {
            words.extend(words_of(name).into_iter().map(|word| (word, name.to_owned())));
        }
    }
    words
}

fn is_shader(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wgsl")
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false if is_shader(&path) || path.extension().is_some_and(|extension| extension == "rs") => {
                found.push(path)
            }
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
    let mut count = 0;
    for folder in FOLDERS {
        let mut sources = Vec::new();
        files(&root.join(folder), &mut sources);
        assert!(!sources.is_empty(), "{folder} has no files");
        count += sources.len();
        for path in sources {
            let text = fs::read_to_string(&path).unwrap();
            let words = if is_shader(&path) { words_in_shader(&text) } else { words_in(&text) };
            let wrong: BTreeSet<String> =
                words.into_iter().filter(|(word, _)| forbidden.contains(word)).map(|(_, name)| name).collect();
            if !wrong.is_empty() {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), wrong);
            }
        }
    }
    assert!(count > 350, "only {count} files were read");
    assert!(found.is_empty(), "names that say nothing: {found:#?}");
}

#[test]
fn a_forbidden_word_would_be_found() {
    let source = "struct Held { bytes_kept: u8 } enum Way { NotTaken } const BYTES_SHOWN: u8 = 1; type CutRows = u8;
        fn told_off(asked: u8) { let (whole, _) = (asked, 1); for seen in 0..1 {} }
        struct KVBerth; macro_rules! rule { ($met:ident) => { fn turned() {} }; } call! { { struct WASMFate; } }
        fn body() { assert!(matches!(1, begun)); }
        #[test] fn what_is_given() { let apart = 1; }";
    let words = words_in(source);
    for word in ["held", "kept", "taken", "shown", "cut", "told", "asked", "whole", "seen"] {
        assert!(words.contains_key(word), "{word}");
    }
    for word in ["berth", "met", "turned", "fate", "begun", "apart"] {
        assert!(words.contains_key(word), "{word}");
    }
    assert!(!words.contains_key("given"));
    let shader =
        "var<storage, read> told: array<f32>; fn is_held() { let x = 1u; // let whole = 1\n var chosen_at = 2u; }";
    let words: Vec<String> = words_in_shader(shader).into_keys().collect();
    assert_eq!(words, ["at", "chosen", "held", "is", "told", "x"]);
}
