//! gdb's interface to code that is made at run time ("JIT Compilation Interface" in gdb's manual):
//! a list of ELF files in memory, which gdb reads in a running process and in a core dump.

use parking_lot::Mutex;

/// An element of the list.
#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    file: *const u8,
    size: u64,
}

/// What happens to the relevant element.
#[repr(u32)]
enum Action {
    None = 0,
    Register = 1,
    Unregister = 2,
}

/// The list, as gdb reads it.
#[repr(C)]
struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

unsafe extern "C" {
    /// LLVM's: gdb finds it in the symbols of LLVM's library, and libmocl3.so exports no others than
    /// OpenCL's.
    static mut __jit_debug_descriptor: Descriptor;
    /// Does nothing; gdb has a breakpoint at it.
    safe fn __jit_debug_register_code();
}

/// Changes of the list. LLVM changes it only where its own support for debuggers is used, which
/// this library does not do.
static CHANGES: Mutex<()> = Mutex::new(());

/// A file in the list; removed from it when dropped.
pub struct Registered {
    entry: *mut Entry,
    _file: Box<[u8]>,
}

// SAFETY: the element is only reached under the lock.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

impl Registered {
    /// Adds an ELF file.
    pub fn new(file: Box<[u8]>) -> Self {
        let entry = Box::into_raw(Box::new(Entry {
            next: std::ptr::null_mut(),
            previous: std::ptr::null_mut(),
            file: file.as_ptr(),
            size: file.len() as u64,
        }));
        let _changes = CHANGES.lock();
        // SAFETY: under the lock the list holds live elements only, and `entry` is one of them.
        unsafe {
            let first = __jit_debug_descriptor.first;
            (*entry).next = first;
            if !first.is_null() {
                (*first).previous = entry;
            }
            __jit_debug_descriptor.first = entry;
            announce(Action::Register, entry);
        }
        Self { entry, _file: file }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let _changes = CHANGES.lock();
        let entry = self.entry;
        // SAFETY: as in `new`; the element is freed once, when nothing points to it any more.
        unsafe {
            let (previous, next) = ((*entry).previous, (*entry).next);
            match previous.is_null() {
                true => __jit_debug_descriptor.first = next,
                false => (*previous).next = next,
            }
            if !next.is_null() {
                (*next).previous = previous;
            }
            announce(Action::Unregister, entry);
            drop(Box::from_raw(entry));
        }
    }
}

/// Lets gdb see a change.
///
/// # Safety
/// The caller holds `CHANGES`; `entry` is alive.
unsafe fn announce(action: Action, entry: *mut Entry) {
    // SAFETY: as the caller promises.
    unsafe {
        __jit_debug_descriptor.version = 1;
        __jit_debug_descriptor.relevant = entry;
        __jit_debug_descriptor.action = action as u32;
        __jit_debug_register_code();
        __jit_debug_descriptor.action = Action::None as u32;
        __jit_debug_descriptor.relevant = std::ptr::null_mut();
    }
}
