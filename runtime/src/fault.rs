//! The faults that can be injected into the runtime, so that the conformance suite can be
//! checked. Without the feature `present` of `fault-injection` each function here is the identity
//! or a constant.

use crate::error::Result;
use fault_injection::{Defect, is_active};
use parking_lot::Mutex;
use std::any::Any;
use std::sync::Arc;

/// Whether commands wait for their wait lists (not with `IgnoredWaitLists`).
pub fn wait_lists_are_respected() -> bool {
    !is_active(Defect::IgnoredWaitLists)
}

/// Whether a command fails if an event of its wait list fails (not with `IgnoredFailures`).
pub fn failures_propagate() -> bool {
    !is_active(Defect::IgnoredFailures)
}

/// Whether destructor callbacks are called (not with `LostCallbacks`).
pub fn destructors_are_called() -> bool {
    !is_active(Defect::LostCallbacks)
}

/// Whether the size of a by-value argument is checked (not with `UncheckedArgumentSizes`).
pub fn argument_sizes_are_checked() -> bool {
    !is_active(Defect::UncheckedArgumentSizes)
}

/// Whether the local size must divide the global size (not with `UncheckedLocalSizes`).
pub fn local_sizes_are_checked() -> bool {
    !is_active(Defect::UncheckedLocalSizes)
}

/// Whether every launch uses code for small grids, whose ids have 32 bits (`NarrowIds`).
pub fn all_grids_are_small() -> bool {
    is_active(Defect::NarrowIds)
}

/// Whether samplers have a border colour (not with `NoImageBorder`).
pub fn images_have_borders() -> bool {
    !is_active(Defect::NoImageBorder)
}

/// Offset of a sub-buffer in its parent, bytes: `MisplacedSubBuffers` puts it at the start.
pub fn sub_buffer_origin(origin: usize) -> usize {
    if is_active(Defect::MisplacedSubBuffers) {
        return 0;
    }
    origin
}

/// A slice pitch as the host program gave it: `IgnoredSlicePitches` takes it as not given.
pub fn slice_pitch(given: usize) -> usize {
    if is_active(Defect::IgnoredSlicePitches) {
        return 0;
    }
    given
}

/// The global offset of a launch: `IgnoredGlobalOffsets` takes it as zero.
pub fn global_offset(offset: [u64; 3]) -> [u64; 3] {
    if is_active(Defect::IgnoredGlobalOffsets) {
        return [0; 3];
    }
    offset
}

/// The end of the local memory in use after an argument: `OverlappingLocalArguments` starts the
/// next argument where this one starts.
pub fn local_memory_end(start: u64, end: u64) -> u64 {
    if is_active(Defect::OverlappingLocalArguments) {
        return start;
    }
    end
}

/// Called for bytes that migrate from cluster to cluster: `LostMigrations` zeroes them.
///
/// # Safety
/// The bytes are writable.
pub unsafe fn migrate(start: *mut u8, bytes: usize) {
    if is_active(Defect::LostMigrations) {
        // SAFETY: as the caller promises.
        unsafe { start.write_bytes(0, bytes) };
    }
}

/// The execution of a command.
type Body<R> = Box<dyn FnOnce() -> Result<R> + Send>;

/// The body of a launch command. `StaleReads` executes the previous launch instead, and
/// `LateArguments` captures the arguments again when the command executes.
pub fn launch_body<K, L, R>(
    kernel: &Arc<K>,
    launch: L,
    run: fn(&L) -> Result<R>,
    capture_again: fn(&K, &mut L) -> Result<()>,
) -> Body<R>
where
    K: Send + Sync + 'static,
    L: Send + 'static,
    R: Default + 'static,
{
    if is_active(Defect::StaleReads) {
        return swap_with_previous(Box::new(move || run(&launch)));
    }
    if is_active(Defect::LateArguments) {
        let kernel = Arc::clone(kernel);
        let mut launch = launch;
        return Box::new(move || {
            capture_again(&kernel, &mut launch)?;
            run(&launch)
        });
    }
    Box::new(move || run(&launch))
}

/// A body that executes what the previous call of it was to execute.
fn swap_with_previous<R: Default + 'static>(body: Body<R>) -> Body<R> {
    static PREVIOUS: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
    Box::new(move || {
        let previous = PREVIOUS.lock().replace(Box::new(body));
        match previous.and_then(|previous| previous.downcast::<Body<R>>().ok()) {
            Some(previous) => previous(),
            None => Ok(R::default()),
        }
    })
}
