//! Calls of the tokenizers library. Some files make it panic: here that becomes an error.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

#[cfg(not(panic = "unwind"))]
compile_error!("panics of the tokenizers library are caught here: build the command line with panic = \"unwind\"");

thread_local! {
    /// Whether this thread calls the library, so that nothing is printed where it panics.
    static CALLS: Cell<bool> = const { Cell::new(false) };
}

/// Calls the library.
///
/// # Errors
/// Its own; what it says where it panics.
pub fn call<T>(library: impl FnOnce() -> tokenizers::Result<T>) -> tokenizers::Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !CALLS.get() {
                usual(panic);
            }
        }));
    });
    CALLS.set(true);
    // Nothing half-written is used again: a tokenizer that fails is dropped, and decoding changes no decoder.
    let result = panic::catch_unwind(AssertUnwindSafe(library));
    CALLS.set(false);
    result.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
        Err(format!("the tokenizers library fails on it ({said}); give --ids to run").into())
    })
}
