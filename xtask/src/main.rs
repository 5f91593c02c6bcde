//! `cargo xtask <command>`: builds, serves, tests and measures ropescope. One file per command.

mod aarch64;
mod bench;
mod browser;
mod build;
mod crates;
mod function_order;
mod licences;
mod npm;
mod package;
mod process;
mod relaxed;
mod server;
mod shared_memory;
mod start;
mod system_packages;
mod test;
mod toolchain;
mod training;
mod wasm;
mod wasm_bytes;

use std::path::PathBuf;
use std::process::ExitCode;

use lexopt::Arg::{Long, Short, Value};

const USAGE: &str = "\
cargo xtask start [--port N] [--watch] [--no-build]   build the page in release and serve it on this machine
cargo xtask build                                     leave the static site in dist/
cargo xtask package                                   leave the npm package and the crates in target/package
cargo xtask test [--quick | --training]               every test and check; those without a browser; the training code's
cargo xtask bench [--native | --browser | --growth | --peers | --gpu | --page] [--earlier FOLDER]
                                                      benchmarks, native and in the browser; time and memory against
                                                      sizes; beside llama.cpp; the GPU backend by kernel, token and length;
                                                      visits an earlier build of the page in turn; serves the races' page";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    let command = match arguments.next()? {
        Some(Value(command)) => command.to_string_lossy().into_owned(),
        Some(Long("help") | Short('h')) | None => {
            println!("{USAGE}");
            return Ok(());
        }
        Some(other) => return Err(other.unexpected().into()),
    };
    if std::env::args_os().skip(2).any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return Ok(());
    }
    match command.as_str() {
        "start" => start::run(start::Options::parse(arguments)?),
        "build" => {
            no_more(arguments)?;
            build::run()
        }
        "package" => {
            no_more(arguments)?;
            package::run()
        }
        "test" => test::run(test::Options::parse(arguments)?),
        "bench" => bench::run(bench::Options::parse(arguments)?),
        "help" => {
            println!("{USAGE}");
            Ok(())
        }
        other => anyhow::bail!("there is no command `{other}`\n{USAGE}"),
    }
}

fn no_more(mut arguments: lexopt::Parser) -> anyhow::Result<()> {
    match arguments.next()? {
        None => Ok(()),
        Some(other) => Err(other.unexpected().into()),
    }
}

/// The repository's root, from any current directory.
fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let xtask = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    xtask.parent().map(PathBuf::from).unwrap_or(xtask)
}
