//! Destructors of clang's and LLVM's static objects wait until no compilation runs.
//!
//! A static object of a function is made by the function's first call, which registers its
//! destructor with `__cxa_atexit` (Itanium C++ ABI, 3.3.6). `exit` runs it before all handlers
//! that were registered earlier, so no handler of ours can come first; and which functions have
//! such objects changes with each version of LLVM. Therefore the calls of `__cxa_atexit` that
//! the libraries of clang and LLVM make are redirected: a library makes them through one slot of
//! its global offset table.

use super::state::close;
use crate::shim;
use libc::{PT_DYNAMIC, PT_GNU_RELRO, PT_LOAD};
use object::elf::{
    DT_JMPREL, DT_NULL, DT_PLTRELSZ, DT_RELA, DT_RELASZ, DT_STRTAB, DT_SYMTAB, DynamicTag,
    R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, RelocationType,
};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

const REGISTER: &CStr = c"__cxa_atexit";

type Destroy = extern "C" fn(*mut c_void);
type Register = unsafe extern "C" fn(Destroy, *mut c_void, *mut c_void) -> c_int;

/// The address of the `__cxa_atexit` that the libraries called before; 0 if none is redirected.
static BEFORE: AtomicUsize = AtomicUsize::new(0);

/// A destructor and the object that it destroys.
struct Registration {
    destroy: Destroy,
    object: *mut c_void,
}

/// Takes the place of `__cxa_atexit`.
unsafe extern "C" fn register(
    destroy: Destroy,
    object: *mut c_void,
    library: *mut c_void,
) -> c_int {
    extern "C" fn end(registration: *mut c_void) {
        // SAFETY: `register` gave it away, and `exit` runs each destructor once.
        let registration = unsafe { Box::from_raw(registration.cast::<Registration>()) };
        // An object that is still in use stays until the process is gone.
        if close() {
            (registration.destroy)(registration.object);
        }
    }
    let registration = Box::into_raw(Box::new(Registration { destroy, object }));
    // SAFETY: stored before the first slot was redirected, and of this type.
    let before: Register = unsafe { std::mem::transmute(BEFORE.load(Ordering::Relaxed)) };
    // SAFETY: as the caller's own call; `end` takes the registration once.
    unsafe { before(end, registration.cast(), library) }
}

/// An address in each library that clang and LLVM are in.
fn in_libraries() -> [usize; 2] {
    [
        shim::address_in_clang() as usize,
        llvm_sys::core::LLVMContextCreate as *const () as usize,
    ]
}

/// Redirects the registrations that clang and LLVM make from now on.
pub(super) fn watch() {
    // SAFETY: the name is a C string.
    let before = unsafe { libc::dlsym(libc::RTLD_DEFAULT, REGISTER.as_ptr()) };
    BEFORE.store(before as usize, Ordering::Relaxed);
    for address in in_libraries() {
        if before.is_null() || !redirect(address) {
            log::warn!("exit during a build is not safe: destructors of LLVM cannot be redirected");
        }
    }
}

/// Has the library that holds `address` call `register`; false if it does not call
/// `__cxa_atexit` through a slot.
fn redirect(address: usize) -> bool {
    let mut search = Search {
        address,
        found: false,
    };
    // SAFETY: `visit` is called with this very search, during the call only.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
    search.found
}

struct Search {
    address: usize,
    found: bool,
}

unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: as `redirect` gave it.
    let search = unsafe { &mut *search.cast::<Search>() };
    // SAFETY: the loader describes a library that is loaded, with that many headers.
    let library = unsafe {
        let info = &*info;
        Library {
            base: info.dlpi_addr as usize,
            headers: std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()),
        }
    };
    if !library.holds(PT_LOAD, search.address) {
        return 0;
    }
    if let Some(slot) = library.slot() {
        search.found = library.store(slot);
    }
    1
}

/// A library as it is loaded.
struct Library<'a> {
    base: usize,
    headers: &'a [libc::Elf64_Phdr],
}

/// An entry of a relocation table (`Elf64_Rela`).
#[repr(C)]
struct Relocation {
    offset: usize,
    symbol_and_type: u64,
    _addend: i64,
}

/// An entry of a symbol table (`Elf64_Sym`).
#[repr(C)]
struct Symbol {
    name: u32,
    _rest: [u32; 5],
}

