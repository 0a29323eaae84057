//! Identifiers of devices and of the driver (cl_khr_device_uuid), made from names: the
//! same in every process, and other than anybody else's.

use crate::device::{Device, MAKER};
use uuid::Uuid;

/// The project's own name space (RFC 9562, section 5.5); a random number.
const NAME_SPACE: Uuid = Uuid::from_u128(0x7b1e_94d2_5c03_4f6e_a8d1_2f60_9ce3_b745);

/// Which device it is: the same for every build, and for the sub-devices of a device.
pub fn of_device(device: &Device) -> [u8; 16] {
    let machine = device.machine();
    let name = format!(
        "{} {} cluster {}",
        machine.vendor,
        machine.name,
        device.index()
    );
    Uuid::new_v5(&NAME_SPACE, name.as_bytes()).into_bytes()
}

/// Which build of the driver it is.
pub fn of_driver() -> [u8; 16] {
    Uuid::new_v5(&NAME_SPACE, MAKER.as_bytes()).into_bytes()
}
