//! Names of OpenCL's constants, by their C type. After the name of a query, or of a property,
//! comes the type (of `types`) of its answer, or of its value; `[]` marks arrays. The trace does
//! not show the answer of a query without a type.

use crate::abi::extension_constants::*;
use crate::api::mocl3::performance_counters::*;
use crate::api::mocl3::task_queue::CL_EVENT_TASK_STATE_MOCL3;
use cl_sys::*;

/// A constant.
pub struct Constant {
    /// As in the headers.
    pub name: &'static str,
    /// Its value, extended with its sign if it has one.
    pub value: u64,
    /// The type of the query's answer or of the property's value.
    pub answer: Option<&'static str>,
}

macro_rules! constants {
    ($($(#[$attribute:meta])* $family:ident { $($name:ident $(: $answer:literal)?,)* })*) => {$(
        $(#[$attribute])*
        pub static $family: &[Constant] = &[$(Constant {
            name: stringify!($name),
            value: $name as i64 as u64,
            answer: constants!(@answer $($answer)?),
        }),*];
    )*};
    (@answer) => { None };
    (@answer $answer:literal) => { Some($answer) };
}

constants! {
    /// `cl_bool`.
    BOOL {
        CL_FALSE,
        CL_TRUE,
    }
    /// `cl_platform_info`.
    PLATFORM_INFO {
        CL_PLATFORM_PROFILE: "char[]",
        CL_PLATFORM_VERSION: "char[]",
        CL_PLATFORM_NAME: "char[]",
        CL_PLATFORM_VENDOR: "char[]",
        CL_PLATFORM_EXTENSIONS: "char[]",
        CL_PLATFORM_NUMERIC_VERSION_KHR: "cl_version",
        CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR,
        CL_PLATFORM_ICD_SUFFIX_KHR: "char[]",
    }
    /// `cl_device_type`.
    DEVICE_TYPE {
        CL_DEVICE_TYPE_DEFAULT,
        CL_DEVICE_TYPE_CPU,
        CL_DEVICE_TYPE_GPU,
        CL_DEVICE_TYPE_ACCELERATOR,
        CL_DEVICE_TYPE_CUSTOM,
        CL_DEVICE_TYPE_ALL,
    }
    /// `cl_device_info`.
    DEVICE_INFO {
        CL_DEVICE_TYPE: "cl_device_type",
        CL_DEVICE_VENDOR_ID: "cl_uint",
        CL_DEVICE_MAX_COMPUTE_UNITS: "cl_uint",
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: "cl_uint",
        CL_DEVICE_MAX_WORK_GROUP_SIZE: "usize",
        CL_DEVICE_MAX_WORK_ITEM_SIZES: "usize[]",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR: "cl_uint",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT: "cl_uint",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT: "cl_uint",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG: "cl_uint",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT: "cl_uint",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE: "cl_uint",
        CL_DEVICE_MAX_CLOCK_FREQUENCY: "cl_uint",
        CL_DEVICE_ADDRESS_BITS: "cl_uint",
        CL_DEVICE_MAX_READ_IMAGE_ARGS: "cl_uint",
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS: "cl_uint",
        CL_DEVICE_MAX_MEM_ALLOC_SIZE: "cl_ulong",
        CL_DEVICE_IMAGE2D_MAX_WIDTH: "usize",
        CL_DEVICE_IMAGE2D_MAX_HEIGHT: "usize",
        CL_DEVICE_IMAGE3D_MAX_WIDTH: "usize",
        CL_DEVICE_IMAGE3D_MAX_HEIGHT: "usize",
        CL_DEVICE_IMAGE3D_MAX_DEPTH: "usize",
        CL_DEVICE_IMAGE_SUPPORT: "cl_bool",
        CL_DEVICE_MAX_PARAMETER_SIZE: "usize",
        CL_DEVICE_MAX_SAMPLERS: "cl_uint",
        CL_DEVICE_MEM_BASE_ADDR_ALIGN: "cl_uint",
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: "cl_uint",
        CL_DEVICE_SINGLE_FP_CONFIG: "cl_device_fp_config",
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: "cl_device_mem_cache_type",
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: "cl_uint",
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: "cl_ulong",
        CL_DEVICE_GLOBAL_MEM_SIZE: "cl_ulong",
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: "cl_ulong",
        CL_DEVICE_MAX_CONSTANT_ARGS: "cl_uint",
        CL_DEVICE_LOCAL_MEM_TYPE: "cl_device_local_mem_type",
        CL_DEVICE_LOCAL_MEM_SIZE: "cl_ulong",
        CL_DEVICE_ERROR_CORRECTION_SUPPORT: "cl_bool",
        CL_DEVICE_PROFILING_TIMER_RESOLUTION: "usize",
        CL_DEVICE_ENDIAN_LITTLE: "cl_bool",
        CL_DEVICE_AVAILABLE: "cl_bool",
        CL_DEVICE_COMPILER_AVAILABLE: "cl_bool",
        CL_DEVICE_EXECUTION_CAPABILITIES: "cl_device_exec_capabilities",
        CL_DEVICE_QUEUE_PROPERTIES: "cl_command_queue_properties",
        CL_DEVICE_NAME: "char[]",
        CL_DEVICE_VENDOR: "char[]",
        CL_DRIVER_VERSION: "char[]",
        CL_DEVICE_PROFILE: "char[]",
        CL_DEVICE_VERSION: "char[]",
        CL_DEVICE_EXTENSIONS: "char[]",
        CL_DEVICE_PLATFORM: "cl_platform_id",
        CL_DEVICE_DOUBLE_FP_CONFIG: "cl_device_fp_config",
        CL_DEVICE_HALF_FP_CONFIG: "cl_device_fp_config",
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF: "cl_uint",
        CL_DEVICE_HOST_UNIFIED_MEMORY: "cl_bool",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR: "cl_uint",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT: "cl_uint",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_INT: "cl_uint",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG: "cl_uint",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: "cl_uint",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: "cl_uint",
        CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: "cl_uint",
        CL_DEVICE_OPENCL_C_VERSION: "char[]",
        CL_DEVICE_LINKER_AVAILABLE: "cl_bool",
        CL_DEVICE_BUILT_IN_KERNELS: "char[]",
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: "usize",
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: "usize",
        CL_DEVICE_PARENT_DEVICE: "cl_device_id",
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES: "cl_uint",
        CL_DEVICE_PARTITION_PROPERTIES: "cl_device_partition_property[]",
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN: "cl_device_affinity_domain",
        CL_DEVICE_PARTITION_TYPE: "cl_device_partition_property[]",
        CL_DEVICE_REFERENCE_COUNT: "cl_uint",
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: "cl_bool",
        CL_DEVICE_PRINTF_BUFFER_SIZE: "usize",
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT: "cl_uint",
        CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT: "cl_uint",
        CL_DEVICE_NUMERIC_VERSION_KHR: "cl_version",
        CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: "cl_version",
        CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR,
        CL_DEVICE_ILS_WITH_VERSION_KHR,
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR,
        CL_DEVICE_UUID_KHR: "uuid",
        CL_DRIVER_UUID_KHR: "uuid",
        CL_DEVICE_LUID_VALID_KHR: "cl_bool",
        CL_DEVICE_LUID_KHR,
        CL_DEVICE_NODE_MASK_KHR: "cl_uint",
        CL_DEVICE_TERMINATE_CAPABILITY_KHR: "cl_device_terminate_capability_khr",
        CL_DEVICE_TERMINATE_CAPABILITY_KHR_1X: "cl_device_terminate_capability_khr",
        CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3,
        CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3,
    }
    /// `cl_device_fp_config`.
    FP_CONFIG {
        CL_FP_DENORM,
        CL_FP_INF_NAN,
        CL_FP_ROUND_TO_NEAREST,
        CL_FP_ROUND_TO_ZERO,
        CL_FP_ROUND_TO_INF,
        CL_FP_FMA,
        CL_FP_SOFT_FLOAT,
        CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
    }
    /// `cl_device_mem_cache_type`.
    MEM_CACHE_TYPE {
        CL_NONE,
        CL_READ_ONLY_CACHE,
        CL_READ_WRITE_CACHE,
    }
    /// `cl_device_local_mem_type`.
    LOCAL_MEM_TYPE {
        CL_LOCAL,
        CL_GLOBAL,
    }
    /// `cl_device_exec_capabilities`.
    EXECUTION_CAPABILITIES {
        CL_EXEC_KERNEL,
        CL_EXEC_NATIVE_KERNEL,
    }
    /// `cl_command_queue_properties`.
    QUEUE_PROPERTIES {
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_PROFILING_ENABLE,
        CL_QUEUE_ON_DEVICE,
        CL_QUEUE_ON_DEVICE_DEFAULT,
    }
    /// `cl_context_info`.
    CONTEXT_INFO {
        CL_CONTEXT_REFERENCE_COUNT: "cl_uint",
        CL_CONTEXT_DEVICES: "cl_device_id[]",
        CL_CONTEXT_PROPERTIES: "cl_context_properties[]",
        CL_CONTEXT_NUM_DEVICES: "cl_uint",
    }
    /// Names in lists of `cl_context_properties`.
    CONTEXT_PROPERTY {
        CL_CONTEXT_PLATFORM: "cl_platform_id",
        CL_CONTEXT_INTEROP_USER_SYNC: "cl_bool",
        CL_CONTEXT_MEMORY_INITIALIZE_KHR: "cl_context_memory_initialize_khr",
        CL_CONTEXT_TERMINATE_KHR: "cl_bool",
        CL_CONTEXT_TERMINATE_KHR_1X: "cl_bool",
    }
    /// Names in lists of `cl_device_partition_property`.
    PARTITION_PROPERTY {
        CL_DEVICE_PARTITION_EQUALLY: "usize",
        CL_DEVICE_PARTITION_BY_COUNTS: "usize[]",
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: "cl_device_affinity_domain",
    }
    /// `cl_device_affinity_domain`.
    AFFINITY_DOMAIN {
        CL_DEVICE_AFFINITY_DOMAIN_NUMA,
        CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
    }
    /// `cl_device_terminate_capability_khr`.
    TERMINATE_CAPABILITY {
        CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR,
    }
    /// `cl_command_queue_info`.
    QUEUE_INFO {
        CL_QUEUE_CONTEXT: "cl_context",
        CL_QUEUE_DEVICE: "cl_device_id",
        CL_QUEUE_REFERENCE_COUNT: "cl_uint",
        CL_QUEUE_PROPERTIES: "cl_command_queue_properties",
    }
    /// Names in lists of `cl_queue_properties`.
    QUEUE_PROPERTY {
        CL_QUEUE_PROPERTIES: "cl_command_queue_properties",
        CL_QUEUE_SIZE: "cl_uint",
    }
    /// `cl_mem_flags`.
    MEM_FLAGS {
        CL_MEM_READ_WRITE,
        CL_MEM_WRITE_ONLY,
        CL_MEM_READ_ONLY,
        CL_MEM_USE_HOST_PTR,
        CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_COPY_HOST_PTR,
        CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY,
        CL_MEM_HOST_NO_ACCESS,
    }
    /// `cl_mem_migration_flags`.
    MIGRATION_FLAGS {
        CL_MIGRATE_MEM_OBJECT_HOST,
        CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
    }
    /// `cl_channel_order`.
    CHANNEL_ORDER {
        CL_R,
        CL_A,
        CL_RG,
        CL_RA,
        CL_RGB,
        CL_RGBA,
        CL_BGRA,
        CL_ARGB,
        CL_INTENSITY,
        CL_LUMINANCE,
        CL_Rx,
        CL_RGx,
        CL_RGBx,
        CL_DEPTH,
        CL_DEPTH_STENCIL,
        CL_sRGB,
        CL_sRGBx,
        CL_sRGBA,
        CL_sBGRA,
        CL_ABGR,
    }
    /// `cl_channel_type`.
    CHANNEL_TYPE {
        CL_SNORM_INT8,
        CL_SNORM_INT16,
        CL_UNORM_INT8,
        CL_UNORM_INT16,
        CL_UNORM_SHORT_565,
        CL_UNORM_SHORT_555,
        CL_UNORM_INT_101010,
        CL_SIGNED_INT8,
        CL_SIGNED_INT16,
        CL_SIGNED_INT32,
        CL_UNSIGNED_INT8,
        CL_UNSIGNED_INT16,
        CL_UNSIGNED_INT32,
        CL_HALF_FLOAT,
        CL_FLOAT,
        CL_UNORM_INT24,
        CL_UNORM_INT_101010_2,
    }
    /// `cl_mem_object_type`.
    MEM_OBJECT_TYPE {
        CL_MEM_OBJECT_BUFFER,
        CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE3D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY,
        CL_MEM_OBJECT_IMAGE1D,
        CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE1D_BUFFER,
        CL_MEM_OBJECT_PIPE,
    }
    /// `cl_mem_info`.
    MEM_INFO {
        CL_MEM_TYPE: "cl_mem_object_type",
        CL_MEM_FLAGS: "cl_mem_flags",
        CL_MEM_SIZE: "usize",
        CL_MEM_HOST_PTR: "void *",
        CL_MEM_MAP_COUNT: "cl_uint",
        CL_MEM_REFERENCE_COUNT: "cl_uint",
        CL_MEM_CONTEXT: "cl_context",
        CL_MEM_ASSOCIATED_MEMOBJECT: "cl_mem",
        CL_MEM_OFFSET: "usize",
    }
    /// `cl_image_info`.
    IMAGE_INFO {
        CL_IMAGE_FORMAT: "cl_image_format",
        CL_IMAGE_ELEMENT_SIZE: "usize",
        CL_IMAGE_ROW_PITCH: "usize",
        CL_IMAGE_SLICE_PITCH: "usize",
        CL_IMAGE_WIDTH: "usize",
        CL_IMAGE_HEIGHT: "usize",
        CL_IMAGE_DEPTH: "usize",
        CL_IMAGE_ARRAY_SIZE: "usize",
        CL_IMAGE_BUFFER: "cl_mem",
        CL_IMAGE_NUM_MIP_LEVELS: "cl_uint",
        CL_IMAGE_NUM_SAMPLES: "cl_uint",
    }
    /// `cl_addressing_mode`.
    ADDRESSING_MODE {
        CL_ADDRESS_NONE,
        CL_ADDRESS_CLAMP_TO_EDGE,
        CL_ADDRESS_CLAMP,
        CL_ADDRESS_REPEAT,
        CL_ADDRESS_MIRRORED_REPEAT,
    }
    /// `cl_filter_mode`.
    FILTER_MODE {
        CL_FILTER_NEAREST,
        CL_FILTER_LINEAR,
    }
    /// `cl_sampler_info`.
    SAMPLER_INFO {
        CL_SAMPLER_REFERENCE_COUNT: "cl_uint",
        CL_SAMPLER_CONTEXT: "cl_context",
        CL_SAMPLER_NORMALIZED_COORDS: "cl_bool",
        CL_SAMPLER_ADDRESSING_MODE: "cl_addressing_mode",
        CL_SAMPLER_FILTER_MODE: "cl_filter_mode",
    }
    /// `cl_map_flags`.
    MAP_FLAGS {
        CL_MAP_READ,
        CL_MAP_WRITE,
        CL_MAP_WRITE_INVALIDATE_REGION,
    }
    /// `cl_program_info`.
    PROGRAM_INFO {
        CL_PROGRAM_REFERENCE_COUNT: "cl_uint",
        CL_PROGRAM_CONTEXT: "cl_context",
        CL_PROGRAM_NUM_DEVICES: "cl_uint",
        CL_PROGRAM_DEVICES: "cl_device_id[]",
        CL_PROGRAM_SOURCE: "char[]",
        CL_PROGRAM_BINARY_SIZES: "usize[]",
        CL_PROGRAM_BINARIES: "void *[]",
        CL_PROGRAM_NUM_KERNELS: "usize",
        CL_PROGRAM_KERNEL_NAMES: "char[]",
    }
    /// `cl_program_build_info`.
    PROGRAM_BUILD_INFO {
        CL_PROGRAM_BUILD_STATUS: "cl_build_status",
        CL_PROGRAM_BUILD_OPTIONS: "char[]",
        CL_PROGRAM_BUILD_LOG: "char[]",
        CL_PROGRAM_BINARY_TYPE: "cl_program_binary_type",
    }
    /// `cl_program_binary_type`.
    PROGRAM_BINARY_TYPE {
        CL_PROGRAM_BINARY_TYPE_NONE,
        CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
        CL_PROGRAM_BINARY_TYPE_LIBRARY,
        CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
    }
    /// `cl_build_status`.
    BUILD_STATUS {
        CL_BUILD_SUCCESS,
        CL_BUILD_NONE,
        CL_BUILD_ERROR,
        CL_BUILD_IN_PROGRESS,
    }
    /// `cl_kernel_info`.
    KERNEL_INFO {
        CL_KERNEL_FUNCTION_NAME: "char[]",
        CL_KERNEL_NUM_ARGS: "cl_uint",
        CL_KERNEL_REFERENCE_COUNT: "cl_uint",
        CL_KERNEL_CONTEXT: "cl_context",
        CL_KERNEL_PROGRAM: "cl_program",
        CL_KERNEL_ATTRIBUTES: "char[]",
    }
    /// `cl_kernel_arg_info`.
    KERNEL_ARG_INFO {
        CL_KERNEL_ARG_ADDRESS_QUALIFIER: "cl_kernel_arg_address_qualifier",
        CL_KERNEL_ARG_ACCESS_QUALIFIER: "cl_kernel_arg_access_qualifier",
        CL_KERNEL_ARG_TYPE_NAME: "char[]",
        CL_KERNEL_ARG_TYPE_QUALIFIER: "cl_kernel_arg_type_qualifier",
        CL_KERNEL_ARG_NAME: "char[]",
    }
    /// `cl_kernel_arg_address_qualifier`.
    KERNEL_ARG_ADDRESS {
        CL_KERNEL_ARG_ADDRESS_GLOBAL,
        CL_KERNEL_ARG_ADDRESS_LOCAL,
        CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_PRIVATE,
    }
    /// `cl_kernel_arg_access_qualifier`.
    KERNEL_ARG_ACCESS {
        CL_KERNEL_ARG_ACCESS_READ_ONLY,
        CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        CL_KERNEL_ARG_ACCESS_READ_WRITE,
        CL_KERNEL_ARG_ACCESS_NONE,
    }
    /// `cl_kernel_arg_type_qualifier`.
    KERNEL_ARG_TYPE {
        CL_KERNEL_ARG_TYPE_NONE,
        CL_KERNEL_ARG_TYPE_CONST,
        CL_KERNEL_ARG_TYPE_RESTRICT,
        CL_KERNEL_ARG_TYPE_VOLATILE,
    }
    /// `cl_kernel_work_group_info`.
    KERNEL_WORK_GROUP_INFO {
        CL_KERNEL_WORK_GROUP_SIZE: "usize",
        CL_KERNEL_COMPILE_WORK_GROUP_SIZE: "usize[]",
        CL_KERNEL_LOCAL_MEM_SIZE: "cl_ulong",
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: "usize",
        CL_KERNEL_PRIVATE_MEM_SIZE: "cl_ulong",
        CL_KERNEL_GLOBAL_WORK_SIZE: "usize[]",
    }
    /// `cl_event_info`.
    EVENT_INFO {
        CL_EVENT_COMMAND_QUEUE: "cl_command_queue",
        CL_EVENT_COMMAND_TYPE: "cl_command_type",
        CL_EVENT_REFERENCE_COUNT: "cl_uint",
        CL_EVENT_TASK_STATE_MOCL3: "cl_uint",
        CL_EVENT_COMMAND_EXECUTION_STATUS: "cl_execution_status",
        CL_EVENT_CONTEXT: "cl_context",
    }
    /// `cl_command_type`.
    COMMAND_TYPE {
        CL_COMMAND_NDRANGE_KERNEL,
        CL_COMMAND_TASK,
        CL_COMMAND_NATIVE_KERNEL,
        CL_COMMAND_READ_BUFFER,
        CL_COMMAND_WRITE_BUFFER,
        CL_COMMAND_COPY_BUFFER,
        CL_COMMAND_READ_IMAGE,
        CL_COMMAND_WRITE_IMAGE,
        CL_COMMAND_COPY_IMAGE,
        CL_COMMAND_COPY_IMAGE_TO_BUFFER,
        CL_COMMAND_COPY_BUFFER_TO_IMAGE,
        CL_COMMAND_MAP_BUFFER,
        CL_COMMAND_MAP_IMAGE,
        CL_COMMAND_UNMAP_MEM_OBJECT,
        CL_COMMAND_MARKER,
        CL_COMMAND_ACQUIRE_GL_OBJECTS,
        CL_COMMAND_RELEASE_GL_OBJECTS,
        CL_COMMAND_READ_BUFFER_RECT,
        CL_COMMAND_WRITE_BUFFER_RECT,
        CL_COMMAND_COPY_BUFFER_RECT,
        CL_COMMAND_USER,
        CL_COMMAND_BARRIER,
        CL_COMMAND_MIGRATE_MEM_OBJECTS,
        CL_COMMAND_FILL_BUFFER,
        CL_COMMAND_FILL_IMAGE,
    }
    /// The status of a command.
    EXECUTION_STATUS {
        CL_COMPLETE,
        CL_RUNNING,
        CL_SUBMITTED,
        CL_QUEUED,
    }
    /// `cl_buffer_create_type`.
    BUFFER_CREATE_TYPE {
        CL_BUFFER_CREATE_TYPE_REGION,
    }
    /// `cl_profiling_info`.
    PROFILING_INFO {
        CL_PROFILING_COMMAND_QUEUED: "cl_ulong",
        CL_PROFILING_COMMAND_SUBMIT: "cl_ulong",
        CL_PROFILING_COMMAND_START: "cl_ulong",
        CL_PROFILING_COMMAND_END: "cl_ulong",
        CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3: "cl_ulong[]",
        CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3: "cl_ulong[]",
    }
}
