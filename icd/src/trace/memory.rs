//! Looks at the host program's memory without trusting its pointers.

use std::ptr::with_exposed_provenance_mut;

/// Smallest page of the processors we run on, bytes.
const PAGE: usize = 4096;

/// Maximum bytes of one look-up.
const MAX_BYTES: usize = 4 * PAGE;

/// Up to `length` bytes from `address` on; fewer, or none, if some cannot be read. The
/// kernel copies them, so a wrong pointer does no harm.
pub fn peek(address: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0u8; length.min(MAX_BYTES)];
    let local = libc::iovec {
        iov_base: bytes.as_mut_ptr().cast(),
        iov_len: bytes.len(),
    };
    // Page by page: what cannot be read takes the rest of its part with it.
    let mut parts = Vec::new();
    let mut start = address as usize;
    let Some(end) = start.checked_add(bytes.len()) else {
        return Vec::new();
    };
    while start < end {
        let next = end.min((start / PAGE + 1) * PAGE);
        parts.push(libc::iovec {
            iov_base: with_exposed_provenance_mut(start),
            iov_len: next - start,
        });
        start = next;
    }
    // SAFETY: writes to `bytes` alone, within its length; what it reads it checks.
    let count = unsafe {
        libc::process_vm_readv(
            libc::getpid(),
            &raw const local,
            1,
            parts.as_ptr(),
            parts.len() as libc::c_ulong,
            0,
        )
    };
    bytes.truncate(usize::try_from(count).unwrap_or(0));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_pointers_give_nothing() {
        for address in [0, 8, 0xdead_beef_0000, u64::MAX - 3] {
            assert!(peek(address, 16).is_empty());
        }
    }

    #[test]
    fn bytes_are_copied_across_pages() {
        let bytes: Vec<u8> = (0..3 * PAGE).map(|index| index as u8).collect();
        let address = bytes.as_ptr().expose_provenance() as u64;
        assert_eq!(peek(address, bytes.len()), bytes);
        assert_eq!(peek(address + 5, 3), [5, 6, 7]);
    }
}
