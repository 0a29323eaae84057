//! The platform under test, chosen by name.

use anyhow::{Context, Result, bail};
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::platform::Platform;
use serde::Serialize;

/// A platform's identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// `CL_PLATFORM_NAME`.
    pub name: String,
    /// `CL_PLATFORM_VERSION`.
    pub version: String,
    /// `CL_DRIVER_VERSION` of its first device.
    pub driver: String,
}

impl Identity {
    /// The identity of a device's platform.
    ///
    /// # Errors
    /// A query fails.
    pub fn query(device: &Device) -> Result<Self> {
        let platform = Platform::new(device.platform()?);
        Ok(Self {
            name: platform.name()?,
            version: platform.version()?,
            driver: device.driver_version()?,
        })
    }

    /// Whether `name` is part of its name or version, in any case.
    pub fn is_called(&self, name: &str) -> bool {
        is_called(&self.name, &self.version, name)
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({})", self.name, self.version)
    }
}

/// The version is searched as well, because the name of PoCL is "Portable Computing Language" and
/// only its version contains "PoCL 3.1".
fn is_called(name: &str, version: &str, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    [name, version]
        .iter()
        .any(|text| text.to_lowercase().contains(&wanted))
}

/// The first device of the first platform whose name or version contains `name`, in any case.
///
/// # Errors
/// There is no such platform (the error lists the others), or it has no device.
pub fn first_device(name: &str) -> Result<Device> {
    let platforms = opencl3::platform::get_platforms();
    // The loader returns an error if there is no platform (cl_khr_icd).
    let platforms = platforms.unwrap_or_default();
    if platforms.is_empty() {
        let vendors = std::env::var("OCL_ICD_VENDORS");
        let place = vendors.map_or_else(
            |_| "/etc/OpenCL/vendors".to_owned(),
            |path| format!("OCL_ICD_VENDORS={path}"),
        );
        bail!("the OpenCL loader finds no platform at all (it looks into {place})");
    }
    let mut found = Vec::new();
    for platform in platforms {
        let (known_as, version) = (
            platform.name().unwrap_or_default(),
            platform.version().unwrap_or_default(),
        );
        if is_called(&known_as, &version, name) {
            let devices = platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default();
            let id = devices
                .first()
                .with_context(|| format!("the platform `{known_as}` ({version}) has no device"))?;
            return Ok(Device::new(*id));
        }
        found.push(format!("\n  {known_as} ({version})"));
    }
    bail!(
        "no OpenCL platform has `{name}` in its name or version; the loader finds{}",
        found.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::Identity;

    #[test]
    fn a_platform_is_known_by_its_name_and_its_version() {
        let pocl = Identity {
            name: "Portable Computing Language".into(),
            version: "OpenCL 3.0 PoCL 3.1+debian  Linux".into(),
            driver: "3.1+debian".into(),
        };
        assert!(pocl.is_called("pocl") && pocl.is_called("Portable"));
        assert!(!pocl.is_called("MOCL3"));
    }
}
