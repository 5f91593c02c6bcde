//! Tests of the kernels for 64-bit Arm, on an x86-64 machine: qemu runs them.

use crate::{browser, process, toolchain};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const EMULATOR: &str = "qemu-aarch64";
const LINKER: &str = "aarch64-linux-gnu-gcc";
/// Headers and libraries of that system, where Debian's packages have them.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// Whether the tests need an emulator. On Arm `cargo test` runs the same kernels.
pub fn needs_emulator() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// Packages of Debian and Ubuntu that [`test`] needs and this machine lacks.
pub fn missing_packages() -> Vec<&'static str> {
    let packages = [(EMULATOR, "qemu-user"), (LINKER, "gcc-aarch64-linux-gnu"), (LINKER, "libc6-dev-arm64-cross")];
    packages.into_iter().filter(|(program, _)| !browser::is_on_path(program)).map(|(_, package)| package).collect()
}

/// Checks the kernels with clippy, and runs their tests on an emulated processor that has every instruction which kernels look for.
///
/// # Errors
/// When the target cannot be installed, clippy warns, or a test fails.
pub fn test() -> anyhow::Result<()> {
    toolchain::install_target(TARGET)?;
    let variable = |name: &str| format!("CARGO_TARGET_{}_{name}", TARGET.to_uppercase().replace('-', "_"));
    let kernels = ["--package", "ropescope-kernels", "--target", TARGET];
    process::run(process::cargo().arg("clippy").args(kernels).args(["--all-targets", "--", "--deny", "warnings"]))?;
    process::run(
        process::cargo()
            .arg("test")
            .args(kernels)
            .arg("--no-fail-fast")
            .env(variable("LINKER"), LINKER)
            .env(variable("RUNNER"), format!("{EMULATOR} -cpu max -L {LIBRARIES}"))
            .env("EXPECTED_PROCESSOR", "DotProduct"),
    )
}
