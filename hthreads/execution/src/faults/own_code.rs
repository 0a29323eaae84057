//! Where this library's own code is.

use std::sync::OnceLock;

/// Addresses of a segment that is executed.
static CODE: OnceLock<(usize, usize)> = OnceLock::new();

/// Finds the addresses.
pub fn prepare() {
    CODE.get_or_init(find);
}

/// Whether an instruction is one of this library. For signal handlers.
pub fn contains(address: usize) -> bool {
    let code = CODE.get();
    code.is_some_and(|(start, end)| (*start..*end).contains(&address))
}

fn find() -> (usize, usize) {
    extern "C" fn visit(
        info: *mut libc::dl_phdr_info,
        _: libc::size_t,
        found: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader passes a library, and the range below, which nothing else uses.
        let (info, found) = unsafe { (&*info, &mut *found.cast::<(usize, usize)>()) };
        let own = find as *const () as usize;
        for number in 0..info.dlpi_phnum {
            // SAFETY: the library has that many headers.
            let header = unsafe { &*info.dlpi_phdr.add(number.into()) };
            let start = (info.dlpi_addr + header.p_vaddr) as usize;
            let end = start + header.p_memsz as usize;
            if header.p_type == libc::PT_LOAD && (start..end).contains(&own) {
                *found = (start, end);
                return 1;
            }
        }
        0
    }
    let mut found = (0, 0);
    // SAFETY: `visit` has the type that the loader demands.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}
