//! `clGetDeviceInfo`: every query of OpenCL 1.2's table 4.3, on clusters and on parts of
//! them.

use crate::session::{Session, answer, ok, text};
use crate::sub_devices::equally;
use cl_sys::*;
use runtime::device::Device;
use std::collections::BTreeSet;
use std::ptr::null_mut;

const CL_DEVICE_DOUBLE_FP_CONFIG: cl_device_info = 0x1032;
const CL_DEVICE_HALF_FP_CONFIG: cl_device_info = 0x1033;

/// What a number must be.
#[derive(Clone, Copy)]
enum Value {
    /// The table demands at least this for full profile; the machine description says
    /// what it is.
    Described(u64, fn(&Device) -> u64),
    /// Nothing but this.
    Is(u64),
    /// These bits, and none that are not in the second set.
    Bits(u64, u64),
}

use Value::{Bits, Described, Is};

const TRUE: Value = Is(CL_TRUE as u64);
const FALSE: Value = Is(CL_FALSE as u64);
const ANY: u64 = 0;

/// Elements of a vector register; vectors of OpenCL C have 16 at most.
fn elements(device: &Device, bits: u64) -> u64 {
    (device.machine().array.vector_register.value / bits).min(16)
}

/// Queries for one number: its size in bytes and its value.
#[rustfmt::skip]
const NUMBERS: &[(cl_device_info, usize, Value)] = &[
    (CL_DEVICE_TYPE, 8, Is(CL_DEVICE_TYPE_ACCELERATOR)),
    (CL_DEVICE_VENDOR_ID, 4, Is(0)),
    (CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4, Is(3)),
    (CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, Described(1, |device| device.machine().open_cl.work_group_size.value)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 4, Is(1)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 4, Is(1)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4, Is(1)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 4, Is(1)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4, Is(1)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 4, Is(1)),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 4, Is(1)),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 4, Described(1, |device| elements(device, 8))),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 4, Described(1, |device| elements(device, 16))),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4, Described(1, |device| elements(device, 32))),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 4, Described(1, |device| elements(device, 64))),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4, Described(1, |device| elements(device, 32))),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 4, Described(1, |device| elements(device, 64))),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 4, Described(1, |device| elements(device, 16))),
    (CL_DEVICE_MAX_CLOCK_FREQUENCY, 4, Described(1, |device| device.machine().clusters.clock.value / 1_000_000)),
    (CL_DEVICE_ADDRESS_BITS, 4, Is(64)),
    (CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8, Described(128 << 20, |device| device.machine().open_cl.largest_allocation.value)),
    (CL_DEVICE_IMAGE_SUPPORT, 4, TRUE),
    (CL_DEVICE_MAX_READ_IMAGE_ARGS, 4, Described(128, |device| device.machine().open_cl.images.read_arguments.value)),
    (CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 4, Described(8, |device| device.machine().open_cl.images.write_arguments.value)),
    (CL_DEVICE_IMAGE2D_MAX_WIDTH, 8, Described(8192, |device| device.machine().open_cl.images.width_2d.value)),
    (CL_DEVICE_IMAGE2D_MAX_HEIGHT, 8, Described(8192, |device| device.machine().open_cl.images.height_2d.value)),
    (CL_DEVICE_IMAGE3D_MAX_WIDTH, 8, Described(2048, |device| device.machine().open_cl.images.width_3d.value)),
    (CL_DEVICE_IMAGE3D_MAX_HEIGHT, 8, Described(2048, |device| device.machine().open_cl.images.height_3d.value)),
    (CL_DEVICE_IMAGE3D_MAX_DEPTH, 8, Described(2048, |device| device.machine().open_cl.images.depth_3d.value)),
    (CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 8, Described(65_536, |device| device.machine().open_cl.images.buffer.value)),
    (CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 8, Described(2048, |device| device.machine().open_cl.images.array.value)),
    (CL_DEVICE_MAX_SAMPLERS, 4, Described(16, |device| device.machine().open_cl.images.samplers.value)),
    (CL_DEVICE_MAX_PARAMETER_SIZE, 8, Described(1024, |device| device.machine().open_cl.argument_block.value)),
    // In bits: at least a long16.
    (CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4, Described(1024, |device| device.machine().open_cl.base_alignment.value * 8)),
    (CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 4, Described(128, |device| device.machine().open_cl.base_alignment.value)),
    (CL_DEVICE_SINGLE_FP_CONFIG, 8, Bits(CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN, 0xFF)),
    (CL_DEVICE_DOUBLE_FP_CONFIG, 8, Bits(
        CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM,
        0x7F,
    )),
    (CL_DEVICE_HALF_FP_CONFIG, 8, Bits(CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN, 0x7F)),
    (CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, 4, Is(CL_READ_WRITE_CACHE as u64)),
    (CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4, Described(1, |device| device.machine().open_cl.cache_line.value)),
    (CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8, Described(1, |device| device.machine().open_cl.cache.value)),
    (CL_DEVICE_GLOBAL_MEM_SIZE, 8, Described(ANY, |device| device.machine().memory.ddr.size.value)),
    (CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8, Described(64 << 10, |device| device.machine().open_cl.constant_buffer.value)),
    (CL_DEVICE_MAX_CONSTANT_ARGS, 4, Described(8, |device| device.machine().open_cl.constant_arguments.value)),
    (CL_DEVICE_LOCAL_MEM_TYPE, 4, Is(CL_LOCAL as u64)),
    (CL_DEVICE_LOCAL_MEM_SIZE, 8, Described(32 << 10, |device| device.machine().memory.am.local_memory.value)),
    (CL_DEVICE_ERROR_CORRECTION_SUPPORT, 4, FALSE),
    (CL_DEVICE_HOST_UNIFIED_MEMORY, 4, TRUE),
    (CL_DEVICE_PROFILING_TIMER_RESOLUTION, 8, Is(1)),
    (CL_DEVICE_ENDIAN_LITTLE, 4, TRUE),
    (CL_DEVICE_AVAILABLE, 4, TRUE),
    (CL_DEVICE_COMPILER_AVAILABLE, 4, TRUE),
    (CL_DEVICE_LINKER_AVAILABLE, 4, TRUE),
    (CL_DEVICE_EXECUTION_CAPABILITIES, 8, Bits(CL_EXEC_KERNEL, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL)),
    (CL_DEVICE_QUEUE_PROPERTIES, 8, Bits(
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
    )),
    (CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, 4, TRUE),
    (CL_DEVICE_PRINTF_BUFFER_SIZE, 8, Described(1 << 20, |_| runtime::device::PRINTF_BUFFER_SIZE as u64)),
];

