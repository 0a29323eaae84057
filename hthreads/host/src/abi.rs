//! The C functions (docs/hthreads.md#host-functions).

use crate::cores::Cores;
use crate::devices::{self, Call};
use crate::error::Error;
use crate::interrupts;
use crate::launching::Launching;
use crate::libmt;
use crate::recorder::RecordedCall;
use crate::units::Unit;
use device_threads::group::Status;
use device_threads::interrupts::HostHandler;
use host_exec::floating_point::in_default_environment;
use kernel_compiler::device_c::MAX_ARGUMENTS;
use std::ffi::{CStr, OsStr, c_char, c_int, c_uint, c_ulong, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The result of a call that ends the process if it fails.
fn or_exit<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| error.exit())
}

/// The status of a group in the machine's own library; its header says otherwise.
const RUNNING: c_int = 1;
const IDLE: c_int = 0;
const STOPPED: c_int = 2;

/// Opens a cluster.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_dev_open(cluster_id: c_int) -> c_int {
    let _call = RecordedCall::begin("hthread_dev_open");
    or_exit(in_default_environment(|| devices::open(cluster_id)));
    0
}

/// The process that has a cluster open; 0 if none has.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_dev_owner(cluster_id: c_int) -> c_int {
    match devices::is_open(cluster_id) {
        true => std::process::id() as c_int,
        false => 0,
    }
}

/// Closes a cluster.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_dev_close(cluster_id: c_int) -> c_int {
    let _call = RecordedCall::begin("hthread_dev_close");
    or_exit(devices::close("hthread_dev_close", cluster_id));
    0
}

/// Loads an image.
///
/// # Safety
/// The path ends in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hthread_dat_load(cluster_id: c_int, file_path: *const c_char) -> c_int {
    let _call = RecordedCall::begin("hthread_dat_load");
    // SAFETY: as the caller promises.
    let path = unsafe { text(file_path) }.unwrap_or_default();
    let path = Path::new(OsStr::from_bytes(path));
    or_exit(devices::load("hthread_dat_load", cluster_id, path));
    0
}

/// Forgets the image.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_dat_unload(cluster_id: c_int) -> c_int {
    devices::unload(cluster_id);
    0
}

/// The path of the image, or null.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_dat_query(cluster_id: c_int) -> *const c_char {
    devices::image_path(cluster_id)
}

/// The bytes of a C string; `None` if it is null.
///
/// # Safety
/// It ends in NUL.
unsafe fn text<'t>(text: *const c_char) -> Option<&'t [u8]> {
    // SAFETY: as the caller promises.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// The kernel that a call starts.
///
/// # Errors
/// It has too many arguments.
///
/// # Safety
/// The name ends in NUL, and `arguments` has as many words as there are arguments.
unsafe fn call<'a>(
    name: *const c_char,
    scalars: c_int,
    pointers: c_int,
    arguments: *const u64,
) -> Result<Call<'a>, Error> {
    // SAFETY: as the caller promises.
    let Some(name) = (unsafe { text(name) }) else {
        return Ok(None);
    };
    let count = i64::from(scalars) + i64::from(pointers);
    let mut words = [0; MAX_ARGUMENTS];
    if count > MAX_ARGUMENTS as i64 {
        return Err(Error::TooManyArguments(count));
    }
    if !arguments.is_null() {
        for (number, word) in words.iter_mut().enumerate().take(count.max(0) as usize) {
            // SAFETY: as the caller promises.
            *word = unsafe { arguments.add(number).read() };
        }
    }
    let name = std::str::from_utf8(name);
    let name = name.map_err(|_| Error::NoFunction("with that name".into()))?;
    Ok(Some((name, words)))
}

/// Creates a group that runs no kernel yet.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_group_create2(cluster_id: c_int, num: c_int) -> c_int {
    let _call = RecordedCall::begin("hthread_group_create");
    or_exit(devices::create_group(cluster_id, Cores::Idle(num), None))
}

/// Creates a group and starts a kernel on its threads.
///
/// # Safety
/// See `call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hthread_group_create6(
    cluster_id: c_int,
    num: c_int,
    func_name: *const c_char,
    scalar_args: c_int,
    ptr_args: c_int,
    arg_array: *const u64,
) -> c_int {
    let _call = RecordedCall::begin("hthread_group_create");
    // SAFETY: as the caller promises.
    let call = or_exit(unsafe { call(func_name, scalar_args, ptr_args, arg_array) });
    or_exit(devices::create_group(cluster_id, Cores::Idle(num), call))
}

