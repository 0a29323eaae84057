//! The answers to `clGetDeviceInfo` (OpenCL 1.2, table 4.3) in which custom devices differ: they have
//! no compiler, images, local memory or native kernels.

use crate::abi::extension_constants::*;
use crate::api::info::Destination;
use crate::api::version;
use cl_sys::*;
use runtime::device::Accelerators;
use runtime::device::extension;
use runtime::error::Result;

/// The accelerators compute with numbers of single precision as the host does.
const SINGLE_FP_CONFIG: u64 = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;

/// Answers a query; none if the answer is that of a cluster.
///
/// # Errors
/// `InvalidValue`: too little room for the answer.
pub fn write(accelerators: &Accelerators, name: u32, to: &Destination) -> Option<Result<()>> {
    Some(match name {
        CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE | CL_DEVICE_IMAGE_SUPPORT => {
            to.write(false)
        }
        CL_DEVICE_EXECUTION_CAPABILITIES => to.write(CL_EXEC_KERNEL),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => {
            to.write((accelerators.clock().hertz() / 1_000_000) as u32)
        }
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF
        | CL_DEVICE_MAX_READ_IMAGE_ARGS
        | CL_DEVICE_MAX_WRITE_IMAGE_ARGS
        | CL_DEVICE_IMAGE_PITCH_ALIGNMENT
        | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
        | CL_DEVICE_MAX_SAMPLERS
        | CL_DEVICE_GLOBAL_MEM_CACHE_TYPE
        | CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE
        | CL_DEVICE_MAX_CONSTANT_ARGS
        | CL_DEVICE_LOCAL_MEM_TYPE => to.write(0u32),
        CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => to.write(1u32),
        CL_DEVICE_IMAGE2D_MAX_WIDTH
        | CL_DEVICE_IMAGE2D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_WIDTH
        | CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_DEPTH
        | CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
        | CL_DEVICE_IMAGE_MAX_ARRAY_SIZE
        | CL_DEVICE_PRINTF_BUFFER_SIZE => to.write(0usize),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE | CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => to.write(0u64),
        CL_DEVICE_SINGLE_FP_CONFIG => to.write(SINGLE_FP_CONFIG),
        CL_DEVICE_DOUBLE_FP_CONFIG | CL_DEVICE_HALF_FP_CONFIG => to.write(0u64),
        CL_DEVICE_EXTENSIONS => to.write(extension::names(&extension::of_custom_devices())),
        CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR => {
            to.write(version::names(&extension::of_custom_devices()))
        }
        _ => return None,
    })
}