/// Queries for a text, and how it begins.
const TEXTS: &[(cl_device_info, &str)] = &[
    (CL_DEVICE_BUILT_IN_KERNELS, "hswap;"),
    (CL_DEVICE_NAME, "MT-3000 acceleration cluster "),
    (CL_DEVICE_VENDOR, "NUDT"),
    (CL_DRIVER_VERSION, env!("CARGO_PKG_VERSION")),
    (CL_DEVICE_PROFILE, "FULL_PROFILE"),
    (CL_DEVICE_VERSION, "OpenCL 1.2 "),
    (CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 "),
    (CL_DEVICE_EXTENSIONS, "cl_"),
];

/// Queries that devices and their parts answer differently, or with something else than
/// a number or a text: `sub_devices` has tests of most. With the sizes of the answers.
const OTHERS: &[(cl_device_info, &[usize])] = &[
    (CL_DEVICE_MAX_COMPUTE_UNITS, &[4]),
    (CL_DEVICE_MAX_WORK_ITEM_SIZES, &[24]),
    (CL_DEVICE_PLATFORM, &[8]),
    (CL_DEVICE_PARENT_DEVICE, &[8]),
    (CL_DEVICE_PARTITION_MAX_SUB_DEVICES, &[4]),
    (CL_DEVICE_PARTITION_PROPERTIES, &[8, 24]),
    (CL_DEVICE_PARTITION_AFFINITY_DOMAIN, &[8]),
    (CL_DEVICE_PARTITION_TYPE, &[8, 24]),
    (CL_DEVICE_REFERENCE_COUNT, &[4]),
];

/// Clusters, a part of one, and a part of that with one compute unit. With the machine
/// that they should be of.
fn devices() -> (Session, Vec<cl_device_id>, &'static Device) {
    let session = Session::open();
    let mut devices = session.devices.clone();
    let part = equally(devices[2], 5)[1];
    devices.extend([part, equally(part, 1)[4]]);
    let described = &runtime::device::platform::Platform::get().devices()[0];
    (session, devices, described)
}

fn query(
    device: cl_device_id,
    name: cl_device_info,
) -> impl Fn(usize, *mut c_void, *mut usize) -> cl_int {
    // SAFETY: callers give room for the size they name.
    move |size, to, size_ret| unsafe { clGetDeviceInfo(device, name, size, to, size_ret) }
}

fn number(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(number)
}

#[test]
fn the_whole_table_is_here() {
    let numbers = NUMBERS.iter().map(|(name, ..)| *name);
    let texts = TEXTS.iter().map(|(name, _)| *name);
    let others = OTHERS.iter().map(|(name, _)| *name);
    let rows: Vec<_> = numbers.chain(texts).chain(others).collect();
    let names: BTreeSet<_> = rows.iter().copied().collect();
    assert_eq!(names.len(), rows.len(), "a query is listed twice");
    // OpenCL 1.2 uses all of these numbers (CL/cl.h).
    assert!(names.into_iter().eq(0x1000..=0x1049));
}

#[test]
fn numbers_are_the_machines_and_enough_for_full_profile() {
    let (_session, devices, described) = devices();
    for &device in &devices {
        for &(name, size, value) in NUMBERS {
            let bytes = answer(query(device, name));
            assert_eq!(bytes.len(), size, "{name:#x}");
            let number = number(&bytes);
            match value {
                Described(least, described_as) => {
                    assert_eq!(number, described_as(described), "{name:#x}");
                    assert!(number >= least, "{name:#x}: {number}");
                }
                Is(only) => assert_eq!(number, only, "{name:#x}"),
                Bits(least, most) => {
                    assert_eq!(number & least, least, "{name:#x}: {number:#x}");
                    assert_eq!(number & !most, 0, "{name:#x}: {number:#x}");
                }
            }
        }
        let get = |name| number(&answer(query(device, name)));
        assert!(get(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= get(CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
        assert!(get(CL_DEVICE_MAX_MEM_ALLOC_SIZE) <= get(CL_DEVICE_GLOBAL_MEM_SIZE));
        assert!(get(CL_DEVICE_PARTITION_MAX_SUB_DEVICES) <= get(CL_DEVICE_MAX_COMPUTE_UNITS));
    }
}

#[test]
fn texts_are_whole_and_as_the_table_has_them() {
    let (_session, devices, _) = devices();
    for &device in &devices {
        for &(name, begin) in TEXTS {
            let text = text(query(device, name));
            assert!(text.starts_with(begin), "{name:#x}: {text}");
            assert!(!text.contains('\0'), "{name:#x}");
        }
    }
    // PyOpenCL keeps binaries by this text; another build refuses them.
    assert!(text(query(devices[0], CL_DEVICE_VERSION)).contains(" build "));
    // A part is of the same device, and says so.
    let name = |device| text(query(device, CL_DEVICE_NAME));
    assert_eq!(name(devices[2]), name(devices[4]));
    assert_ne!(name(devices[2]), name(devices[1]));
}

#[test]
fn other_answers_have_their_sizes() {
    let (session, devices, described) = devices();
    for (&device, units) in devices.iter().zip([24, 24, 24, 24, 5, 1]) {
        for &(name, sizes) in OTHERS {
            let size = answer(query(device, name)).len();
            assert!(sizes.contains(&size), "{name:#x}: {size}");
        }
        let get = |name| answer(query(device, name));
        assert_eq!(number(&get(CL_DEVICE_MAX_COMPUTE_UNITS)), units);
        let platform = session.platform.addr();
        assert_eq!(number(&get(CL_DEVICE_PLATFORM)), platform as u64);
        let most = described.machine().open_cl.work_group_size.value;
        let sizes = get(CL_DEVICE_MAX_WORK_ITEM_SIZES);
        assert!(sizes.chunks(8).all(|size| number(size) == most));
    }
}

#[test]
fn answers_stay_within_the_room_they_are_given() {
    let (_session, devices, _) = devices();
    let numbers = NUMBERS.iter().map(|(name, ..)| *name);
    let texts = TEXTS.iter().map(|(name, _)| *name);
    let others = OTHERS.iter().map(|(name, _)| *name);
    for name in numbers.chain(texts).chain(others) {
        for device in [devices[0], devices[5]] {
            let query = query(device, name);
            let expected = answer(&query);
            let mut room = vec![0xA5; expected.len() + 9];
            let to = room.as_mut_ptr();
            // Unaligned, with more room than needed.
            let to = to.wrapping_add(1).cast();
            ok(query(expected.len() + 8, to, null_mut()));
            let (before, rest) = room.split_at(1);
            let (answer, behind) = rest.split_at(expected.len());
            assert_eq!(answer, expected, "{name:#x}");
            assert!([before, behind].concat().iter().all(|byte| *byte == 0xA5));
            // With less than needed nothing is written.
            room.fill(0xA5);
            let to = room.as_mut_ptr().cast();
            let code = query(expected.len() - 1, to, null_mut());
            assert_eq!(code, CL_INVALID_VALUE, "{name:#x}");
            assert!(room.iter().all(|byte| *byte == 0xA5), "{name:#x}");
        }
    }
}
