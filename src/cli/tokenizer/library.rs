//! Calls of the tokenizers library. Some files make it panic; these calls return an error instead.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

#[cfg(not(panic = "unwind"))]
compile_error!("panics of the tokenizers library are caught here: build the command line with panic = \"unwind\"");

thread_local! {
    /// Whether this thread is inside the library, whose panics print nothing.
    static CALLS: Cell<bool> = const { Cell::new(false) };
}

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
    // No broken state is used again: callers drop a tokenizer that fails, and decoding changes no decoder.
    let result = panic::catch_unwind(AssertUnwindSafe(library));
    CALLS.set(false);
    result.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
        Err(format!("the tokenizers library fails on it ({message}); give --ids to run").into())
    })
}
