//! Cases that need a property of this platform's devices: there are only accelerators (no GPU, no
//! custom device), of one NUMA domain and with a first-level cache for each compute unit, and
//! cl_khr_pci_bus_info is missing.

use super::provoked;
use crate::session::{Session, refused};
use cl_sys::*;
use error_cases::sub_devices::one_compute_unit;
use std::ptr::null_mut;

const BY_AFFINITY_DOMAIN: isize = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as isize;

/// `clGetDeviceIDs`: the number of devices of a type.
fn count(session: &Session, device_type: cl_device_type) -> cl_int {
    let mut count = 0;
    // SAFETY: the count is a local.
    unsafe { clGetDeviceIDs(session.platform, device_type, 0, null_mut(), &mut count) }
}

/// `clCreateContextFromType` for a type of device.
fn context(session: &Session, device_type: cl_device_type) -> cl_int {
    let name = CL_CONTEXT_PLATFORM as cl_context_properties;
    let list = [name, session.platform as isize, 0];
    // SAFETY: the list is read during the call.
    refused(|code| unsafe {
        clCreateContextFromType(list.as_ptr(), device_type, None, null_mut(), code)
    })
}

/// Partitions a device by an affinity domain.
fn divide(device: cl_device_id, domain: cl_device_affinity_domain) -> cl_int {
    let (properties, mut count) = ([BY_AFFINITY_DOMAIN, domain as isize, 0], 0);
    // SAFETY: the properties end with 0.
    unsafe { clCreateSubDevices(device, properties.as_ptr(), 0, null_mut(), &mut count) }
}

provoked! {
    clGetDeviceIDs {
        CL_DEVICE_NOT_FOUND {
            no_gpu: |session| count(session, CL_DEVICE_TYPE_GPU),
            no_custom_device: |session| count(session, CL_DEVICE_TYPE_CUSTOM),
        }
    }
    clCreateContextFromType {
        CL_DEVICE_NOT_FOUND {
            there_is_no_processor: |session| context(session, CL_DEVICE_TYPE_GPU),
            there_is_no_custom_device: |session| context(session, CL_DEVICE_TYPE_CUSTOM),
        }
    }
    clGetDeviceInfo {
        CL_INVALID_VALUE {
            param_name_of_an_extension_that_is_not_there: |session| {
                const CL_DEVICE_PCI_BUS_INFO_KHR: cl_device_info = 0x410F;
                let mut value = [0u64; 2];
                let (device, to) = (session.devices[0], value.as_mut_ptr().cast());
                // SAFETY: there is room for 16 bytes.
                unsafe {
                    clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, 16, to, null_mut())
                }
            },
        }
    }
    clCreateSubDevices {
        CL_INVALID_VALUE {
            affinity_domain_that_the_machine_does_not_have: |session| {
                divide(session.devices[0], CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE)
            },
        }
        CL_DEVICE_PARTITION_FAILED {
            one_compute_unit_by_affinity_domain: |session| {
                divide(one_compute_unit(session), CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE)
            },
            no_next_affinity_domain: |session| {
                divide(one_compute_unit(session), CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
            },
            all_of_the_device_in_one_affinity_domain: |session| {
                divide(session.devices[0], CL_DEVICE_AFFINITY_DOMAIN_NUMA)
            },
        }
    }
}
