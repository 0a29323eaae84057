//! The limit of code: the memory that holds it. The size of the machine's code is known of timed code.

use crate::device::Device;
use device_sim::machine::{Capacities, CodeStackLayout, Exceeded, Excess, KernelMemory};
use kernel_compiler::executable::WorkGroupCode;

/// Checks whether code fits.
///
/// # Errors
/// It does not.
pub fn check(device: &Device, code: &WorkGroupCode) -> Result<(), Exceeded> {
    let Some(timed) = &code.timed else {
        return Ok(());
    };
    let machine = device.machine();
    let layout = CodeStackLayout::from_environment(&machine.layout);
    let needs = KernelMemory {
        code: timed.cost().code_bytes.into(),
        ..KernelMemory::default()
    };
    let exceeded = Capacities::new(machine, &layout).exceeded(&needs);
    match exceeded.into_iter().find(|one| one.memory == Excess::Code) {
        Some(code) => Err(code),
        None => Ok(()),
    }
}
