//! Devices.

use crate::session::{Session, ok};
use crate::stale;
use crate::sub_devices::{compute_units, equally, one_compute_unit};
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::{null, null_mut};

const EQUALLY: isize = CL_DEVICE_PARTITION_EQUALLY as isize;
const BY_COUNTS: isize = CL_DEVICE_PARTITION_BY_COUNTS as isize;
const BY_AFFINITY_DOMAIN: isize = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN as isize;
const NUMA: isize = CL_DEVICE_AFFINITY_DOMAIN_NUMA as isize;
const L1_CACHE: isize = CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE as isize;

/// Devices of a type: the number, and no list.
fn count(platform: cl_platform_id, device_type: cl_device_type) -> cl_int {
    let mut count = 0;
    // SAFETY: the count is a local.
    unsafe { clGetDeviceIDs(platform, device_type, 0, null_mut(), &mut count) }
}

/// Queries a property into `size` bytes.
fn info(device: cl_device_id, name: cl_device_info, size: usize) -> cl_int {
    let mut value = [0u64; 8];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetDeviceInfo(device, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

/// Partitions a device and discards the sub-devices.
fn divide(device: cl_device_id, properties: &[isize]) -> cl_int {
    let mut count = 0;
    // SAFETY: the properties end with 0.
    unsafe { clCreateSubDevices(device, properties.as_ptr(), 0, null_mut(), &mut count) }
}

/// Partitions a device with room for `entries` sub-devices.
fn divide_into(device: cl_device_id, properties: &[isize], entries: u32) -> cl_int {
    let mut devices = [null_mut(); 4];
    assert!(entries <= 4);
    // SAFETY: the properties end with 0; there is room for `entries` sub-devices.
    let code = unsafe {
        let list = properties.as_ptr();
        clCreateSubDevices(device, list, entries, devices.as_mut_ptr(), null_mut())
    };
    assert_eq!(devices, [null_mut(); 4], "no sub-device is created");
    code
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clGetDeviceIDs {
        CL_INVALID_PLATFORM {
            a_context: |session| count(session.context.cast(), CL_DEVICE_TYPE_ALL),
            a_device: |session| count(session.devices[0].cast(), CL_DEVICE_TYPE_ALL),
        }
        CL_INVALID_DEVICE_TYPE {
            none: |session| count(session.platform, 0),
            unknown_bit: |session| count(session.platform, 1 << 5),
            known_and_unknown_bits: |session| {
                count(session.platform, CL_DEVICE_TYPE_ACCELERATOR | 1 << 40)
            },
        }
        CL_INVALID_VALUE {
            no_entries_for_a_list: |session| {
                let mut device = null_mut();
                let mut count = 0;
                // SAFETY: all pointers are to locals.
                unsafe {
                    clGetDeviceIDs(
                        session.platform,
                        CL_DEVICE_TYPE_ALL,
                        0,
                        &mut device,
                        &mut count,
                    )
                }
            },
            neither_list_nor_count: |session| {
                // SAFETY: nothing is to be written.
                unsafe {
                    let all = CL_DEVICE_TYPE_ALL;
                    clGetDeviceIDs(session.platform, all, 1, null_mut(), null_mut())
                }
            },
        }
    }
    clGetDeviceInfo {
        CL_INVALID_DEVICE {
            null: |_session| info(null_mut(), CL_DEVICE_TYPE, 8),
            a_queue: |session| info(session.queue.cast(), CL_DEVICE_TYPE, 8),
            the_platform: |session| info(session.platform.cast(), CL_DEVICE_TYPE, 8),
            stale_sub_device: |session| info(stale::sub_device(session), CL_DEVICE_TYPE, 8),
        }
        CL_INVALID_VALUE {
            unknown_param_name: |session| info(session.devices[0], 0x10FF, 8),
            param_name_of_another_query: |session| {
                info(session.devices[0], CL_PLATFORM_NAME, 64)
            },
            param_value_too_small: |session| info(session.devices[0], CL_DEVICE_TYPE, 7),
            param_value_too_small_for_all_sizes: |session| {
                info(session.devices[0], CL_DEVICE_MAX_WORK_ITEM_SIZES, 16)
            },
            param_value_too_small_for_the_text: |session| {
                info(session.devices[0], CL_DEVICE_NAME, 8)
            },
        }
    }
    clCreateSubDevices {
        CL_INVALID_DEVICE {
            null: |_session| divide(null_mut(), &[EQUALLY, 1, 0]),
            a_context: |session| divide(session.context.cast(), &[EQUALLY, 1, 0]),
            stale_sub_device: |session| divide(stale::sub_device(session), &[EQUALLY, 1, 0]),
        }
        CL_INVALID_VALUE {
            null_properties: |session| {
                let mut count = 0;
                // SAFETY: the count is a local.
                unsafe {
                    let device = session.devices[0];
                    clCreateSubDevices(device, null(), 0, null_mut(), &mut count)
                }
            },
            no_properties: |session| divide(session.devices[0], &[0]),
            unknown_scheme: |session| divide(session.devices[0], &[0x1089, 1, 0]),
            two_schemes: |session| divide(session.devices[0], &[EQUALLY, 2, BY_COUNTS, 2, 0, 0]),
            two_affinity_schemes: |session| {
                let properties = [BY_AFFINITY_DOMAIN, L1_CACHE, EQUALLY, 1, 0];
                divide(session.devices[0], &properties)
            },
            equally_none: |session| divide(session.devices[0], &[EQUALLY, 0, 0]),
            no_counts: |session| divide(session.devices[0], &[BY_COUNTS, 0, 0]),
            unknown_affinity_domain: |session| {
                divide(session.devices[0], &[BY_AFFINITY_DOMAIN, 1 << 6, 0])
            },
            no_affinity_domain: |session| divide(session.devices[0], &[BY_AFFINITY_DOMAIN, 0, 0]),
            two_affinity_domains: |session| {
                divide(session.devices[0], &[BY_AFFINITY_DOMAIN, L1_CACHE | NUMA, 0])
            },
            num_entries_too_small: |session| {
                let quarter = compute_units(session.devices[0]) / 4;
                divide_into(session.devices[0], &[EQUALLY, quarter, 0], 3)
            },
            num_entries_too_small_for_counts: |session| {
                divide_into(session.devices[0], &[BY_COUNTS, 3, 1, 0, 0], 1)
            },
            no_entries_for_a_list: |session| divide_into(session.devices[0], &[EQUALLY, 1, 0], 0),
        }
        CL_DEVICE_PARTITION_FAILED {
            all_compute_units_equally: |session| {
                let all = compute_units(session.devices[0]);
                divide(session.devices[0], &[EQUALLY, all, 0])
            },
            all_compute_units_of_a_sub_device_equally: |session| {
                let quarter = compute_units(session.devices[0]) / 4;
                let device = equally(session.devices[0], quarter as u32)[0];
                divide(device, &[EQUALLY, quarter, 0])
            },
            one_compute_unit_equally: |session| {
                divide(one_compute_unit(session), &[EQUALLY, 1, 0])
            },
            one_compute_unit_by_counts: |session| {
                divide(one_compute_unit(session), &[BY_COUNTS, 1, 0, 0])
            },
        }
        CL_INVALID_DEVICE_PARTITION_COUNT {
            too_many_compute_units: |session| {
                let all = compute_units(session.devices[0]);
                divide(session.devices[0], &[BY_COUNTS, all + 1, 0, 0])
            },
            too_many_compute_units_together: |session| {
                let half = compute_units(session.devices[0]) / 2;
                divide(session.devices[0], &[BY_COUNTS, half, half, 2, 0, 0])
            },
            too_many_compute_units_of_a_sub_device: |session| {
                let quarter = compute_units(session.devices[0]) / 4;
                let device = equally(session.devices[0], quarter as u32)[0];
                divide(device, &[BY_COUNTS, quarter - 2, 3, 0, 0])
            },
            sums_that_overflow: |session| {
                let (most, all) = (u32::MAX as isize, compute_units(session.devices[0]));
                divide(session.devices[0], &[BY_COUNTS, most, all + 1, most, 0, 0])
            },
            more_than_a_number_holds: |session| {
                divide(session.devices[0], &[BY_COUNTS, 1 << 32 | 1, 0, 0])
            },
            equally_a_negative_number: |session| divide(session.devices[0], &[EQUALLY, -2, 0]),
            equally_more_than_there_are: |session| {
                let all = compute_units(session.devices[0]);
                divide(session.devices[0], &[EQUALLY, all + 1, 0])
            },
            equally_more_than_a_number_holds: |session| {
                divide(session.devices[0], &[EQUALLY, 1 << 32 | 2, 0])
            },
            negative_count: |session| divide(session.devices[0], &[BY_COUNTS, 4, -1, 0, 0]),
            too_many_sub_devices: |session| {
                let mut properties = vec![1; compute_units(session.devices[0]) as usize + 1];
                properties.insert(0, BY_COUNTS);
                properties.extend([0, 0]);
                divide(session.devices[0], &properties)
            },
        }
    }
    clRetainDevice {
        CL_INVALID_DEVICE {
            // SAFETY: null is no device.
            null: |_session| unsafe { clRetainDevice(null_mut()) },
            // SAFETY: a valid handle of another kind.
            a_queue: |session| unsafe { clRetainDevice(session.queue.cast()) },
            // SAFETY: stale handles are recognised.
            stale_sub_device: |session| unsafe { clRetainDevice(stale::sub_device(session)) },
        }
    }
    clReleaseDevice {
        CL_INVALID_DEVICE {
            // SAFETY: null is no device.
            null: |_session| unsafe { clReleaseDevice(null_mut()) },
            // SAFETY: a valid handle of another kind.
            a_context: |session| unsafe { clReleaseDevice(session.context.cast()) },
            // SAFETY: stale handles are recognised.
            stale_sub_device: |session| unsafe { clReleaseDevice(stale::sub_device(session)) },
            reference_that_only_a_queue_has: |session| {
                let device = one_compute_unit(session);
                let _queue = Session::over(session.platform, vec![device]).queue;
                // SAFETY: the second time the handle is valid and not ours to release.
                unsafe {
                    ok(clReleaseDevice(device));
                    clReleaseDevice(device)
                }
            },
        }
    }
};
