//! The C functions of libMT (docs/hthreads.md#libmt). They return 0, or -1 after a message.

use crate::devices;
use crate::error::Error;
use crate::launching::Launching;
use crate::low_level;
use crate::recorder::RecordedCall;
use device_sim::timing::host_command::HostCommand;
use host_exec::floating_point::in_default_environment;
use std::ffi::{CStr, OsStr, c_char, c_int, c_uint, c_ulong, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// 0, or -1 after the message.
fn status(result: Result<(), Error>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => {
            error.report();
            -1
        }
    }
}

/// Opens a cluster.
#[unsafe(no_mangle)]
pub extern "C" fn mt_init(cluster_id: c_int) -> c_int {
    let _call = RecordedCall::begin("mt_init");
    status(in_default_environment(|| devices::open(cluster_id)))
}

/// Closes a cluster: ends its threads, and frees its memory.
#[unsafe(no_mangle)]
pub extern "C" fn mt_exit(cluster_id: c_int) -> c_int {
    let _call = RecordedCall::begin("mt_exit");
    status(devices::close("mt_exit", cluster_id))
}

/// Ends what runs on a cluster, and closes its sets of cores; memory and image stay.
#[unsafe(no_mangle)]
pub extern "C" fn mt_reset_cluster(cluster_id: c_int) -> c_int {
    let _call = RecordedCall::begin("mt_reset_cluster");
    status(devices::reset("mt_reset_cluster", cluster_id))
}

/// Memory in the DDR of a cluster; null if it is exhausted.
#[unsafe(no_mangle)]
pub extern "C" fn mt_malloc(cluster_id: c_int, bytes: c_ulong) -> *mut c_void {
    devices::allocate(cluster_id, bytes).cast()
}

/// Frees it; other addresses are ignored.
#[unsafe(no_mangle)]
pub extern "C" fn mt_free(ptr: *mut c_void) {
    devices::free(ptr.cast());
}

/// The device's address of memory of the host program; 0 if the device cannot access it.
#[unsafe(no_mangle)]
pub extern "C" fn mt_phyaddr(ptr: *const c_void) -> c_ulong {
    match devices::is_of_device(ptr.addr()) {
        true => ptr.expose_provenance() as c_ulong,
        false => 0,
    }
}

/// The host program's address of the device's; null if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn mt_viraddr(address: c_ulong) -> *mut c_void {
    match devices::is_of_device(address as usize) {
        true => std::ptr::with_exposed_provenance_mut(address as usize),
        false => std::ptr::null_mut(),
    }
}

/// Loads an image.
///
/// # Safety
/// The path ends in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mt_load_dat(cluster_id: c_int, file_path: *const c_char) -> c_int {
    let _call = RecordedCall::begin("mt_load_dat");
    // SAFETY: as the caller promises.
    let path = unsafe { CStr::from_ptr(file_path) };
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    status(devices::load("mt_load_dat", cluster_id, path))
}

/// Opens a set of cores, bit i for core i. Other functions name the set by this mask.
#[unsafe(no_mangle)]
pub extern "C" fn mt_open_core(cluster_id: c_int, mask: c_uint) -> c_int {
    status(low_level::open_cores(cluster_id, mask))
}

/// Closes a set of cores, and does not wait.
#[unsafe(no_mangle)]
pub extern "C" fn mt_close_core(cluster_id: c_int, mask: c_uint) -> c_int {
    status(low_level::close_cores(cluster_id, mask))
}

/// Sets the function of the image that a set of cores runs next.
///
/// # Safety
/// The name ends in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mt_set_entry(
    cluster_id: c_int,
    mask: c_uint,
    func_name: *const c_char,
) -> c_int {
    // SAFETY: as the caller promises.
    let name = unsafe { CStr::from_ptr(func_name) }.to_string_lossy();
    status(low_level::set_entry(cluster_id, mask, &name))
}

/// Loads the arguments of that function.
///
/// # Safety
/// There are as many words as `count` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mt_load_args(
    cluster_id: c_int,
    mask: c_uint,
    count: c_int,
    args: *const u64,
) -> c_int {
    let count = usize::try_from(count).unwrap_or(0);
    let words = match args.is_null() {
        true => &[],
        // SAFETY: as the caller promises.
        false => unsafe { std::slice::from_raw_parts(args, count) },
    };
    status(low_level::load_arguments(cluster_id, mask, words))
}

/// Fires a set of cores.
#[unsafe(no_mangle)]
pub extern "C" fn mt_run(cluster_id: c_int, mask: c_uint) -> c_int {
    let _call = RecordedCall::begin("mt_run");
    status(low_level::run(cluster_id, mask, Launching::Fire))
}

/// Starts a set of cores, which has been fired, by interrupts.
#[unsafe(no_mangle)]
pub extern "C" fn mt_xrun(cluster_id: c_int, mask: c_uint) -> c_int {
    let _call = RecordedCall::begin("mt_xrun");
    status(low_level::run(cluster_id, mask, Launching::Resume))
}

fn wait(name: &'static str, cluster: c_int, mask: c_uint) -> c_int {
    let _call = RecordedCall::begin(name);
    match low_level::wait(name, cluster, mask) {
        Ok(end) => devices::exception_number(end),
        Err(error) => status(Err(error)),
    }
}

/// Waits for a set of cores; the number of its exception, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn mt_wait(cluster_id: c_int, mask: c_uint) -> c_int {
    wait("mt_wait", cluster_id, mask)
}

/// Waits for a set of cores that `mt_xrun` has started.
#[unsafe(no_mangle)]
pub extern "C" fn mt_xwait(cluster_id: c_int, mask: c_uint) -> c_int {
    wait("mt_xwait", cluster_id, mask)
}

/// Interrupts a core of a set with a number from 16 to 59.
#[unsafe(no_mangle)]
pub extern "C" fn mt_send_intr(
    cluster_id: c_int,
    mask: c_uint,
    core_id: c_int,
    intr_id: c_ulong,
) -> c_int {
    let _call = RecordedCall::begin("mt_send_intr");
    status(low_level::interrupt(cluster_id, mask, core_id, intr_id))
}

/// Invalidates lines of the CPU's caches, before the program reads what arrays have written.
#[unsafe(no_mangle)]
pub extern "C" fn mt_inv(_ptr: *mut c_void, bytes: c_ulong) {
    low_level::maintain_caches(HostCommand::Map, bytes);
}

/// Writes lines of the CPU's caches back, before arrays read what the program has written.
#[unsafe(no_mangle)]
pub extern "C" fn mt_flush(_ptr: *mut c_void, bytes: c_ulong) {
    low_level::maintain_caches(HostCommand::Unmap, bytes);
}
