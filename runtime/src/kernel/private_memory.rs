//! The limit of private memory: what local memory leaves of an array's AM. Code with checks, code for
//! debuggers and code that is not optimised keeps more than the machine's would, and has no limit.

use crate::check;
use crate::device::Device;
use kernel_compiler::debugger;
use kernel_compiler::executable::WorkGroupCode;

/// A work-group needs more private memory than the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a work-group of {work_items} work-items needs {needed} bytes of private memory: {transient} of \
     the work-item that runs, and {kept} of each work-item across barriers; in addition to {local_memory} \
     bytes of local memory the array has {available}"
)]
pub struct TooMuchPrivateMemory {
    work_items: u64,
    needed: u64,
    transient: u64,
    kept: u64,
    local_memory: u64,
    available: u64,
    /// The most work-items that could be in a group; none if the memory of one is too much.
    pub most_work_items: Option<u64>,
}

/// Checks whether the private memory of a work-group fits.
///
/// # Errors
/// It does not.
pub fn check_group(
    device: &Device,
    code: &WorkGroupCode,
    work_items: u64,
    local_memory: u64,
) -> Result<(), TooMuchPrivateMemory> {
    let needs = code.private_memory_use;
    let available = device.private_memory_size(local_memory);
    if needs.fits(work_items, available) || !is_limited() {
        return Ok(());
    }
    Err(TooMuchPrivateMemory {
        work_items,
        needed: needs.per_group(work_items, 1),
        transient: needs.transient,
        kept: needs.kept,
        local_memory,
        available,
        most_work_items: most_work_items(device, code, local_memory),
    })
}

/// Private memory of a group of the code that is timed, bytes: that of all lanes and what its
/// work-items keep.
pub fn of_group(code: &WorkGroupCode, work_items: u64) -> u64 {
    let lanes = code.timed.as_ref().map_or(0, |timed| timed.cost().lanes);
    let at_a_time = u64::from(lanes).clamp(1, work_items.max(1));
    code.private_memory_use.per_group(work_items, at_a_time)
}

/// The most work-items of a group whose private memory fits; none if that of one does not.
pub fn most_work_items(device: &Device, code: &WorkGroupCode, local_memory: u64) -> Option<u64> {
    let limit = device.max_work_group_size();
    let available = device.private_memory_size(local_memory);
    let lanes = device.machine().array.lanes.value;
    code.private_memory_use
        .most_work_items(available, lanes, limit)
}

/// Whether code is as it would be on the machine.
pub fn is_limited() -> bool {
    !check::is_on() && !debugger::is_on()
}
