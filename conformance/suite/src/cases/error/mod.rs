//! Error codes of wrong calls that leave a platform no choice: one thing is wrong with each call, and
//! the specification names one code for it. Handles are valid ones or null; the specification does
//! not say what happens with others.
//!
//! The calls are in the table of the crate `error-cases`, which the tests of `icd` run as well.

mod codes;

use crate::case::{Case, Category};
use anyhow::Result;
use codes::Codes;
use harness::feature::Feature;
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Error, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "errors_of_platforms_and_devices",
        "clGetPlatformIDs, clGetPlatformInfo, clGetDeviceIDs, clGetDeviceInfo, clCreateSubDevices",
        |session| portable(session, PLATFORMS_AND_DEVICES),
    ),
    case(
        "errors_of_contexts",
        "clCreateContext, clCreateContextFromType, clGetContextInfo, references",
        |session| portable(session, CONTEXTS),
    ),
    case(
        "errors_of_queues",
        "clCreateCommandQueue, clGetCommandQueueInfo, clFlush, clFinish, references",
        |session| portable(session, QUEUES),
    ),
    case(
        "errors_of_events",
        "user events, clWaitForEvents, clGetEventInfo, callbacks, profiling",
        |session| portable(session, EVENTS),
    ),
    case(
        "errors_of_buffers",
        "clCreateBuffer, clCreateSubBuffer, clGetMemObjectInfo, destructor callbacks",
        |session| portable(session, BUFFERS),
    ),
    case(
        "errors_of_images",
        "clCreateImage, clGetImageInfo, clGetSupportedImageFormats",
        |session| portable(session, IMAGES),
    )
    .needs(&[Feature::Images]),
    case(
        "errors_of_samplers",
        "clCreateSampler, clGetSamplerInfo, references",
        |session| portable(session, SAMPLERS),
    )
    .needs(&[Feature::Images]),
    case(
        "errors_of_programs",
        "making, building, compiling, linking, and asking programs",
        |session| portable(session, PROGRAMS),
    ),
    case(
        "errors_of_kernels",
        "making kernels, setting their arguments, asking them",
        |session| portable(session, KERNELS),
    ),
    case(
        "errors_of_launches",
        "clEnqueueNDRangeKernel and clEnqueueTask: sizes, arguments, wait lists, contexts",
        |session| portable(session, LAUNCHES),
    ),
    case(
        "errors_of_buffer_commands",
        "reading, writing, copying, filling, mapping and migrating buffers",
        |session| portable(session, BUFFER_COMMANDS),
    ),
    case(
        "errors_of_image_commands",
        "reading, writing, copying, filling and mapping images",
        |session| portable(session, IMAGE_COMMANDS),
    )
    .needs(&[Feature::Images]),
];

// Functions of the shared table, by case.

const PLATFORMS_AND_DEVICES: &[&str] = &[
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clCreateSubDevices",
    "clRetainDevice",
    "clReleaseDevice",
];
const CONTEXTS: &[&str] = &[
    "clCreateContext",
    "clCreateContextFromType",
    "clGetContextInfo",
    "clRetainContext",
    "clReleaseContext",
];
const QUEUES: &[&str] = &[
    "clCreateCommandQueue",
    "clGetCommandQueueInfo",
    "clRetainCommandQueue",
    "clReleaseCommandQueue",
    "clFlush",
    "clFinish",
];
const EVENTS: &[&str] = &[
    "clCreateUserEvent",
    "clSetUserEventStatus",
    "clWaitForEvents",
    "clGetEventInfo",
    "clSetEventCallback",
    "clGetEventProfilingInfo",
    "clRetainEvent",
    "clReleaseEvent",
];
const BUFFERS: &[&str] = &[
    "clCreateBuffer",
    "clCreateSubBuffer",
    "clGetMemObjectInfo",
    "clSetMemObjectDestructorCallback",
    "clRetainMemObject",
    "clReleaseMemObject",
];
const IMAGES: &[&str] = &[
    "clCreateImage",
    "clGetImageInfo",
    "clGetSupportedImageFormats",
];
const SAMPLERS: &[&str] = &[
    "clCreateSampler",
    "clGetSamplerInfo",
    "clRetainSampler",
    "clReleaseSampler",
];
const PROGRAMS: &[&str] = &[
    "clCreateProgramWithSource",
    "clCreateProgramWithBinary",
    "clCreateProgramWithBuiltInKernels",
    "clBuildProgram",
    "clCompileProgram",
    "clLinkProgram",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clRetainProgram",
    "clReleaseProgram",
];
const KERNELS: &[&str] = &[
    "clCreateKernel",
    "clCreateKernelsInProgram",
    "clSetKernelArg",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clRetainKernel",
    "clReleaseKernel",
];
const LAUNCHES: &[&str] = &["clEnqueueNDRangeKernel", "clEnqueueTask"];
const BUFFER_COMMANDS: &[&str] = &[
    "clEnqueueReadBuffer",
    "clEnqueueWriteBuffer",
    "clEnqueueCopyBuffer",
    "clEnqueueFillBuffer",
    "clEnqueueReadBufferRect",
    "clEnqueueWriteBufferRect",
    "clEnqueueCopyBufferRect",
    "clEnqueueMapBuffer",
    "clEnqueueUnmapMemObject",
    "clEnqueueMigrateMemObjects",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueBarrierWithWaitList",
];
const IMAGE_COMMANDS: &[&str] = &[
    "clEnqueueReadImage",
    "clEnqueueWriteImage",
    "clEnqueueCopyImage",
    "clEnqueueFillImage",
    "clEnqueueMapImage",
    "clEnqueueCopyImageToBuffer",
    "clEnqueueCopyBufferToImage",
];

/// Runs the cases of the shared table that leave a platform no choice.
fn portable(session: &Session, functions: &[&str]) -> Result<()> {
    let version = session.device.version()?;
    let before_2_1 = version.starts_with("OpenCL 1.") || version.starts_with("OpenCL 2.0");
    let platform = session.device.platform()?;
    let objects = error_cases::session::Session::over(platform, vec![session.device.id()]);
    let mut codes = Codes::default();
    for case in error_cases::portable::cases(functions, before_2_1) {
        let condition = case.condition.replace('_', " ");
        codes.check(case.function, &condition, case.provoke(&objects), case.code);
    }
    codes.result()
}
