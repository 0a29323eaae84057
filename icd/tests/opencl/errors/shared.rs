//! The table of the crate `error-cases` on this platform: one test for each function.

use crate::session::Session;
use cl_sys::cl_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes all calls of a function, each on objects of its own.
fn check(function: &str) {
    let cases = error_cases::all();
    let wrong: Vec<String> = cases
        .iter()
        .filter(|case| case.function == function)
        .filter_map(|case| {
            let provoked = || case.provoke(&Session::open());
            let code: Result<cl_int, _> = catch_unwind(AssertUnwindSafe(provoked));
            let found = match code {
                Ok(code) if code == case.code => return None,
                Ok(code) => code.to_string(),
                Err(_) => "a panic".to_owned(),
            };
            let (expected, condition) = (case.code_name, case.condition);
            Some(format!("{condition}: {found}, expected {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! functions {
    ($($function:ident)+) => {
        const FUNCTIONS: &[&str] = &[$(stringify!($function)),+];
        $(
            #[test]
            #[allow(non_snake_case, reason = "named as in the specification")]
            fn $function() {
                check(stringify!($function));
            }
        )+
    };
}

functions! {
    clGetPlatformIDs
    clGetPlatformInfo
    clUnloadPlatformCompiler
    clGetDeviceIDs
    clGetDeviceInfo
    clCreateSubDevices
    clRetainDevice
    clReleaseDevice
    clCreateContext
    clCreateContextFromType
    clRetainContext
    clReleaseContext
    clTerminateContextKHR
    clGetContextInfo
    clCreateCommandQueue
    clCreateCommandQueueWithPropertiesKHR
    clRetainCommandQueue
    clReleaseCommandQueue
    clGetCommandQueueInfo
    clFlush
    clFinish
    clCreateBuffer
    clCreateSubBuffer
    clCreateImage
    clCreateImage2D
    clCreateImage3D
    clGetSupportedImageFormats
    clGetImageInfo
    clRetainMemObject
    clReleaseMemObject
    clSetMemObjectDestructorCallback
    clGetMemObjectInfo
    clCreateSampler
    clRetainSampler
    clReleaseSampler
    clGetSamplerInfo
    clCreateProgramWithSource
    clCreateProgramWithBinary
    clCreateProgramWithBuiltInKernels
    clRetainProgram
    clReleaseProgram
    clBuildProgram
    clCompileProgram
    clLinkProgram
    clGetProgramInfo
    clGetProgramBuildInfo
    clCreateKernel
    clCreateKernelsInProgram
    clRetainKernel
    clReleaseKernel
    clSetKernelArg
    clGetKernelInfo
    clGetKernelArgInfo
    clGetKernelWorkGroupInfo
    clEnqueueNDRangeKernel
    clEnqueueTask
    clEnqueueNativeKernel
    clCreateUserEvent
    clSetUserEventStatus
    clWaitForEvents
    clGetEventInfo
    clSetEventCallback
    clRetainEvent
    clReleaseEvent
    clGetEventProfilingInfo
    clEnqueueMarkerWithWaitList
    clEnqueueBarrierWithWaitList
    clEnqueueMarker
    clEnqueueWaitForEvents
    clEnqueueBarrier
    clEnqueueReadBuffer
    clEnqueueWriteBuffer
    clEnqueueReadBufferRect
    clEnqueueWriteBufferRect
    clEnqueueCopyBuffer
    clEnqueueCopyBufferRect
    clEnqueueFillBuffer
    clEnqueueMapBuffer
    clEnqueueUnmapMemObject
    clEnqueueMigrateMemObjects
    clEnqueueReadImage
    clEnqueueWriteImage
    clEnqueueCopyImageToBuffer
    clEnqueueCopyBufferToImage
    clEnqueueFillImage
    clEnqueueCopyImage
    clEnqueueMapImage
}

#[test]
fn each_function_of_the_table_has_a_test() {
    for case in error_cases::all() {
        assert!(FUNCTIONS.contains(&case.function), "{}", case.function);
    }
}
