//! `cargo xtask test`: every test and check, the quickest to fail first.

use std::time::Instant;

use anyhow::Context;
use lexopt::Arg::Long;

use crate::{aarch64, browser, build, crates, npm, package, process, system_packages, training, wasm};

pub struct Options {
    tests: Tests,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tests {
    All,
    /// Tests without browsers and models: minutes, after a first build.
    Quick,
    /// Tests of the training code, which install PyTorch.
    Training,
}

impl Options {
    /// # Errors
    /// When an argument is unknown.
    pub fn parse(mut arguments: lexopt::Parser) -> anyhow::Result<Options> {
        let mut tests = Tests::All;
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("quick") => tests = Tests::Quick,
                Long("training") => tests = Tests::Training,
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Options { tests })
    }
}

/// Runs all steps, also after a failure, and names the steps that failed.
///
/// # Errors
/// When what the steps need cannot be installed, or a step fails.
pub fn run(options: Options) -> anyhow::Result<()> {
    match options.tests {
        Tests::All => all(),
        Tests::Quick => quick(),
        Tests::Training => {
            let mut steps = Steps::default();
            steps
                .run("command line build", || process::run(process::cargo().args(["build", "--package", "ropescope"])));
            steps.run("training tests", training::test);
            steps.finish()
        }
    }
}

fn all() -> anyhow::Result<()> {
    let mut steps = Steps::default();
    system_packages::install()?;
    npm::install()?;
    formats(&mut steps);
    rust_lint(&mut steps);
    steps.run("Rust lint for the browser", wasm::clippy);
    steps.run("Rust tests", || process::run(process::cargo().args(["test", "--workspace", "--no-fail-fast"])));
    if aarch64::can_emulate() {
        steps.run("kernels on AArch64", aarch64::check);
    }
    steps.run("crates", crates::check);
    // The page's types depend on the engine's bindings.
    steps.run("page build", build::run);
    page(&mut steps);
    steps.run("npm package", package::pack);
    steps.run("browser tests", browser_tests);
    steps.finish()
}

fn quick() -> anyhow::Result<()> {
    let mut steps = Steps::default();
    npm::install()?;
    if !wasm::is_built() {
        steps.run("engine for the browser", wasm::build);
    }
    formats(&mut steps);
    page(&mut steps);
    rust_lint(&mut steps);
    let tests = ["test", "--workspace", "--lib", "--bins", "--test", "structure", "--no-fail-fast"];
    steps.run("Rust unit tests", || process::run(process::cargo().args(tests)));
    steps.finish()
}

fn formats(steps: &mut Steps) {
    steps.run("Rust format", || process::run(process::cargo().args(["fmt", "--all", "--check"])));
    steps.run("page format", || npm::script("format:check"));
    steps.run("workflow lint", || process::run(npm::node().arg(".github/lint.mjs")));
    steps.run("page imports", || npm::script("imports"));
    steps.run("page names", || npm::script("names"));
    steps.run("prose", || npm::script("prose"));
}

fn rust_lint(steps: &mut Steps) {
    steps.run("Rust lint", || {
        process::run(process::cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
    });
}

fn page(steps: &mut Steps) {
    steps.run("page types", || npm::script("check"));
    steps.run("page unit tests", || npm::script("test"));
}

/// Playwright serves the page by this program, and compares its numbers with the command line's, which `cargo test` has built.
fn browser_tests() -> anyhow::Result<()> {
    let chrome = browser::chrome().context("there is no Chrome or Chromium: CHROME=path names one")?;
    let firefox = browser::firefox().context("there is no Firefox: FIREFOX=path names one")?;
    let webkit = browser::webkit().context("there is no MiniBrowser of WebKitGTK: WEBKIT=path names one")?;
    let programs = process::target_directory().join("debug");
    let pipelines = process::output(&mut process::command(programs.join("ropescope-pipelines")))?;
    std::fs::write(process::target_directory().join("pipelines.json"), pipelines)?;
    process::run(
        npm::playwright()
            .arg("test")
            .env("CHROME", chrome)
            .env("FIREFOX", firefox)
            .env("WEBKIT", webkit)
            .env("XTASK", programs.join("xtask"))
            .env("PROGRAMS", &programs),
    )
}

#[derive(Default)]
struct Steps {
    lines: Vec<String>,
    failed: Vec<&'static str>,
}

impl Steps {
    fn run(&mut self, name: &'static str, step: impl FnOnce() -> anyhow::Result<()>) {
        println!("\n== {name}");
        let start = Instant::now();
        let result = step();
        let verdict = if result.is_ok() { "passed" } else { "FAILED" };
        if let Err(error) = result {
            eprintln!("{name}: {error:#}");
            self.failed.push(name);
        }
        self.lines.push(format!("{verdict}  {:6.1} s  {name}", start.elapsed().as_secs_f64()));
    }

    fn finish(self) -> anyhow::Result<()> {
        println!("\n{}", self.lines.join("\n"));
        let (all, failed) = (self.lines.len(), self.failed.len());
        println!("{} steps passed, {failed} failed", all - failed);
        if failed > 0 {
            anyhow::bail!("failed: {}", self.failed.join(", "));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;

    #[test]
    fn a_failed_step_is_named_and_the_rest_still_run() {
        let mut steps = Steps::default();
        let mut later = false;
        steps.run("first", || anyhow::bail!("broken"));
        steps.run("second", || {
            later = true;
            Ok(())
        });
        assert!(later);
        assert_eq!(steps.finish().unwrap_err().to_string(), "failed: first");
    }

    #[test]
    fn all_passed_is_no_error() {
        let mut steps = Steps::default();
        steps.run("only", || Ok(()));
        assert!(steps.finish().is_ok());
    }
}
