//! The limit of code: the memory that holds it. The size of the machine's code is known of timed code.

use crate::device::Device;
use device_sim::machine::{CodeStackLayout, Exceeded, Excess};
use kernel_compiler::executable::WorkGroupCode;

/// Checks whether code fits.
///
/// # Errors
/// It does not.
pub fn check(device: &Device, code: &WorkGroupCode) -> Result<(), Exceeded> {
    let machine = device.machine();
    let memory = CodeStackLayout::from_environment(&machine.layout).code;
    let available = machine.memory.shared(memory.into()).size.value;
    let timed = code.timed.as_ref();
    match timed.map_or(0, |timed| u64::from(timed.cost().code_bytes)) {
        needed if needed > available => Err(Exceeded {
            memory: Excess::Code,
            needed,
            available,
        }),
        _ => Ok(()),
    }
}
