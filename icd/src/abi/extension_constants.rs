//! Constants of Khronos extensions that cl-sys lacks, with their values from
//! CL/cl_ext.h.

macro_rules! constants {
    ($($name:ident = $value:literal,)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        pub const $name: u32 = $value;
    )*};
}

constants! {
    // cl_khr_icd
    CL_PLATFORM_ICD_SUFFIX_KHR = 0x0920,
    // cl_khr_extended_versioning
    CL_PLATFORM_NUMERIC_VERSION_KHR = 0x0906,
    CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR = 0x0907,
    CL_DEVICE_NUMERIC_VERSION_KHR = 0x105E,
    CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR = 0x105F,
    CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR = 0x1060,
    CL_DEVICE_ILS_WITH_VERSION_KHR = 0x1061,
    CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR = 0x1062,
    // cl_khr_device_uuid
    CL_DEVICE_UUID_KHR = 0x106A,
    CL_DRIVER_UUID_KHR = 0x106B,
    CL_DEVICE_LUID_VALID_KHR = 0x106C,
    CL_DEVICE_LUID_KHR = 0x106D,
    CL_DEVICE_NODE_MASK_KHR = 0x106E,
    // cl_khr_initialize_memory
    CL_CONTEXT_MEMORY_INITIALIZE_KHR = 0x2030,
    // cl_khr_terminate_context
    CL_DEVICE_TERMINATE_CAPABILITY_KHR = 0x2031,
    CL_CONTEXT_TERMINATE_KHR = 0x2032,
    CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR = 1,
    // The values of these two in headers of OpenCL 1.2's time; programs use either.
    CL_DEVICE_TERMINATE_CAPABILITY_KHR_1X = 0x200F,
    CL_CONTEXT_TERMINATE_KHR_1X = 0x2010,
}
