//! The answers to `clGetDeviceInfo` (OpenCL 1.2, table 4.3), in the order of the table.

use crate::abi::extension_constants::*;
use crate::abi::handle;
use crate::api::custom_device_info;
use crate::api::info::{Destination, unknown_query};
use crate::api::mocl3::performance_counters::{self, *};
use crate::api::partition;
use crate::api::version::{self, NameVersion};
use cl_sys::*;
use runtime::device::extension;
use runtime::device::unique_identifier;
use runtime::device::{Device, MAKER, PRINTF_BUFFER_SIZE};
use runtime::error::Result;
use runtime::recording::performance_counters::{ARRAY_COUNTERS, LAUNCH_COUNTERS};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

/// All that IEEE 754 arithmetic on the host gives.
const FP_CONFIG: u64 = CL_FP_DENORM
    | CL_FP_INF_NAN
    | CL_FP_ROUND_TO_NEAREST
    | CL_FP_ROUND_TO_ZERO
    | CL_FP_ROUND_TO_INF
    | CL_FP_FMA;

/// Answers a query.
///
/// # Errors
/// `InvalidValue`: no such query, or too little room for the answer.
pub fn write(device: &Arc<Device>, name: u32, to: &Destination) -> Result<()> {
    let accelerators = device.accelerators();
    let custom = accelerators.and_then(|all| custom_device_info::write(all, name, to));
    if let Some(result) = custom {
        return result;
    }
    let machine = device.machine();
    let limits = &machine.open_cl;
    let work_group_size = device.max_work_group_size() as usize;
    // Elements of a vector register of the array; OpenCL's vectors have 16 at most.
    let native = |bits: u64| (machine.array.vector_register.value / bits).clamp(1, 16) as u32;
    match name {
        CL_DEVICE_TYPE => to.write(device.device_type().bits()),
        // Neither PCI-SIG nor Khronos has given one to the machine.
        CL_DEVICE_VENDOR_ID => to.write(0u32),
        CL_DEVICE_MAX_COMPUTE_UNITS => to.write(device.compute_units()),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => to.write(3u32),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => to.write(work_group_size),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => to.write([work_group_size; 3]),
        // Work-items fill the lanes, so scalars are as good as vectors.
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF => to.write(1u32),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR => to.write(native(8)),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => {
            to.write(native(16))
        }
        CL_DEVICE_NATIVE_VECTOR_WIDTH_INT | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => {
            to.write(native(32))
        }
        CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => {
            to.write(native(64))
        }
        CL_DEVICE_MAX_CLOCK_FREQUENCY => {
            to.write((machine.clusters.clock.value / 1_000_000) as u32)
        }
        CL_DEVICE_ADDRESS_BITS => to.write(usize::BITS),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE => to.write(device.max_allocation_size()),
        CL_DEVICE_IMAGE_SUPPORT => to.write(true),
        CL_DEVICE_MAX_READ_IMAGE_ARGS => to.write(limits.images.read_arguments.value as u32),
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS => to.write(limits.images.write_arguments.value as u32),
        CL_DEVICE_IMAGE2D_MAX_WIDTH => to.write(limits.images.width_2d.value as usize),
        CL_DEVICE_IMAGE2D_MAX_HEIGHT => to.write(limits.images.height_2d.value as usize),
        CL_DEVICE_IMAGE3D_MAX_WIDTH => to.write(limits.images.width_3d.value as usize),
        CL_DEVICE_IMAGE3D_MAX_HEIGHT => to.write(limits.images.height_3d.value as usize),
        CL_DEVICE_IMAGE3D_MAX_DEPTH => to.write(limits.images.depth_3d.value as usize),
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => to.write(limits.images.buffer.value as usize),
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => to.write(limits.images.array.value as usize),
        // cl_khr_image2d_from_buffer.
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT => to.write(device.image_pitch_alignment() as u32),
        CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT => {
            to.write(device.image_base_address_alignment() as u32)
        }
        CL_DEVICE_MAX_SAMPLERS => to.write(limits.images.samplers.value as u32),
        CL_DEVICE_MAX_PARAMETER_SIZE => to.write(limits.argument_block.value as usize),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => to.write((limits.base_alignment.value * 8) as u32),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => to.write(limits.base_alignment.value as u32),
        CL_DEVICE_SINGLE_FP_CONFIG => to.write(FP_CONFIG | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
        CL_DEVICE_DOUBLE_FP_CONFIG | CL_DEVICE_HALF_FP_CONFIG => to.write(FP_CONFIG),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => to.write(CL_READ_WRITE_CACHE),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => to.write(limits.cache_line.value as u32),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => to.write(limits.cache.value),
        CL_DEVICE_GLOBAL_MEM_SIZE => to.write(device.global_memory_size()),
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => to.write(limits.constant_buffer.value),
        CL_DEVICE_MAX_CONSTANT_ARGS => to.write(limits.constant_arguments.value as u32),
        CL_DEVICE_LOCAL_MEM_TYPE => to.write(CL_LOCAL),
        CL_DEVICE_LOCAL_MEM_SIZE => to.write(device.local_memory_size()),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT => to.write(false),
        // Buffers lie in the host's memory, once.
        CL_DEVICE_HOST_UNIFIED_MEMORY => to.write(true),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => to.write(1usize),
        CL_DEVICE_ENDIAN_LITTLE => to.write(true),
        CL_DEVICE_AVAILABLE | CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE => {
            to.write(true)
        }
        CL_DEVICE_EXECUTION_CAPABILITIES => to.write(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL),
        CL_DEVICE_QUEUE_PROPERTIES => {
            to.write(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_BUILT_IN_KERNELS => {
            let kernels = device.built_in_kernels();
            let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
            to.write(names.join(";"))
        }
        CL_DEVICE_PLATFORM => to.write(handle::platform(device.node()).cast::<c_void>()),
        CL_DEVICE_NAME => to.write(device.name()),
        CL_DEVICE_VENDOR => to.write(machine.vendor.as_str()),
        CL_DRIVER_VERSION => to.write(env!("CARGO_PKG_VERSION")),
        CL_DEVICE_PROFILE => to.write("FULL_PROFILE"),
        // With the build, since programs take it for the key of binaries that they keep.
        CL_DEVICE_VERSION => to.write(format!("OpenCL 1.2 MOCL3 {}", &*MAKER)),
        CL_DEVICE_OPENCL_C_VERSION => {
            to.write(concat!("OpenCL C 1.2 MOCL3 ", env!("CARGO_PKG_VERSION")))
        }
        CL_DEVICE_EXTENSIONS => to.write(extension::names(&extension::of_devices())),
        CL_DEVICE_PRINTF_BUFFER_SIZE => to.write(PRINTF_BUFFER_SIZE),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => to.write(true),
        CL_DEVICE_PARENT_DEVICE => to.write(device.parent().map_or(null_mut(), handle::handle_of)),
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => to.write(device.max_sub_devices()),
        CL_DEVICE_PARTITION_PROPERTIES => to.write(partition::schemes(device)),
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN => to.write(partition::affinity_domains(device)),
        CL_DEVICE_PARTITION_TYPE => to.write(partition::of_device(device)),
        // "If the device is a root-level device, a reference count of one is returned."
        CL_DEVICE_REFERENCE_COUNT => to.write(match device.parent() {
            Some(_) => handle::reference_count(device),
            None => 1,
        }),
        // cl_khr_device_uuid. LUIDs are Windows'.
        CL_DEVICE_UUID_KHR => to.write(unique_identifier::of_device(device)),
        CL_DRIVER_UUID_KHR => to.write(unique_identifier::of_driver()),
        CL_DEVICE_LUID_VALID_KHR => to.write(false),
        CL_DEVICE_LUID_KHR => to.write([0u8; 8]),
        CL_DEVICE_NODE_MASK_KHR => to.write(0u32),
        // cl_mocl3_performance_counters.
        CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3 => {
            to.write(performance_counters::described(LAUNCH_COUNTERS))
        }
        CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3 => {
            to.write(performance_counters::described(ARRAY_COUNTERS))
        }
        // cl_khr_terminate_context.
        CL_DEVICE_TERMINATE_CAPABILITY_KHR | CL_DEVICE_TERMINATE_CAPABILITY_KHR_1X => {
            to.write(u64::from(CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR))
        }
        // cl_khr_extended_versioning.
        CL_DEVICE_NUMERIC_VERSION_KHR | CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR => {
            to.write(version::OPENCL)
        }
        CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR => to.write(version::names(&extension::of_devices())),
        CL_DEVICE_ILS_WITH_VERSION_KHR => to.write(Vec::<NameVersion>::new()),
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR => {
            let kernels = device.built_in_kernels();
            let names = kernels
                .iter()
                .map(|kernel| NameVersion::first(&kernel.name));
            to.write(names.collect::<Vec<_>>())
        }
        _ => unknown_query(name),
    }
}
