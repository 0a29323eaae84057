//! The error codes that the OpenCL 1.2 specification names for each function (the lists
//! "returns … one of the following errors"), in the order of the families' files.

/// Function and its error codes.
#[rustfmt::skip]
pub const SPECIFICATION: &[(&str, &[&str])] = &[
    // Platforms and extension functions: platform.rs
    ("clGetPlatformIDs", &[]),
    ("clGetPlatformInfo", &[]),
    ("clUnloadPlatformCompiler", &[]),
    ("clUnloadCompiler", &[]),
    ("clGetExtensionFunctionAddress", &[]),
    ("clGetExtensionFunctionAddressForPlatform", &[]),
    // Devices: device.rs
    ("clGetDeviceIDs", &[]),
    ("clGetDeviceInfo", &[]),
    ("clCreateSubDevices", &[]),
    ("clRetainDevice", &[]),
    ("clReleaseDevice", &[]),
    // Contexts: context.rs
    ("clCreateContext", &[]),
    ("clCreateContextFromType", &[]),
    ("clRetainContext", &[]),
    ("clReleaseContext", &["CL_INVALID_CONTEXT", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY"]),
    ("clGetContextInfo", &[]),
    // Command-queues: command_queue.rs
    ("clCreateCommandQueue", &[]),
    ("clRetainCommandQueue", &[]),
    ("clReleaseCommandQueue", &[]),
    ("clGetCommandQueueInfo", &[]),
    ("clFlush", &[]),
    ("clFinish", &[]),
    // Buffers: buffer.rs
    ("clCreateBuffer", &[]),
    ("clCreateSubBuffer", &[]),
    // Images: image.rs
    ("clCreateImage", &[]),
    ("clCreateImage2D", &[]),
    ("clCreateImage3D", &[]),
    ("clGetSupportedImageFormats", &[]),
    ("clGetImageInfo", &[]),
    // Memory objects of any kind: mem_object.rs
    ("clRetainMemObject", &[]),
    ("clReleaseMemObject", &[]),
    ("clSetMemObjectDestructorCallback", &[]),
    ("clGetMemObjectInfo", &[]),
    // Samplers: sampler.rs
    ("clCreateSampler", &[]),
    ("clRetainSampler", &[]),
    ("clReleaseSampler", &[]),
    ("clGetSamplerInfo", &[]),
    // Programs: program.rs
    ("clCreateProgramWithSource", &[]),
    ("clCreateProgramWithBinary", &[]),
    ("clCreateProgramWithBuiltInKernels", &[]),
    ("clRetainProgram", &[]),
    ("clReleaseProgram", &[]),
    ("clBuildProgram", &[]),
    ("clCompileProgram", &[]),
    ("clLinkProgram", &[]),
    ("clGetProgramInfo", &[]),
    ("clGetProgramBuildInfo", &[]),
    // Kernels: kernel.rs
    ("clCreateKernel", &[]),
    ("clCreateKernelsInProgram", &[]),
    ("clRetainKernel", &[]),
    ("clReleaseKernel", &[]),
    ("clSetKernelArg", &[]),
    ("clGetKernelInfo", &[]),
    ("clGetKernelArgInfo", &[]),
    ("clGetKernelWorkGroupInfo", &[]),
    // Kernels put into queues: execute.rs
    ("clEnqueueNDRangeKernel", &[]),
    ("clEnqueueTask", &[]),
    ("clEnqueueNativeKernel", &[]),
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
    ("clEnqueueReadBuffer", &[]),
    ("clEnqueueWriteBuffer", &[]),
    ("clEnqueueReadBufferRect", &[]),
    ("clEnqueueWriteBufferRect", &[]),
    ("clEnqueueCopyBuffer", &[]),
    ("clEnqueueCopyBufferRect", &[]),
    ("clEnqueueFillBuffer", &[]),
    ("clEnqueueMapBuffer", &[]),
    ("clEnqueueUnmapMemObject", &[]),
    ("clEnqueueMigrateMemObjects", &[]),
    // Commands on images: enqueue_image.rs
    ("clEnqueueReadImage", &[]),
    ("clEnqueueWriteImage", &[]),
    ("clEnqueueFillImage", &[]),
    ("clEnqueueCopyImage", &[]),
    ("clEnqueueCopyImageToBuffer", &[]),
    ("clEnqueueCopyBufferToImage", &[]),
    ("clEnqueueMapImage", &[]),
];

/// Codes that most functions name and that no test provokes, and why.
pub const ANYWHERE: &[(&str, &str)] = &[
    (
        "CL_OUT_OF_HOST_MEMORY",
        "is not provoked: it is returned where the system refuses memory",
    ),
    (
        "CL_OUT_OF_RESOURCES",
        "is not provoked for all functions: it stands for failures that no call can bring about",
    ),
];

/// Functions, a code of theirs that no test provokes, and why.
pub const UNPROVOKED: &[(&[&str], &str, &str)] = &[];
