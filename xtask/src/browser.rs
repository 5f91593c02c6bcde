//! The Chrome or Chromium that runs the browser tests and benchmarks.

use std::path::{Path, PathBuf};

/// Names looked for on the PATH, most wanted first.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/// Usual places that are on no PATH.
const PLACES: [&str; 5] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/opt/google/chrome/chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/// The program that the environment variable CHROME names, else the first one found.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = NAMES.iter().flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)));
    on_path.chain(PLACES.iter().map(|place| Path::new(place).to_path_buf())).find(|program| program.is_file())
}
