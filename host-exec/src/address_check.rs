//! Copies from and to memory of the host program, which may have unmapped it: a wrong address is an error
//! instead of a fault.

use std::io;

/// Memory that cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes at {address:#x} are not all accessible")]
pub struct AddressError {
    /// The first address.
    pub address: usize,
    /// The number of bytes.
    pub bytes: usize,
}

/// Copies bytes that do not overlap. The system checks the addresses of `from` if it `reads`, else those of
/// `to`; the other ones are valid. If the system has no such check, they are copied unchecked.
///
/// # Errors
/// An address cannot be accessed. Bytes before it may have been copied.
///
/// # Safety
/// The addresses that are not checked are valid, and no other thread accesses the bytes of `to`.
pub unsafe fn copy(
    from: *const u8,
    to: *mut u8,
    bytes: usize,
    reads: bool,
) -> Result<(), AddressError> {
    let (checked, valid) = match reads {
        true => (from.cast_mut(), to),
        false => (to, from.cast_mut()),
    };
    let mut done = 0;
    while done < bytes {
        let part = |start: *mut u8| libc::iovec {
            iov_base: start.wrapping_add(done).cast(),
            iov_len: bytes - done,
        };
        let (local, remote) = (part(valid), part(checked));
        let call = match reads {
            true => libc::process_vm_readv,
            false => libc::process_vm_writev,
        };
        // SAFETY: the local bytes are valid; the system checks the remote ones, which are in this process.
        let copied = unsafe { call(libc::getpid(), &local, 1, &remote, 1, 0) };
        match usize::try_from(copied) {
            Ok(copied) if copied > 0 => done += copied,
            Err(_) if is_missing(&io::Error::last_os_error()) => {
                // SAFETY: the caller's, who would make an unchecked copy.
                unsafe {
                    from.add(done)
                        .copy_to_nonoverlapping(to.add(done), bytes - done)
                };
                return Ok(());
            }
            _ => {
                return Err(AddressError {
                    address: checked.addr(),
                    bytes,
                });
            }
        }
    }
    Ok(())
}

/// Checks that memory of the host program is mapped. Whether it may be accessed is not known.
///
/// # Errors
/// A part of it is not.
pub fn check(start: *const u8, bytes: usize) -> Result<(), AddressError> {
    /// Pages of a call.
    const PAGES: usize = 4096;
    // SAFETY: no pointers are involved.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as usize;
    let mut resident = [0u8; PAGES];
    let end = start.addr().saturating_add(bytes);
    let mut place = start.addr() / page * page;
    while place < end {
        let part = (end - place).min(PAGES * page);
        let address = start.with_addr(place).cast_mut().cast();
        // SAFETY: the system checks the addresses, and writes a byte for each page.
        let outcome = unsafe { libc::mincore(address, part, resident.as_mut_ptr()) };
        if outcome != 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
            return Err(AddressError {
                address: start.addr(),
                bytes,
            });
        }
        place += part;
    }
    Ok(())
}

/// Whether the system has no such call, or forbids it, as some containers do.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM))
}

#[cfg(test)]
mod tests {
    use super::{check, copy};
    use std::ptr::{null, null_mut};

    /// Two pages, of which the second one is not accessible.
    fn pages() -> *mut u8 {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new memory, whose second page nothing accesses.
        unsafe {
            let start = libc::mmap(null_mut(), 8192, access, flags, -1, 0).cast::<u8>();
            assert_eq!(
                libc::mprotect(start.add(4096).cast(), 4096, libc::PROT_NONE),
                0
            );
            start
        }
    }

    #[test]
    fn wrong_addresses_are_errors() {
        let start = pages();
        let mut own = [7; 64];
        let (inside, across) = (start.wrapping_add(4032), start.wrapping_add(4064));
        // SAFETY: `own` is valid, and this thread has all of the memory.
        unsafe {
            assert_eq!(copy(own.as_ptr(), inside, 64, false), Ok(()));
            own = [0; 64];
            assert_eq!(copy(inside, own.as_mut_ptr(), 64, true), Ok(()));
            assert_eq!(own, [7; 64]);
            let error = copy(across, own.as_mut_ptr(), 64, true).unwrap_err();
            assert_eq!((error.address, error.bytes), (across.addr(), 64));
            assert!(copy(own.as_ptr(), across, 64, false).is_err());
            assert!(copy(null_mut(), own.as_mut_ptr(), 64, true).is_err());
            assert_eq!(copy(null_mut(), null_mut(), 0, true), Ok(()));
            libc::munmap(start.cast(), 8192);
        }
    }

    #[test]
    fn memory_that_is_not_mapped_is_found() {
        let start = pages();
        assert_eq!(check(start, 8192), Ok(()));
        assert_eq!(check(start.wrapping_add(4095), 2), Ok(()));
        assert_eq!(check(null(), 0), Ok(()));
        // SAFETY: nothing accesses the second page.
        unsafe { libc::munmap(start.wrapping_add(4096).cast(), 4096) };
        assert_eq!(check(start.wrapping_add(10), 4086), Ok(()));
        assert!(check(start.wrapping_add(10), 4087).is_err());
        assert!(check(null(), 1).is_err());
    }
}
