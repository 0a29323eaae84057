//! The one platform and its devices: one per acceleration cluster.

use crate::device::{Device, DeviceType};
use device_sim::machine::Machine;
use device_sim::process;
use once_cell::sync::Lazy;
use std::sync::Arc;

/// `accelerator` (the default), `cpu` or `gpu`: the type that devices report.
const DEVICE_TYPE_VARIABLE: &str = "MOCL3_DEVICE_TYPE";

/// The platform. Exists once per process.
pub struct Platform {
    devices: Vec<Arc<Device>>,
}

static PLATFORM: Lazy<Platform> = Lazy::new(|| {
    process::watch();
    Platform::open().unwrap_or_else(|sentence| {
        log::error!("{sentence}; there are no devices");
        Platform {
            devices: Vec::new(),
        }
    })
});

impl Platform {
    /// The platform; opened at first use, with the machine that `MOCL3_MACHINE`
    /// names (a TOML file) or MT-3000. If that file is no machine the platform has
    /// no devices, and the log says why.
    pub fn get() -> &'static Platform {
        &PLATFORM
    }

    /// Whether it has been opened.
    pub fn is_open() -> bool {
        Lazy::get(&PLATFORM).is_some()
    }

    /// Root devices, in cluster order.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    fn open() -> Result<Self, String> {
        let machine = Machine::from_environment()?;
        let device_type = match std::env::var(DEVICE_TYPE_VARIABLE) {
            Ok(name) => device_type(&name).ok_or_else(|| {
                format!("{DEVICE_TYPE_VARIABLE}={name} is none of accelerator, cpu, gpu")
            })?,
            Err(_) => DeviceType::ACCELERATOR,
        };
        let machine = Arc::new(machine);
        let count = machine.clusters.count.value as usize;
        let devices = (0..count)
            .map(|index| Device::open(&machine, index, device_type).map(Arc::new))
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        Ok(Self { devices })
    }
}

fn device_type(name: &str) -> Option<DeviceType> {
    Some(match name.trim().to_ascii_lowercase().as_str() {
        "" | "accelerator" => DeviceType::ACCELERATOR,
        "cpu" => DeviceType::CPU,
        "gpu" => DeviceType::GPU,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cluster_is_a_device() {
        let devices = Platform::get().devices();
        assert_eq!(devices.len(), 4);
        assert!(devices.iter().all(|device| device.compute_units() == 24));
        let defaults = devices
            .iter()
            .filter(|device| device.device_type().contains(DeviceType::DEFAULT));
        assert_eq!(defaults.count(), 1);
    }

    #[test]
    fn device_types_are_read_by_name() {
        assert_eq!(device_type("GPU"), Some(DeviceType::GPU));
        assert_eq!(device_type("fpga"), None);
    }
}
