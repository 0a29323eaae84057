//! The platform under test, chosen by name.

use anyhow::{Context, Result};
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};

/// First device of the first platform whose name or version contains `name` (any case).
/// The version is searched as well since PoCL is called "Portable Computing Language",
/// and only its version says "PoCL 3.1".
///
/// # Errors
/// No such platform, or it has no device.
pub fn first_device(name: &str) -> Result<Device> {
    let wanted = name.to_lowercase();
    let platforms = opencl3::platform::get_platforms().context("no OpenCL platform")?;
    let platform = platforms
        .into_iter()
        .find(|platform| {
            let names = [platform.name(), platform.version()];
            names
                .into_iter()
                .flatten()
                .any(|found| found.to_lowercase().contains(&wanted))
        })
        .with_context(|| format!("no OpenCL platform is called `{name}`"))?;
    let devices = platform.get_devices(CL_DEVICE_TYPE_ALL)?;
    let id = devices
        .first()
        .with_context(|| format!("platform `{name}` has no device"))?;
    Ok(Device::new(*id))
}
