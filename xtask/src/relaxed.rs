//! Compiles the kernels as WebAssembly modules that use the engine's memory: one with relaxed SIMD, embedded in the engine, and two for
//! threads, fetched by the page. Two more, with the same flags, are for tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::{npm, process, wasm, wasm_bytes};

/// The kernels are vectorised by hand. The compiler would vectorise the loops over the tails of rows, too.
const AS_WRITTEN: &str = "-Cno-vectorize-loops";

const PLAIN: &str = "-Ctarget-feature=+simd128";
const RELAXED: &str = "-Ctarget-feature=+simd128,+relaxed-simd";

const PLAIN_THREADS: &str = "-Ctarget-feature=+atomics,+simd128";
const RELAXED_THREADS: &str = "-Ctarget-feature=+atomics,+simd128,+relaxed-simd";

/// The module imports its memory: the engine's.
const ON_ANOTHERS_MEMORY: &str = "-Clink-arg=--import-memory";

/// The most bytes that the memory may grow to; shared memory must declare it.
const LIMIT: &str = "-Clink-arg=--max-memory=4294967296";

/// The module imports a shared memory.
const ON_SHARED_MEMORY: [&str; 3] = [ON_ANOTHERS_MEMORY, LIMIT, "-Clink-arg=--shared-memory"];

/// Sections that a module on the engine's memory must not have. Nor may it have a mutable global, the stack pointer: its stack and data
/// would overlap the engine's.
const FORBIDDEN: [(u8, &str); 3] = [(5, "memory"), (9, "elements"), (11, "data")];

/// The section of globals.
const GLOBALS: u8 = 6;

/// Compiles all modules into `output`. Returns the path of the one that the engine embeds.
///
/// # Errors
/// If one does not compile, or one that works on the engine's memory has data or a stack.
pub fn build(output: &Path) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(output)?;
    for (name, flags) in [("test_kernels_plain.wasm", PLAIN), ("test_kernels_relaxed.wasm", RELAXED)] {
        compile(&["--features", "test-exports"], &[flags, AS_WRITTEN, wasm::NOT_UNROLLED], &output.join(name))?;
    }
    for (name, flags) in [("threads_plain.wasm", PLAIN_THREADS), ("threads_relaxed.wasm", RELAXED_THREADS)] {
        let module = output.join(name);
        let flags: Vec<_> = [flags, AS_WRITTEN, wasm::NOT_UNROLLED].into_iter().chain(ON_SHARED_MEMORY).collect();
        compile(&["--features", "threads"], &flags, &module)?;
        check(&module)?;
    }
    let module = output.join("relaxed.wasm");
    compile(&[], &[RELAXED, AS_WRITTEN, wasm::NOT_UNROLLED, ON_ANOTHERS_MEMORY, LIMIT], &module)?;
    check(&module)?;
    Ok(module)
}

/// Refuses a module with data, a stack or a memory of its own.
fn check(module: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    for (id, section) in wasm_bytes::sections(&bytes)? {
        for (forbidden, name) in FORBIDDEN {
            ensure!(id != forbidden, "{} has a section of its own for {name}", module.display());
        }
        ensure!(id != GLOBALS || !has_variables(section)?, "{} has a stack of its own", module.display());
    }
    Ok(())
}

fn compile(features: &[&str], flags: &[&str], module: &Path) -> anyhow::Result<()> {
    // A target folder of its own: other flags would recompile the engine's dependencies.
    let folder = process::target_directory().join("relaxed");
    process::run(
        process::cargo()
            .args(["build", "--package", "ropescope-relaxed", "--lib", "--release", "--target", wasm::TARGET])
            .args(features)
            .arg("--target-dir")
            .arg(&folder)
            .args(["--config", &format!("target.{}.rustflags={flags:?}", wasm::TARGET)]),
    )?;
    let compiled = folder.join(wasm::TARGET).join("release/ropescope_relaxed.wasm");
    process::run(
        npm::wasm_opt()
            .args(wasm::FEATURES)
            .args([
                "--enable-relaxed-simd",
                "--enable-threads",
                "--strip-debug",
                "--strip-producers",
                "--strip-target-features",
            ])
            .arg("--remove-unused-module-elements")
            .arg(&compiled)
            .arg("-o")
            .arg(module),
    )
}

/// Whether a section of globals has a mutable one. Each is initialised by one constant instruction.
fn has_variables(section: &[u8]) -> anyhow::Result<bool> {
    let mut rest = wasm_bytes::Reader(section);
    for _ in 0..rest.number()? {
        let (_kind, changes, _instruction) = (rest.byte()?, rest.byte()?, rest.byte()?);
        if changes != 0 {
            return Ok(true);
        }
        let (_value, _end) = (rest.number()?, rest.byte()?);
    }
    Ok(false)
}
