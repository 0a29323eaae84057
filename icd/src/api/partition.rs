//! Partition schemes as the host program writes them (OpenCL 1.2, section 4.3).

use crate::abi::host_memory::In;
use cl_sys::*;
use runtime::device::Device;
use runtime::device::partition::{AffinityDomain, Partition};
use runtime::error::{Code, Error, Result};

const EQUALLY: cl_device_partition_property = CL_DEVICE_PARTITION_EQUALLY as _;
const BY_COUNTS: cl_device_partition_property = CL_DEVICE_PARTITION_BY_COUNTS as _;
const BY_AFFINITY_DOMAIN: cl_device_partition_property =
    CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as _;

fn invalid<T>(sentence: String) -> Result<T> {
    Err(Error::new(Code::InvalidValue, sentence))
}

/// The bit of a domain.
fn bit(domain: AffinityDomain) -> cl_device_affinity_domain {
    match domain {
        AffinityDomain::Numa => CL_DEVICE_AFFINITY_DOMAIN_NUMA,
        AffinityDomain::L4Cache => CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        AffinityDomain::L3Cache => CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
        AffinityDomain::L2Cache => CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        AffinityDomain::L1Cache => CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
    }
}

/// Reads `partition_properties` of `clCreateSubDevices` for a device.
///
/// # Errors
/// `InvalidValue`; `InvalidDevicePartitionCount` for counts that no device has.
pub fn read(list: In<cl_device_partition_property>, device: &Device) -> Result<Partition> {
    // One by one: what follows the final 0 is not ours to read.
    let mut elements = list.elements(usize::MAX);
    let Some(name) = elements.next() else {
        return invalid("partition_properties is NULL".into());
    };
    match name {
        EQUALLY => {
            let count = elements.next().unwrap_or(0);
            end(elements)?;
            match u32::try_from(count) {
                Ok(count) => Ok(Partition::Equally(count)),
                Err(_) => Err(Error::new(
                    Code::InvalidDevicePartitionCount,
                    format!("{count} compute units for each sub-device"),
                )),
            }
        }
        // The list of counts ends with a 0 of its own. Not all programs write another
        // one for the properties, so that one is left alone.
        BY_COUNTS => {
            let mut counts = Vec::new();
            for count in elements.take_while(|count| *count != 0) {
                let compute_units = u32::try_from(count);
                let (Ok(compute_units), true) = (compute_units, counts.len() < most_counts(device))
                else {
                    return Err(Error::new(
                        Code::InvalidDevicePartitionCount,
                        format!("{count} as count number {}", counts.len()),
                    ));
                };
                counts.push(compute_units);
            }
            Ok(Partition::ByCounts(counts))
        }
        BY_AFFINITY_DOMAIN => {
            let wanted = elements.next().unwrap_or(0).cast_unsigned() as u64;
            end(elements)?;
            if wanted == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE {
                return Ok(Partition::ByNextAffinityDomain);
            }
            let domains = AffinityDomain::ALL.into_iter();
            match domains.into_iter().find(|domain| bit(*domain) == wanted) {
                Some(domain) => Ok(Partition::ByAffinityDomain(domain)),
                None => invalid(format!("{wanted:#x} is no affinity domain")),
            }
        }
        other => invalid(format!("{other:#x} is no partition scheme")),
    }
}

/// Counts read before the list is held to be too long, or not to end: more than any
/// device of the cluster has compute units.
fn most_counts(device: &Device) -> usize {
    device.compute_units() as usize + 1
}

fn end(mut elements: impl Iterator<Item = cl_device_partition_property>) -> Result<()> {
    match elements.next() {
        Some(0) | None => Ok(()),
        Some(other) => invalid(format!("{other:#x} follows the one partition scheme")),
    }
}

/// `CL_DEVICE_PARTITION_PROPERTIES`.
pub fn schemes(device: &Device) -> Vec<cl_device_partition_property> {
    if device.max_sub_devices() < 2 {
        return vec![0];
    }
    let mut schemes = vec![EQUALLY, BY_COUNTS];
    if !device.affinity_domains().is_empty() {
        schemes.push(BY_AFFINITY_DOMAIN);
    }
    schemes
}

/// `CL_DEVICE_PARTITION_AFFINITY_DOMAIN`.
pub fn affinity_domains(device: &Device) -> cl_device_affinity_domain {
    let domains = device.affinity_domains();
    if domains.is_empty() {
        return 0;
    }
    domains.into_iter().fold(
        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
        |domains, domain| domains | bit(domain),
    )
}

/// `CL_DEVICE_PARTITION_TYPE`: the properties that made the device, or the 0 that ends
/// them.
pub fn of_device(device: &Device) -> Vec<cl_device_partition_property> {
    match device.partition() {
        None | Some(Partition::ByNextAffinityDomain) => vec![0],
        Some(Partition::Equally(count)) => vec![EQUALLY, *count as _, 0],
        Some(Partition::ByCounts(counts)) => {
            let counts = counts.iter().map(|count| *count as _);
            let ends = [CL_DEVICE_PARTITION_BY_COUNTS_LIST_END as _, 0];
            [BY_COUNTS].into_iter().chain(counts).chain(ends).collect()
        }
        Some(Partition::ByAffinityDomain(domain)) => {
            vec![BY_AFFINITY_DOMAIN, bit(*domain) as _, 0]
        }
    }
}
