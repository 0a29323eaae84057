//! The allocator of all that this library is linked into: the system's. Where it has no memory
//! for the compiler, the compilation ends, and not the process, as Rust does otherwise.

use std::alloc::{GlobalAlloc, Layout, System};

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// What `allocate` gives; null only where nothing runs guarded.
fn repeated(allocate: impl Fn() -> *mut u8) -> *mut u8 {
    loop {
        let place = allocate();
        if !place.is_null() || !super::out_of_memory() {
            return place;
        }
    }
}

// SAFETY: all that is returned is the system allocator's, and goes back to it.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the system allocator's.
        repeated(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        repeated(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; where it fails, the old place is still there.
        repeated(|| unsafe { System.realloc(place, layout, size) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}