/// Creates a group of the cores of a mask and starts a kernel on its threads; -1 if it cannot.
///
/// # Safety
/// See `call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hthread_group_masked_create(
    cluster_id: c_int,
    pmask: c_uint,
    func_name: *const c_char,
    scalar_args: c_int,
    ptr_args: c_int,
    arg_array: *const u64,
) -> c_int {
    let _call = RecordedCall::begin("hthread_group_masked_create");
    // SAFETY: as the caller promises.
    let call = unsafe { call(func_name, scalar_args, ptr_args, arg_array) };
    let cores = Cores::Masked(pmask);
    let group = call.and_then(|call| devices::create_group(cluster_id, cores, call));
    group.unwrap_or_else(|error| {
        error.report();
        -1
    })
}

/// Starts a kernel on the threads of a group; waits first if the group is busy.
///
/// # Safety
/// See `call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hthread_group_exec(
    thread_id: c_int,
    func_name: *const c_char,
    scalar_args: c_int,
    ptr_args: c_int,
    arg_array: *const u64,
) -> c_int {
    let _call = RecordedCall::begin("hthread_group_exec");
    // SAFETY: as the caller promises.
    let call = or_exit(unsafe { call(func_name, scalar_args, ptr_args, arg_array) });
    or_exit(devices::execute(thread_id, call, Launching::Execute));
    0
}

/// 1 while a group runs, 0 after, 2 after an exception; -1 if there is no such group.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_group_get_status(thread_id: c_int) -> c_int {
    match devices::status(thread_id) {
        Some(Status::Running) => RUNNING,
        Some(Status::Idle) => IDLE,
        Some(Status::Stopped(_)) => STOPPED,
        None => -1,
    }
}

/// Waits for a group. The number of its exception, 0 if there was none; -1 if there is no such group.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_group_wait(thread_id: c_int) -> c_int {
    let _call = RecordedCall::begin("hthread_group_wait");
    match devices::wait("hthread_group_wait", thread_id) {
        Ok(status) => devices::exception_number(status),
        Err(Error::NoGroup(..)) => -1,
        Err(error) => error.exit(),
    }
}

/// Gives the cores of a group back, and does not wait; -1 if there is no such group.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_group_destroy(thread_id: c_int) -> c_int {
    let _call = RecordedCall::begin("hthread_group_destroy");
    if devices::destroy(thread_id) { 0 } else { -1 }
}

/// Cores of a cluster that are in no group.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_get_avail_threads(cluster_id: c_int) -> c_int {
    devices::idle_cores(cluster_id) as c_int
}

/// Memory in the DDR of a cluster; null if it is exhausted. The mode, like the machine's, is not
/// enforced.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_malloc(cluster_id: c_int, bytes: c_ulong, _mode: c_int) -> *mut c_void {
    devices::allocate(cluster_id, bytes).cast()
}

/// Frees what `hthread_malloc` gave; other addresses are ignored.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_free(ptr: *mut c_void) {
    devices::free(ptr.cast());
}

/// The device's address of memory; 0 if the device cannot access it.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_phyaddr(ptr: *mut c_void) -> c_ulong {
    libmt::mt_phyaddr(ptr)
}

/// The id of a barrier unit; -1 if all are in use.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_barrier_create(cluster_id: c_int) -> c_int {
    devices::create_unit(Unit::Barrier, cluster_id).unwrap_or(-1)
}

/// Frees a barrier unit.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_barrier_destroy(b_id: c_int) {
    devices::destroy_unit(Unit::Barrier, b_id);
}

/// The id of a read-write lock; -1 if all are in use.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_rwlock_create(cluster_id: c_int) -> c_int {
    devices::create_unit(Unit::Lock, cluster_id).unwrap_or(-1)
}

/// Frees a read-write lock.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_rwlock_destroy(lock_id: c_int) {
    devices::destroy_unit(Unit::Lock, lock_id);
}

/// Interrupts a thread of a group with a number from 16 to 59.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_intr_send(g_id: c_int, t_id: c_int, intr_id: c_ulong) {
    let _call = RecordedCall::begin("hthread_intr_send");
    or_exit(interrupts::send("hthread_intr_send", g_id, t_id, intr_id));
}

/// Registers the function that `cpu_interrupt` of a group's threads calls; the one before, 0 if there was
/// none.
#[unsafe(no_mangle)]
pub extern "C" fn hthread_handler_register(thread_id: c_int, func: Option<HostHandler>) -> c_ulong {
    let before = or_exit(interrupts::register(thread_id, func));
    before.map_or(0, |before| before as *const () as c_ulong)
}
