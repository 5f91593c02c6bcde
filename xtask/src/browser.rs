//! The browsers that run the browser tests and benchmarks.

use std::path::{Path, PathBuf};

/// Chromium's engine without its windows: a test of the page takes half the CPU time that it takes in Chromium.
pub const HEADLESS_SHELL: &str = "chromium-headless-shell";

/// Names of Chrome and Chromium on the PATH, in the order of preference.
const CHROME_NAMES: [&str; 6] =
    [HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/// Usual places of Chrome outside of the PATH.
const CHROME_PLACES: [&str; 5] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/opt/google/chrome/chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/// Names of Firefox on the PATH, in the order of preference.
const FIREFOX_NAMES: [&str; 2] = ["firefox-esr", "firefox"];

/// Folders of WebKitGTK's test browser, which WebKitWebDriver drives, by the versions that Debian and Ubuntu have.
const WEBKIT_FOLDERS: [&str; 3] = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"];

/// The Chrome or Chromium that the environment variable CHROME names, else the first one found.
pub fn chrome() -> Option<PathBuf> {
    named("CHROME").or_else(|| on_path(&CHROME_NAMES)).or_else(|| first(&CHROME_PLACES))
}

/// Whether the tests run in the headless shell, or in the Chrome that the environment variable CHROME names.
pub fn has_preferred_chrome() -> bool {
    named("CHROME").is_some() || is_on_path(HEADLESS_SHELL)
}

/// The Firefox that the environment variable FIREFOX names, else the first one found.
pub fn firefox() -> Option<PathBuf> {
    named("FIREFOX").or_else(|| on_path(&FIREFOX_NAMES))
}

/// The WebKit that the environment variable WEBKIT names, else the first MiniBrowser found.
pub fn webkit() -> Option<PathBuf> {
    let libraries = PathBuf::from(format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH));
    let place = |folder: &str| libraries.join(folder).join("MiniBrowser");
    named("WEBKIT").or_else(|| WEBKIT_FOLDERS.into_iter().map(place).find(|program| program.is_file()))
}

/// Whether there is a WebKit and its driver.
pub fn has_webkit() -> bool {
    webkit().is_some() && is_on_path("WebKitWebDriver")
}

/// Whether a program of this name is on the PATH.
pub fn is_on_path(name: &str) -> bool {
    on_path(&[name]).is_some()
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    names
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|program| program.is_file())
}

fn first(places: &[&str]) -> Option<PathBuf> {
    places.iter().map(|place| Path::new(place).to_path_buf()).find(|program| program.is_file())
}
