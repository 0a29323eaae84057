//! Partition schemes of devices (OpenCL 1.2, section 4.3).

use crate::error::{Code, Error, Result};
use device_sim::array_range::ArrayRange;
use device_sim::machine::Machine;

pub use device_sim::machine::AffinityDomain;

/// A partition scheme with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partition {
    /// `CL_DEVICE_PARTITION_EQUALLY`: as many sub-devices as possible with this number of
    /// compute units each.
    Equally(u32),
    /// `CL_DEVICE_PARTITION_BY_COUNTS`: the number of compute units of each sub-device.
    ByCounts(Vec<u32>),
    /// `CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN`: sub-devices whose compute units share a
    /// domain.
    ByAffinityDomain(AffinityDomain),
    /// `CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE`: the outermost domain that divides the
    /// device.
    ByNextAffinityDomain,
}

/// Affinity domains that divide these arrays, the outermost first.
pub(crate) fn affinity_domains(arrays: ArrayRange, machine: &Machine) -> Vec<AffinityDomain> {
    let divides = |domain: &AffinityDomain| {
        by_domain(arrays, machine, *domain).is_some_and(|parts| parts.len() > 1)
    };
    AffinityDomain::ALL.into_iter().filter(divides).collect()
}

/// The arrays in each domain; none if the machine has no such domain.
fn by_domain(
    arrays: ArrayRange,
    machine: &Machine,
    domain: AffinityDomain,
) -> Option<Vec<ArrayRange>> {
    let length = machine.clusters.affinity.arrays(domain)?;
    Some(arrays.split_at_multiples(length))
}

fn invalid<T>(sentence: String) -> Result<T> {
    Err(Error::new(Code::InvalidValue, sentence))
}

impl Partition {
    /// The arrays of each sub-device, and the scheme with `ByNextAffinityDomain` resolved.
    ///
    /// # Errors
    /// `InvalidValue`, `DevicePartitionFailed`, `InvalidDevicePartitionCount`.
    pub(crate) fn divide(
        &self,
        arrays: ArrayRange,
        machine: &Machine,
    ) -> Result<(Vec<ArrayRange>, Self)> {
        let scheme = match self {
            Self::ByNextAffinityDomain => match affinity_domains(arrays, machine).first() {
                Some(domain) => Self::ByAffinityDomain(*domain),
                None => return Err(indivisible("lies in one domain of each kind")),
            },
            named => named.clone(),
        };
        let parts = match &scheme {
            Self::Equally(count) => equally(arrays, *count)?,
            Self::ByCounts(counts) => by_counts(arrays, counts)?,
            Self::ByAffinityDomain(domain) => match by_domain(arrays, machine, *domain) {
                Some(parts) if parts.len() > 1 => parts,
                Some(_) => return Err(indivisible("lies in one such domain")),
                None => return invalid(format!("the machine has no domains {domain:?}")),
            },
            Self::ByNextAffinityDomain => Vec::new(),
        };
        Ok((parts, scheme))
    }
}

fn indivisible(why: &str) -> Error {
    Error::new(
        Code::DevicePartitionFailed,
        format!("the device cannot be divided: it {why}"),
    )
}

fn equally(arrays: ArrayRange, count: u32) -> Result<Vec<ArrayRange>> {
    let units = arrays.count() as u32;
    if count == 0 {
        return invalid("sub-devices have at least one compute unit".into());
    }
    if units == 1 {
        return Err(indivisible("has one compute unit"));
    }
    if count > units {
        return Err(Error::new(
            Code::InvalidDevicePartitionCount,
            format!("the device has {units} compute units, not {count}"),
        ));
    }
    // The one sub-device would be the device itself.
    if count == units {
        return Err(indivisible("has no more compute units than that"));
    }
    Ok(consecutive(
        arrays,
        std::iter::repeat_n(count, (units / count) as usize),
    ))
}

fn by_counts(arrays: ArrayRange, counts: &[u32]) -> Result<Vec<ArrayRange>> {
    let units = arrays.count() as u32;
    if counts.is_empty() || counts.contains(&0) {
        return invalid("the list of counts is empty".into());
    }
    if units == 1 {
        return Err(indivisible("has one compute unit"));
    }
    let wanted: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    if counts.len() > units as usize || wanted > u64::from(units) {
        return Err(Error::new(
            Code::InvalidDevicePartitionCount,
            format!(
                "{} sub-devices with {wanted} compute units are requested, the device has {units}",
                counts.len()
            ),
        ));
    }
    Ok(consecutive(arrays, counts.iter().copied()))
}

