//! Tests that read the source files: who imports whom, and which names are forbidden.

mod architecture;
mod imports;
mod names;
