//! The pages of docs/reference that are made from the code. WRITE_DOCS=1 writes them.

use std::fs;
use std::path::Path;

/// Fails if the page is not this text. test: what `cargo test --test` takes to write it.
pub fn assert_page(page: &str, text: &str, test: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    if std::env::var_os("WRITE_DOCS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{page} is older than the code; to renew it: WRITE_DOCS=1 cargo test --test {test}");
}
