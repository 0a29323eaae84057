//! The header of a recording: process, machine and devices.

use crate::device::platform::Platform;
use ::recording::Header;
use host_exec::host_threads;

/// The header of this process's recording.
pub(crate) fn header(alternatives: bool) -> Header {
    let platform = Platform::get();
    let devices = platform.devices();
    let mut header = match devices.first() {
        Some(device) => Header::of_machine(device.machine(), platform.machine()),
        None => Header::default(),
    };
    header.alternatives = alternatives;
    header.host_threads = host_threads::count() as u32;
    header.devices = Platform::all()
        .iter()
        .flat_map(Platform::devices)
        .map(|device| ::recording::Device {
            name: device.name(),
            arrays: device.compute_units(),
            clock: device.accelerators().map(|all| all.clock().hertz()),
        })
        .collect();
    header
}
