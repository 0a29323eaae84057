//! Error codes that no test provokes on this platform, and why.

/// Codes that most functions name and that no test provokes, and why.
pub const ANYWHERE: &[(&str, &str)] = &[
    (
        "CL_OUT_OF_HOST_MEMORY",
        "is not provoked: it is returned where the system refuses memory",
    ),
    (
        "CL_OUT_OF_RESOURCES",
        "is not provoked for all functions: it reports failures that no call can cause",
    ),
];

/// Functions, a code of theirs that no test provokes, and why.
pub const UNPROVOKED: &[(&[&str], &str, &str)] = &[
    (
        &["clBuildProgram", "clCompileProgram"],
        "CL_COMPILER_NOT_AVAILABLE",
        "every device has a compiler",
    ),
    (
        &["clLinkProgram"],
        "CL_LINKER_NOT_AVAILABLE",
        "every device has a linker",
    ),
    (
        &["clGetKernelArgInfo"],
        "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
        "every kernel's arguments are described, those of program binaries too",
    ),
    (
        &["clEnqueueNDRangeKernel", "clEnqueueTask"],
        "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        "all devices have the same alignment, and `clCreateSubBuffer` refuses another",
    ),
    (
        &["clEnqueueNDRangeKernel", "clEnqueueTask"],
        "CL_INVALID_IMAGE_SIZE",
        "all devices have the same limits, and `clCreateImage` refuses larger images",
    ),
    (
        &["clEnqueueNDRangeKernel", "clEnqueueTask"],
        "CL_IMAGE_FORMAT_NOT_SUPPORTED",
        "all devices support the same formats, and `clCreateImage` refuses others",
    ),
    (
        &[
            "clEnqueueNDRangeKernel",
            "clEnqueueTask",
            "clEnqueueNativeKernel",
        ],
        "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        "memory objects have their memory from when they are created",
    ),
    (
        &["clEnqueueNativeKernel"],
        "CL_INVALID_OPERATION",
        "every device runs native kernels",
    ),
    (
        &[
            "clEnqueueReadBuffer",
            "clEnqueueWriteBuffer",
            "clEnqueueReadBufferRect",
            "clEnqueueWriteBufferRect",
            "clEnqueueCopyBuffer",
            "clEnqueueCopyBufferRect",
            "clEnqueueFillBuffer",
            "clEnqueueMapBuffer",
        ],
        "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        "all devices have the same alignment, and `clCreateSubBuffer` refuses another",
    ),
    (
        &[
            "clEnqueueReadBuffer",
            "clEnqueueWriteBuffer",
            "clEnqueueReadBufferRect",
            "clEnqueueWriteBufferRect",
            "clEnqueueCopyBuffer",
            "clEnqueueCopyBufferRect",
            "clEnqueueFillBuffer",
            "clEnqueueMapBuffer",
            "clEnqueueMigrateMemObjects",
        ],
        "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        "memory objects have their memory from when they are created",
    ),
    (
        &["clCreateSubBuffer"],
        "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        "a sub-buffer has the memory of its buffer",
    ),
    (
        &["clEnqueueMapBuffer"],
        "CL_MAP_FAILURE",
        "the host sees the bytes of all memory objects",
    ),
    (
        &[
            "clEnqueueReadImage",
            "clEnqueueWriteImage",
            "clEnqueueFillImage",
            "clEnqueueCopyImage",
            "clEnqueueCopyImageToBuffer",
            "clEnqueueCopyBufferToImage",
            "clEnqueueMapImage",
        ],
        "CL_INVALID_IMAGE_SIZE",
        "all devices have the same limits, and `clCreateImage` refuses larger images",
    ),
    (
        &[
            "clCreateImage",
            "clCreateImage2D",
            "clCreateImage3D",
            "clEnqueueReadImage",
            "clEnqueueWriteImage",
            "clEnqueueFillImage",
            "clEnqueueCopyImage",
            "clEnqueueCopyImageToBuffer",
            "clEnqueueCopyBufferToImage",
            "clEnqueueMapImage",
        ],
        "CL_IMAGE_FORMAT_NOT_SUPPORTED",
        "every device has every format of OpenCL 1.2",
    ),
    (
        &[
            "clEnqueueReadImage",
            "clEnqueueWriteImage",
            "clEnqueueFillImage",
            "clEnqueueCopyImage",
            "clEnqueueCopyImageToBuffer",
            "clEnqueueCopyBufferToImage",
            "clEnqueueMapImage",
        ],
        "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        "memory objects have their memory from when they are created",
    ),
    (
        &[
            "clCreateImage",
            "clCreateImage2D",
            "clCreateImage3D",
            "clCreateSampler",
            "clEnqueueCopyImage",
            "clEnqueueCopyImageToBuffer",
            "clEnqueueCopyBufferToImage",
        ],
        "CL_INVALID_OPERATION",
        "every device has images",
    ),
    (
        &["clEnqueueCopyImageToBuffer", "clEnqueueCopyBufferToImage"],
        "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        "all devices have the same alignment, and `clCreateSubBuffer` refuses another",
    ),
    (
        &["clEnqueueMapImage"],
        "CL_MAP_FAILURE",
        "the host sees the bytes of all memory objects",
    ),
    (
        &["clCreateContext", "clCreateContextFromType"],
        "CL_DEVICE_NOT_AVAILABLE",
        "every device is available at all times",
    ),
    (
        &[
            "clCreateCommandQueue",
            "clCreateCommandQueueWithPropertiesKHR",
        ],
        "CL_INVALID_QUEUE_PROPERTIES",
        "every device supports all properties that are valid",
    ),
];
