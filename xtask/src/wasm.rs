//! The Rust of the page: the library and the reader of other weight forms, as WebAssembly with JavaScript bindings, in `web/wasm`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

use crate::{function_order, npm, process, relaxed, shared_memory, toolchain};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// A WebAssembly module: its file name, its package and features.
struct Module {
    name: &'static str,
    package: &'static str,
    features: &'static str,
}

/// The engine, and the reader of other weight forms than safetensors, which the page fetches on demand: it would add a tenth to the engine.
const MODULES: [Module; 2] = [
    Module { name: "ropescope", package: "ropescope", features: "" },
    Module { name: "ropescope_weights", package: "ropescope-weights", features: "module" },
];

/// Compiles all modules in the `web` profile, makes them small, and writes bindings, module and types of each, and the shaders.
///
/// # Errors
/// When the target cannot be installed, a package does not compile, or the bindings cannot be made.
pub fn build() -> anyhow::Result<()> {
    toolchain::install_target(TARGET)?;
    let output = crate::root().join("web/wasm");
    let relaxed = relaxed::build(&output)?;
    for Module { name, package, features } in MODULES {
        process::run(
            process::cargo()
                .args(["build", "--package", package, "--lib", "--no-default-features", "--features", features])
                .args(["--profile", "web", "--target", TARGET])
                .env("RELAXED_KERNELS", &relaxed)
                .args(["--config", &format!("target.{TARGET}.rustflags={:?}", flags()?)]),
        )?;
        let library = package.replace('-', "_");
        let compiled = process::target_directory().join(TARGET).join(format!("web/{library}.wasm"));
        bind(&compiled, name, &output).with_context(|| format!("no bindings for {}", compiled.display()))?;
        let module = output.join(format!("{name}_bg.wasm"));
        shrink(&module)?;
        let bindings = output.join(format!("{name}.js"));
        if package == "ropescope" {
            shared_memory::allow(&module, &bindings)?;
        }
    }
    write_shaders(&output.join("shaders.wgsl"))
}

/// True if the bindings exist.
pub fn is_built() -> bool {
    let output = crate::root().join("web/wasm");
    MODULES.iter().all(|Module { name, .. }| output.join(format!("{name}.d.ts")).exists())
}

/// Writes all shaders to one file, without the comments and indentation that every visitor would fetch. Before each stands a line `#file`
/// with its folder and name: src/shaders.rs takes them apart.
fn write_shaders(file: &Path) -> anyhow::Result<()> {
    let root = crate::root().join("shaders");
    let mut names = Vec::new();
    for folder in fs::read_dir(&root)? {
        for shader in fs::read_dir(folder?.path())? {
            names.push(shader?.path().strip_prefix(&root)?.with_extension("").to_string_lossy().replace('\\', "/"));
        }
    }
    names.sort();
    let mut texts = String::new();
    for name in names {
        let text = fs::read_to_string(root.join(&name).with_extension("wgsl"))?;
        texts.extend(["#file ", &name, "\n", &bare(&text)]);
    }
    fs::write(file, texts).with_context(|| format!("cannot write {}", file.display()))
}

/// WGSL has no strings: what follows two slashes is a comment.
fn bare(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().trim().to_string() + "\n";
    text.lines().map(code).filter(|line| line != "\n").collect()
}

/// No runtime unrolling: it makes the module larger, and hot loops are unrolled by hand.
pub const NOT_UNROLLED: &str = "-Cllvm-args=-unroll-runtime=false";

/// The compiler's flags: the relaxed product is embedded; the memory has a limit, which shared memory needs; and paths of this machine stay
/// out of panic messages, so that the module is reproducible.
fn flags() -> anyhow::Result<Vec<String>> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.context("no home folder, where cargo keeps its packages")?.join("registry/src");
    let mut folders = vec![crate::root().to_path_buf()];
    for folder in fs::read_dir(&sources).into_iter().flatten() {
        folders.push(folder?.path());
    }
    let without_paths = folders.iter().map(|folder| format!("--remap-path-prefix={}/=", folder.display()));
    Ok(without_paths
        .chain(["--cfg=relaxed_kernels", NOT_UNROLLED, "-Clink-arg=--max-memory=4294967296"].map(String::from))
        .collect())
}

/// The WebAssembly features that the compiler uses; wasm-opt assumes none by itself.
pub const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Makes a module smaller to fetch, in place. Only duplicate and dead code is removed: passes that rewrite code make the plain module
/// smaller, but the packed one larger. Then functions are ordered so that repetitions pack well, with the same numbering of locals.
fn shrink(module: &Path) -> anyhow::Result<()> {
    optimise(module, &["--duplicate-function-elimination", "--reorder-locals", "--remove-unused-module-elements"])?;
    function_order::name(module)?;
    optimise(module, &["--reorder-functions-by-name"])
}

fn optimise(module: &Path, passes: &[&str]) -> anyhow::Result<()> {
    process::run(npm::wasm_opt().args(passes).args(FEATURES).arg(module).arg("-o").arg(module))
}

/// Checks the library for the browser with clippy.
///
/// # Errors
/// When clippy warns.
pub fn clippy() -> anyhow::Result<()> {
    toolchain::install_target(TARGET)?;
    process::run(
        process::cargo()
            .args(["clippy", "--package", "ropescope", "--package", "ropescope-weights"])
            .args(["--package", "ropescope-kernels", "--package", "ropescope-relaxed", "--lib"])
            .args(["--no-default-features", "--features", "ropescope-weights/module", "--target", TARGET])
            .args(["--", "--deny", "warnings"]),
    )
}

fn bind(compiled: &Path, name: &str, output: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(output)?;
    Bindgen::new()
        .input_path(compiled)
        .out_name(name)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(output)
}
