//! Which bits of memory were never written: a byte for each byte of the process, in which the bits are set that have no
//! value. It is only backed where something has been undefined, or was stored by checked code.

use std::sync::OnceLock;

/// The bits of an address that tell its shadow, as in checked code (`compiler-resources/shim/device_c/shadow_memory.cpp`). The host's
/// mappings, its heap and its program are in different parts of this size.
const WINDOW: usize = 1 << 44;

/// What accesses may touch behind the last byte.
const MARGIN: usize = 1 << 20;

/// What the host gives memory in.
const PAGE: usize = 4096;

/// From this size on, the host takes memory back.
const LARGE: usize = 1 << 20;

/// The first byte, once it is needed; none if the host refuses it.
static START: OnceLock<Option<usize>> = OnceLock::new();

/// Whether there is a shadow; mapped at the first call.
pub fn is_available() -> bool {
    START.get_or_init(map).is_some()
}

/// Where it starts, if there is one.
pub fn start() -> Option<*mut u8> {
    let start = START.get().copied().flatten();
    start.map(std::ptr::with_exposed_provenance_mut)
}

fn map() -> Option<usize> {
    // SAFETY: a new private mapping touches nothing that exists.
    let start = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            WINDOW + MARGIN,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if start == libc::MAP_FAILED {
        return None;
    }
    for advice in [libc::MADV_DONTDUMP, libc::MADV_NOHUGEPAGE] {
        // SAFETY: advice of the mapping. Without it, dumps and memory are larger.
        unsafe { libc::madvise(start, WINDOW + MARGIN, advice) };
    }
    Some(start.expose_provenance())
}

/// The shadow of the byte at an address, if there is one.
pub fn of(address: usize) -> Option<*mut u8> {
    Some(start()?.wrapping_add(address % WINDOW))
}

/// The part that is in the shadow.
fn clamped(address: usize, bytes: usize) -> usize {
    bytes.min(WINDOW + MARGIN - address % WINDOW)
}

/// Bytes have no value.
pub fn undefine(address: usize, bytes: usize) {
    if let Some(shadow) = of(address) {
        // SAFETY: within the mapping; checked code reads and writes it as memory of its own.
        unsafe { shadow.write_bytes(0xff, clamped(address, bytes)) };
    }
}

/// Bytes have a value.
pub fn define(address: usize, bytes: usize) {
    let Some(shadow) = of(address) else {
        return;
    };
    let bytes = clamped(address, bytes);
    if bytes < LARGE {
        // SAFETY: as in `undefine`.
        unsafe { shadow.write_bytes(0, bytes) };
        return;
    }
    let before = shadow.align_offset(PAGE);
    let inner = (bytes - before) / PAGE * PAGE;
    // SAFETY: as in `undefine`; pages that the host takes back are zero afterwards.
    unsafe {
        shadow.write_bytes(0, before);
        let pages = shadow.add(before);
        if libc::madvise(pages.cast(), inner, libc::MADV_DONTNEED) != 0 {
            pages.write_bytes(0, inner);
        }
        pages.add(inner).write_bytes(0, bytes - before - inner);
    }
}

/// Bytes get a shadow that starts at another place of it.
///
/// # Safety
/// The shadow can be read there.
pub unsafe fn copy(address: usize, from: *const u8, bytes: usize) {
    if let Some(shadow) = of(address) {
        // SAFETY: as in `undefine`, and as the caller promises.
        unsafe { shadow.copy_from(from, clamped(address, bytes)) };
    }
}

/// Whether each byte has bits without a value; false of no bytes.
pub fn is_undefined(address: usize, bytes: usize) -> bool {
    let Some(shadow) = of(address) else {
        return false;
    };
    let bytes = clamped(address, bytes);
    // SAFETY: as in `undefine`.
    let mut each = (0..bytes).map(|at| unsafe { shadow.add(at).read() });
    bytes > 0 && each.all(|bits| bits != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_defined_until_they_are_not_and_again_afterwards() {
        assert!(is_available());
        let memory = vec![0_u8; 3 * LARGE];
        let start = memory.as_ptr().addr();
        assert!(!is_undefined(start, 1) && !is_undefined(start, 0));
        undefine(start + 5, 2 * LARGE + 77);
        assert!(is_undefined(start + 5, 2 * LARGE + 77));
        assert!(!is_undefined(start + 4, 2) && !is_undefined(start + 2 * LARGE + 81, 2));
        define(start + 5, 3);
        assert!(!is_undefined(start + 7, 2) && is_undefined(start + 8, 1));
        // SAFETY: the shadow of the vector.
        unsafe { copy(start, of(start + 6).unwrap(), 4) };
        assert!(is_undefined(start + 2, 2) && !is_undefined(start + 1, 1));
        assert!(is_undefined(start + 100, 1));
        define(start, 2 * LARGE + 81);
        assert!(!is_undefined(start + 81, 1) && is_undefined(start + 2 * LARGE + 81, 1));
        define(start, 3 * LARGE);
        let written = (0..3 * LARGE).all(|at| !is_undefined(start + at, 1));
        assert!(written);
    }
}
