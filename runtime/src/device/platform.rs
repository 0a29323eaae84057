//! The platforms, one per node, and their root devices: one per acceleration cluster, and one of the
//! accelerators of fixed functions.

use crate::device::{Accelerators, Device, DeviceType, nodes};
use device_sim::machine::{Description, Identity};
use environment::ranks::{LocalRank, Ranks, ranks};
use environment::{DEVICE_TYPE, DEVICES};
use host_exec::floating_point::in_default_environment;
use host_exec::{process_lifecycle, threads};
use once_cell::sync::Lazy;
use std::sync::Arc;

/// The platform of a node. By default there is one node.
///
/// ```
/// use runtime::device::DeviceType;
/// use runtime::device::platform::Platform;
///
/// let platform = Platform::get();
/// let accelerators = platform.devices_of(DeviceType::ACCELERATOR);
/// assert_eq!(accelerators.count(), platform.devices().len());
/// ```
pub struct Platform {
    devices: Vec<Arc<Device>>,
    machine: Identity,
}

/// `CL_PLATFORM_NAME` of a node's platform; it names the node if there are several.
pub fn name(node: usize) -> String {
    match nodes::count() {
        1 => "MOCL3".into(),
        _ => format!("MOCL3 node {node}"),
    }
}

/// Bytes of stack for opening the platforms.
const STACK_BYTES: usize = 1 << 20;

static PLATFORMS: Lazy<Vec<Platform>> = Lazy::new(|| {
    process_lifecycle::watch();
    let open = || in_default_environment(open);
    // Parsing a machine file needs more stack than some threads of the host program have.
    let opened = threads::with_stack(STACK_BYTES, open).unwrap_or_else(|_| open());
    opened.unwrap_or_else(|sentence| {
        log::error!("{sentence}; there are no devices");
        let without_devices = |_| Platform {
            devices: Vec::new(),
            machine: Identity::default(),
        };
        (0..nodes::count()).map(without_devices).collect()
    })
});

impl Platform {
    /// The platforms of all nodes, at least one; opened at first use, with the machine that
    /// `MOCL3_MACHINE` names, or MT-3000, and the settings of `MOCL3_MACHINE_SET`. If these are
    /// invalid the platforms have no devices, and the log says why.
    pub fn all() -> &'static [Platform] {
        &PLATFORMS
    }

    /// The platform of the first node.
    pub fn get() -> &'static Platform {
        &PLATFORMS[0]
    }

    /// The position of a device among the root devices of all nodes.
    pub(crate) fn position_of(device: &Device) -> usize {
        let devices = Self::get().devices();
        let is_same = |other: &Arc<Device>| other.index() == device.index();
        let place = devices.iter().position(is_same).unwrap_or_default();
        device.node() * devices.len() + place
    }

    /// Whether the platforms have been opened.
    pub fn is_open() -> bool {
        Lazy::get(&PLATFORMS).is_some()
    }

    /// Root devices: clusters up to the number in `MOCL3_DEVICES`, then the custom device if the machine
    /// has accelerators.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// What the machine is based on, and which of its numbers were set.
    pub fn machine(&self) -> &Identity {
        &self.machine
    }

    /// Root devices of any of these types. The first cluster is the default device.
    pub fn devices_of(&self, wanted: DeviceType) -> impl Iterator<Item = &Arc<Device>> {
        self.devices
            .iter()
            .enumerate()
            .filter(move |(index, device)| {
                device.device_type().intersects(wanted)
                    || (*index == 0 && wanted.contains(DeviceType::DEFAULT))
            })
            .map(|(_, device)| device)
    }
}

/// Opens the platforms of all nodes.
fn open() -> Result<Vec<Platform>, String> {
    let description = Description::from_environment()?;
    let machine = description.machine().map_err(|error| error.to_string())?;
    let device_type = match DEVICE_TYPE.get() {
        Some(name) => device_type(&name.to_string_lossy()).ok_or_else(|| {
            let name = name.display();
            format!("{DEVICE_TYPE}={name} is none of accelerator, cpu, gpu")
        })?,
        None => DeviceType::ACCELERATOR,
    };
    let machine = Arc::new(machine);
    let clusters = machine.clusters.count.value as usize;
    let count = DEVICES.get().map_or(clusters, |value| {
        device_count(&value.to_string_lossy(), clusters).unwrap_or_else(|| {
            log::warn!(
                "{DEVICES}={} is not a number from 1 to {clusters}; all clusters of the \
                     machine are devices",
                value.display()
            );
            clusters
        })
    });
    let clusters = 0..count;
    let clusters = match ranks() {
        Ok(Some(Ranks::Cluster(LocalRank { rank, .. }))) => rank % count..rank % count + 1,
        Ok(Some(Ranks::Node(_)) | None) => clusters,
        Err(error) => {
            log::warn!("{error}; the process has all clusters");
            clusters
        }
    };
    let platform = |node| {
        let mut devices = clusters
            .clone()
            .map(|index| Device::open(&machine, node, index, device_type).map(Arc::new))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| error.to_string())?;
        if let Some(accelerators) = Accelerators::new(&machine)? {
            let device = Device::custom(&machine, node, count, accelerators);
            devices.push(Arc::new(device));
        }
        Ok(Platform {
            devices,
            machine: description.identity().clone(),
        })
    };
    (0..nodes::count()).map(platform).collect()
}

fn device_type(name: &str) -> Option<DeviceType> {
    Some(match name.trim().to_ascii_lowercase().as_str() {
        "" | "accelerator" => DeviceType::ACCELERATOR,
        "cpu" => DeviceType::CPU,
        "gpu" => DeviceType::GPU,
        _ => return None,
    })
}

/// The number in `MOCL3_DEVICES`; none if it is no number from 1 to the machine's clusters.
fn device_count(value: &str, clusters: usize) -> Option<usize> {
    let count = value.trim().parse().ok()?;
    (1..=clusters).contains(&count).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cluster_is_a_device() {
        let devices = Platform::get().devices();
        assert_eq!(devices.len(), 4);
        assert!(devices.iter().all(|device| device.compute_units() == 24));
    }

    #[test]
    fn one_device_is_the_default_and_none_reports_so() {
        let platform = Platform::get();
        let count = |wanted| platform.devices_of(wanted).count();
        let [default, ours] = [DeviceType::DEFAULT, DeviceType::ACCELERATOR];
        assert_eq!(
            [count(default), count(ours), count(default | ours)],
            [1, 4, 4]
        );
        assert_eq!(
            [count(DeviceType::CPU), count(default | DeviceType::CPU)],
            [0, 1]
        );
        let mut first = platform.devices_of(default);
        assert!(Arc::ptr_eq(first.next().unwrap(), &platform.devices()[0]));
        for device in platform.devices() {
            assert_eq!(device.device_type(), ours);
        }
    }

    #[test]
    fn numbers_of_devices_are_those_of_the_machine_or_fewer() {
        for (value, expected) in [
            ("1", Some(1)),
            (" 4 ", Some(4)),
            ("5", None),
            ("0", None),
            ("-1", None),
            ("all", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(device_count(value, 4), expected, "{value:?}");
        }
    }

    #[test]
    fn device_types_are_read_by_name() {
        assert_eq!(device_type("GPU"), Some(DeviceType::GPU));
        assert_eq!(device_type("fpga"), None);
    }
}