impl Library<'_> {
    fn holds(&self, kind: u32, address: usize) -> bool {
        self.headers.iter().any(|header| {
            let start = self.base + header.p_vaddr as usize;
            header.p_type == kind && (start..start + header.p_memsz as usize).contains(&address)
        })
    }

    /// An entry of the dynamic section.
    fn dynamic(&self, tag: DynamicTag) -> Option<usize> {
        let header = self.headers.iter().find(|h| h.p_type == PT_DYNAMIC)?;
        let mut entry = (self.base + header.p_vaddr as usize) as *const [usize; 2];
        loop {
            // SAFETY: the section of a loaded library ends with DT_NULL.
            let [of, value] = unsafe { *entry };
            match DynamicTag(of as i64) {
                DT_NULL => return None,
                of if of == tag => return Some(value),
                _ => {}
            }
            // SAFETY: not beyond the last entry, DT_NULL.
            entry = unsafe { entry.add(1) };
        }
    }

    /// A table that the dynamic section names. The C library has made it an address, if the
    /// section can be written to.
    fn table(&self, tag: DynamicTag) -> Option<usize> {
        let value = self.dynamic(tag)?;
        Some(if value < self.base {
            self.base + value
        } else {
            value
        })
    }

    /// Where it keeps the address of `__cxa_atexit`.
    fn slot(&self) -> Option<usize> {
        let symbols = self.table(DT_SYMTAB)? as *const Symbol;
        let names = self.table(DT_STRTAB)? as *const c_char;
        let is_wanted = |relocation: &&Relocation| {
            let kind = RelocationType(relocation.symbol_and_type as u32);
            if kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT {
                return false;
            }
            let symbol = (relocation.symbol_and_type >> 32) as usize;
            // SAFETY: relocations name symbols of the table, symbols names of theirs.
            unsafe {
                let name = (*symbols.add(symbol)).name as usize;
                CStr::from_ptr(names.add(name)) == REGISTER
            }
        };
        let tables = [(DT_JMPREL, DT_PLTRELSZ), (DT_RELA, DT_RELASZ)];
        tables.into_iter().find_map(|(table, bytes)| {
            let start = self.table(table)? as *const Relocation;
            let count = self.dynamic(bytes)? / size_of::<Relocation>();
            // SAFETY: the dynamic section names the table and its size.
            let relocations = unsafe { std::slice::from_raw_parts(start, count) };
            let wanted = relocations.iter().find(is_wanted)?;
            Some(self.base + wanted.offset)
        })
    }

    /// Has a slot hold `register`; false if the system does not let it be written.
    fn store(&self, slot: usize) -> bool {
        // SAFETY: no memory is touched.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let page = (slot & !(page_bytes - 1)) as *mut c_void;
        let protect = |protection| {
            // SAFETY: the page is data of a library that is never unloaded, whose only reader is
            // code that calls through it.
            unsafe { libc::mprotect(page, page_bytes, protection) == 0 }
        };
        // The loader has made what it has relocated read-only.
        let read_only = self.holds(PT_GNU_RELRO, slot);
        if read_only && !protect(libc::PROT_READ | libc::PROT_WRITE) {
            return false;
        }
        // SAFETY: the slot is aligned, can be written, and lives as long as the process.
        unsafe { &*(slot as *const AtomicUsize) }
            .store(register as Register as usize, Ordering::SeqCst);
        if read_only {
            protect(libc::PROT_READ);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process_end::Use;

    #[test]
    fn clang_and_llvm_register_destructors_here() {
        unsafe extern "C" fn holds(
            info: *mut libc::dl_phdr_info,
            _size: usize,
            search: *mut c_void,
        ) -> c_int {
            // SAFETY: as `visit`.
            let (search, library) = unsafe {
                let info = &*info;
                let headers = std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into());
                let base = info.dlpi_addr as usize;
                (&mut *search.cast::<Search>(), Library { base, headers })
            };
            if library.holds(PT_LOAD, search.address) {
                let slot = library.slot().unwrap() as *const AtomicUsize;
                // SAFETY: the slot lives as long as the library.
                let held = unsafe { &*slot }.load(Ordering::SeqCst);
                search.found = held == register as Register as usize;
            }
            0
        }
        let _in_use = Use::begin().unwrap();
        for address in in_libraries() {
            let mut search = Search {
                address,
                found: false,
            };
            // SAFETY: `holds` is called with this very search, during the call only.
            unsafe { libc::dl_iterate_phdr(Some(holds), (&raw mut search).cast()) };
            assert!(search.found);
        }
    }
}
