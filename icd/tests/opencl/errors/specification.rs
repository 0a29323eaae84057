//! The error codes that the OpenCL 1.2 specification names for each function (the lists
//! "returns … one of the following errors"), in the order of the families' files.

/// Function and its error codes.
#[rustfmt::skip]
pub const SPECIFICATION: &[(&str, &[&str])] = &[
    // Platforms and extension functions: platform.rs
    ("clGetPlatformIDs", &["CL_INVALID_VALUE", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetPlatformInfo", &["CL_INVALID_PLATFORM", "CL_INVALID_VALUE", "CL_OUT_OF_HOST_MEMORY"]),
    ("clUnloadPlatformCompiler", &["CL_INVALID_PLATFORM"]),
    ("clUnloadCompiler", &[]),
    ("clGetExtensionFunctionAddress", &[]),
    ("clGetExtensionFunctionAddressForPlatform", &[]),
    // Devices: device.rs
    ("clGetDeviceIDs", &["CL_INVALID_PLATFORM", "CL_INVALID_DEVICE_TYPE", "CL_INVALID_VALUE", "CL_DEVICE_NOT_FOUND", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetDeviceInfo", &["CL_INVALID_DEVICE", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateSubDevices", &["CL_INVALID_DEVICE", "CL_INVALID_VALUE", "CL_DEVICE_PARTITION_FAILED", "CL_INVALID_DEVICE_PARTITION_COUNT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainDevice", &["CL_INVALID_DEVICE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseDevice", &["CL_INVALID_DEVICE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Contexts: context.rs
    ("clCreateContext", &["CL_INVALID_PLATFORM", "CL_INVALID_PROPERTY", "CL_INVALID_VALUE", "CL_INVALID_DEVICE", "CL_DEVICE_NOT_AVAILABLE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateContextFromType", &["CL_INVALID_PLATFORM", "CL_INVALID_PROPERTY", "CL_INVALID_VALUE", "CL_INVALID_DEVICE_TYPE", "CL_DEVICE_NOT_AVAILABLE", "CL_DEVICE_NOT_FOUND", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainContext", &["CL_INVALID_CONTEXT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseContext", &["CL_INVALID_CONTEXT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetContextInfo", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // cl_khr_terminate_context: context.rs
    ("clTerminateContextKHR", &["CL_INVALID_CONTEXT", "CL_CONTEXT_TERMINATED_KHR", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Command-queues: command_queue.rs
    ("clCreateCommandQueue", &["CL_INVALID_CONTEXT", "CL_INVALID_DEVICE", "CL_INVALID_VALUE", "CL_INVALID_QUEUE_PROPERTIES", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainCommandQueue", &["CL_INVALID_COMMAND_QUEUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseCommandQueue", &["CL_INVALID_COMMAND_QUEUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetCommandQueueInfo", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clFlush", &["CL_INVALID_COMMAND_QUEUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clFinish", &["CL_INVALID_COMMAND_QUEUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // cl_khr_create_command_queue: command_queue.rs
    ("clCreateCommandQueueWithPropertiesKHR", &["CL_INVALID_CONTEXT", "CL_INVALID_DEVICE", "CL_INVALID_VALUE", "CL_INVALID_QUEUE_PROPERTIES", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Buffers: buffer.rs
    ("clCreateBuffer", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_BUFFER_SIZE", "CL_INVALID_HOST_PTR", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateSubBuffer", &["CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_BUFFER_SIZE", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Images: image.rs
    ("clCreateImage", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_DESCRIPTOR", "CL_INVALID_IMAGE_SIZE", "CL_INVALID_HOST_PTR", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateImage2D", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_SIZE", "CL_INVALID_HOST_PTR", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateImage3D", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_SIZE", "CL_INVALID_HOST_PTR", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetSupportedImageFormats", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetImageInfo", &["CL_INVALID_VALUE", "CL_INVALID_MEM_OBJECT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Memory objects of any kind: mem_object.rs
    ("clRetainMemObject", &["CL_INVALID_MEM_OBJECT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseMemObject", &["CL_INVALID_MEM_OBJECT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clSetMemObjectDestructorCallback", &["CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetMemObjectInfo", &["CL_INVALID_VALUE", "CL_INVALID_MEM_OBJECT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Samplers: sampler.rs
    ("clCreateSampler", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainSampler", &["CL_INVALID_SAMPLER", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseSampler", &["CL_INVALID_SAMPLER", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetSamplerInfo", &["CL_INVALID_VALUE", "CL_INVALID_SAMPLER", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Programs: program.rs
    ("clCreateProgramWithSource", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateProgramWithBinary", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_DEVICE", "CL_INVALID_BINARY", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateProgramWithBuiltInKernels", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_DEVICE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainProgram", &["CL_INVALID_PROGRAM", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseProgram", &["CL_INVALID_PROGRAM", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clBuildProgram", &["CL_INVALID_PROGRAM", "CL_INVALID_VALUE", "CL_INVALID_DEVICE", "CL_INVALID_BINARY", "CL_INVALID_BUILD_OPTIONS", "CL_INVALID_OPERATION", "CL_COMPILER_NOT_AVAILABLE", "CL_BUILD_PROGRAM_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCompileProgram", &["CL_INVALID_PROGRAM", "CL_INVALID_VALUE", "CL_INVALID_DEVICE", "CL_INVALID_COMPILER_OPTIONS", "CL_INVALID_OPERATION", "CL_COMPILER_NOT_AVAILABLE", "CL_COMPILE_PROGRAM_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clLinkProgram", &["CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_PROGRAM", "CL_INVALID_DEVICE", "CL_INVALID_LINKER_OPTIONS", "CL_INVALID_OPERATION", "CL_LINKER_NOT_AVAILABLE", "CL_LINK_PROGRAM_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetProgramInfo", &["CL_INVALID_VALUE", "CL_INVALID_PROGRAM", "CL_INVALID_PROGRAM_EXECUTABLE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetProgramBuildInfo", &["CL_INVALID_DEVICE", "CL_INVALID_VALUE", "CL_INVALID_PROGRAM", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Kernels: kernel.rs
    ("clCreateKernel", &["CL_INVALID_PROGRAM", "CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_KERNEL_NAME", "CL_INVALID_KERNEL_DEFINITION", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clCreateKernelsInProgram", &["CL_INVALID_PROGRAM", "CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainKernel", &["CL_INVALID_KERNEL", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseKernel", &["CL_INVALID_KERNEL", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clSetKernelArg", &["CL_INVALID_KERNEL", "CL_INVALID_ARG_INDEX", "CL_INVALID_ARG_VALUE", "CL_INVALID_MEM_OBJECT", "CL_INVALID_SAMPLER", "CL_INVALID_ARG_SIZE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetKernelInfo", &["CL_INVALID_VALUE", "CL_INVALID_KERNEL", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetKernelArgInfo", &["CL_INVALID_ARG_INDEX", "CL_INVALID_VALUE", "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", "CL_INVALID_KERNEL"]),
    ("clGetKernelWorkGroupInfo", &["CL_INVALID_DEVICE", "CL_INVALID_VALUE", "CL_INVALID_KERNEL", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Kernels put into queues: execute.rs
    ("clEnqueueNDRangeKernel", &["CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_COMMAND_QUEUE", "CL_INVALID_KERNEL", "CL_INVALID_CONTEXT", "CL_INVALID_KERNEL_ARGS", "CL_INVALID_WORK_DIMENSION", "CL_INVALID_GLOBAL_WORK_SIZE", "CL_INVALID_GLOBAL_OFFSET", "CL_INVALID_WORK_GROUP_SIZE", "CL_INVALID_WORK_ITEM_SIZE", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_EVENT_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueTask", &["CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_COMMAND_QUEUE", "CL_INVALID_KERNEL", "CL_INVALID_CONTEXT", "CL_INVALID_KERNEL_ARGS", "CL_INVALID_WORK_GROUP_SIZE", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_EVENT_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueNativeKernel", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_OPERATION", "CL_INVALID_MEM_OBJECT", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_EVENT_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Events, markers and barriers: event.rs
    ("clCreateUserEvent", &["CL_INVALID_CONTEXT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clSetUserEventStatus", &["CL_INVALID_EVENT", "CL_INVALID_VALUE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clWaitForEvents", &["CL_INVALID_VALUE", "CL_INVALID_CONTEXT", "CL_INVALID_EVENT", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetEventInfo", &["CL_INVALID_VALUE", "CL_INVALID_EVENT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clSetEventCallback", &["CL_INVALID_EVENT", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clRetainEvent", &["CL_INVALID_EVENT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clReleaseEvent", &["CL_INVALID_EVENT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetEventProfilingInfo", &["CL_PROFILING_INFO_NOT_AVAILABLE", "CL_INVALID_VALUE", "CL_INVALID_EVENT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueMarkerWithWaitList", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_EVENT_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueBarrierWithWaitList", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_EVENT_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueMarker", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_VALUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueWaitForEvents", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_VALUE", "CL_INVALID_EVENT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueBarrier", &["CL_INVALID_COMMAND_QUEUE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Commands on buffers and on memory objects of any kind: enqueue_buffer.rs
    ("clEnqueueReadBuffer", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueWriteBuffer", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueReadBufferRect", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueWriteBufferRect", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueCopyBuffer", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_MEM_COPY_OVERLAP", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueCopyBufferRect", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MEM_COPY_OVERLAP", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueFillBuffer", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueMapBuffer", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_MAP_FAILURE", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueUnmapMemObject", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY", "CL_INVALID_CONTEXT"]),
    ("clEnqueueMigrateMemObjects", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    // Commands on images: enqueue_image.rs
    ("clEnqueueReadImage", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueWriteImage", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueFillImage", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueCopyImage", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_IMAGE_FORMAT_MISMATCH", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY", "CL_INVALID_OPERATION", "CL_MEM_COPY_OVERLAP"]),
    ("clEnqueueCopyImageToBuffer", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueCopyBufferToImage", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clEnqueueMapImage", &["CL_INVALID_COMMAND_QUEUE", "CL_INVALID_CONTEXT", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE", "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_IMAGE_SIZE", "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_MAP_FAILURE", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_OPERATION", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
];

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
