//! UUIDs of devices and of the driver (cl_khr_device_uuid). They are derived from names, so they
//! are the same in every process.

use crate::device::{Device, MAKER};
use uuid::Uuid;

/// The project's own name space (RFC 9562, section 5.5); a random number.
const NAME_SPACE: Uuid = Uuid::from_u128(0x7b1e_94d2_5c03_4f6e_a8d1_2f60_9ce3_b745);

/// The UUID of a device: the same for every build, and for the device's sub-devices.
pub fn of_device(device: &Device) -> [u8; 16] {
    let machine = device.machine();
    let node = match device.node() {
        0 => String::new(),
        node => format!("node {node} "),
    };
    let part = match device.accelerators() {
        None => format!("cluster {}", device.index()),
        Some(_) => "accelerators".to_owned(),
    };
    let name = format!("{} {} {node}{part}", machine.vendor, machine.name);
    Uuid::new_v5(&NAME_SPACE, name.as_bytes()).into_bytes()
}

/// The UUID of the driver's build.
pub fn of_driver() -> [u8; 16] {
    Uuid::new_v5(&NAME_SPACE, MAKER.as_bytes()).into_bytes()
}
