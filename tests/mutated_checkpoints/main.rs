//! Files that strangers made: whatever they hold, loading and running them ends in an error or a result, in time, and
//! without taking more memory than a small multiple of the files.

mod allocation;
mod attempt;
mod decoders;
mod mutations;
mod sizes;
mod strategies;
mod tiny;

#[global_allocator]
static ALLOCATOR: allocation::Counting = allocation::Counting;