/// Consecutive parts of these lengths; their sum is at most the number of arrays.
fn consecutive(arrays: ArrayRange, counts: impl Iterator<Item = u32>) -> Vec<ArrayRange> {
    let mut offset = 0;
    let part = |count| {
        let part = arrays.part(offset, u64::from(count));
        offset += u64::from(count);
        part
    };
    counts.map_while(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::platform::Platform;
    use crate::device::{Device, DeviceType};
    use device_sim::machine::Machine;
    use std::ops::Range;
    use std::sync::Arc;

    fn root() -> Arc<Device> {
        Arc::clone(&Platform::get().devices()[1])
    }

    fn numbers(devices: &[Arc<Device>]) -> Vec<Range<u64>> {
        devices
            .iter()
            .map(|device| device.arrays().numbers())
            .collect()
    }

    fn code(device: &Arc<Device>, partition: Partition) -> Code {
        device.divide(&partition).err().unwrap().code
    }

    #[test]
    fn sub_devices_have_arrays_of_their_own() {
        let root = root();
        let equal = root.divide(&Partition::Equally(10)).unwrap();
        assert_eq!(numbers(&equal), [0..10, 10..20], "four are left over");
        let counts = Partition::ByCounts(vec![1, 6, 2]);
        let inner = equal[1].divide(&counts).unwrap();
        assert_eq!(numbers(&inner), [10..11, 11..17, 17..19]);
        assert_eq!(inner[2].partition(), Some(&counts));
        assert!(Arc::ptr_eq(inner[2].parent().unwrap(), &equal[1]));
        assert!(root.parent().is_none() && root.partition().is_none());
        let lineage: Vec<_> = inner[2].lineage().collect();
        assert!(Arc::ptr_eq(lineage[2], &root) && lineage.len() == 3);
    }

    #[test]
    fn impossible_partitions_have_their_codes() {
        let root = root();
        assert_eq!(code(&root, Partition::Equally(0)), Code::InvalidValue);
        for (count, expected) in [
            (24, Code::DevicePartitionFailed),
            (25, Code::InvalidDevicePartitionCount),
            (u32::MAX, Code::InvalidDevicePartitionCount),
        ] {
            assert_eq!(code(&root, Partition::Equally(count)), expected);
        }
        assert_eq!(code(&root, Partition::ByCounts(vec![])), Code::InvalidValue);
        for counts in [vec![25], vec![24, 1], vec![1; 25], vec![u32::MAX; 24]] {
            let code = code(&root, Partition::ByCounts(counts));
            assert_eq!(code, Code::InvalidDevicePartitionCount);
        }
        let one = &root.divide(&Partition::Equally(1)).unwrap()[23];
        for partition in [
            Partition::Equally(1),
            Partition::ByCounts(vec![1]),
            Partition::ByNextAffinityDomain,
        ] {
            assert_eq!(code(one, partition), Code::DevicePartitionFailed);
        }
    }

    #[test]
    fn affinity_domains_are_the_machines() {
        let mut machine = Machine::mt3000();
        let affinity = &mut machine.clusters.affinity;
        let of = |arrays| {
            let mut quantity = affinity.l1_cache.clone()?;
            quantity.value = arrays;
            Some(quantity)
        };
        (affinity.numa, affinity.l3_cache, affinity.l1_cache) = (of(12), of(4), None);
        let machine = Arc::new(machine);
        let root = Arc::new(Device::open(&machine, 0, 0, DeviceType::ACCELERATOR).unwrap());
        let [numa, l3] = [AffinityDomain::Numa, AffinityDomain::L3Cache];
        assert_eq!(root.affinity_domains(), [numa, l3]);
        let caches = root.divide(&Partition::ByAffinityDomain(l3)).unwrap();
        assert_eq!(numbers(&caches)[4], 16..20);

        // From one level to the next, until there is none.
        let next = Partition::ByNextAffinityDomain;
        let nodes = root.divide(&next).unwrap();
        assert_eq!(numbers(&nodes), [0..12, 12..24]);
        assert_eq!(nodes[0].affinity_domains(), [l3]);
        let caches = nodes[1].divide(&next).unwrap();
        assert_eq!(numbers(&caches), [12..16, 16..20, 20..24]);
        assert_eq!(
            caches[0].partition(),
            Some(&Partition::ByAffinityDomain(l3))
        );
        assert_eq!(code(&caches[0], next), Code::DevicePartitionFailed);

        // Domains are aligned to the machine, not to the sub-device.
        let odd = root.divide(&Partition::Equally(5)).unwrap().remove(2);
        let caches = odd.divide(&Partition::ByAffinityDomain(l3)).unwrap();
        assert_eq!(numbers(&caches), [10..12, 12..15]);
    }

    #[test]
    fn the_arrays_of_a_cluster_share_its_memory_and_no_caches() {
        let root = root();
        assert_eq!(root.affinity_domains(), [AffinityDomain::L1Cache]);
        let by = Partition::ByAffinityDomain;
        let numa = code(&root, by(AffinityDomain::Numa));
        assert_eq!(numa, Code::DevicePartitionFailed);
        assert_eq!(code(&root, by(AffinityDomain::L2Cache)), Code::InvalidValue);
        let next = root.divide(&Partition::ByNextAffinityDomain).unwrap();
        assert_eq!(next.len(), 24);
        assert_eq!(next[7].partition(), Some(&by(AffinityDomain::L1Cache)));
        assert!(next[7].affinity_domains().is_empty());
    }
}
