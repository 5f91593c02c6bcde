//! An allocator that knows how much each thread holds, and held at most.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, counted.
pub struct Counting;

fn count(bytes: isize) {
    // A thread that ends has no counters any more; nobody asks for them then.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        PEAK.try_with(|peak| peak.set(peak.get().max(live.get())))
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: `System` requires of its caller what `GlobalAlloc::alloc` requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: `System` requires of its caller what `GlobalAlloc::alloc_zeroed` requires.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: `System` allocated every pointer of this allocator, and the caller passes the pointer's layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may be held at once while the bytes move.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: `System` allocated every pointer of this allocator, and the caller passes the pointer's layout and a valid size.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The result of `work`, and the most bytes that this thread allocated in the meantime, beyond those before.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = work();
    (result, (PEAK.get() - before).max(0) as usize)
}

#[test]
fn the_counter_counts() {
    let (_, bytes) = peak(|| drop(std::hint::black_box(vec![0_u8; 1_000_000])));
    assert!((1_000_000..1_010_000).contains(&bytes), "{bytes}");
    let (_, bytes) = peak(|| {
        let mut bytes = std::hint::black_box(vec![1_u8; 1000]);
        bytes.reserve_exact(1_000_000);
        bytes.len()
    });
    assert!(bytes >= 1_001_000, "{bytes}");
}
