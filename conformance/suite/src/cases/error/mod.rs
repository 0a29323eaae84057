//! Error codes of wrong calls that leave a platform no choice: one thing is wrong with each call, and
//! the specification names one code for it. Handles are valid ones or null; the specification does
//! not say what happens with others.
//!
//! Most calls are those of the table `error-cases`, which the tests of `icd` run as well. Platforms,
//! devices, contexts and programs have theirs here.

mod objects;
mod programs;

use crate::case::{Case, Category};
use anyhow::{Result, ensure};
use cl_sys::cl_int;
use harness::feature::Feature;
use harness::session::Session;
use opencl3::error_codes::ClError;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Error, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "errors_of_platforms_and_devices",
        "clGetPlatformIDs, clGetPlatformInfo, clGetDeviceIDs, clGetDeviceInfo, clCreateSubDevices",
        objects::platforms_and_devices,
    ),
    case(
        "errors_of_contexts",
        "clCreateContext, clCreateContextFromType, clGetContextInfo, references",
        objects::contexts,
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
        programs::programs,
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

/// The codes of many calls: all that are wrong are reported.
#[derive(Default)]
struct Codes {
    calls: usize,
    wrong: Vec<String>,
}

impl Codes {
    fn check(&mut self, function: &str, condition: &str, code: cl_int, expected: cl_int) {
        self.calls += 1;
        if code != expected {
            let (code, expected) = (ClError(code), ClError(expected));
            self.wrong.push(format!(
                "{function}, {condition}: {code}, expected {expected}"
            ));
        }
    }

    fn check_none(&mut self, function: &str, condition: &str, is_null: bool) {
        if !is_null {
            self.wrong
                .push(format!("{function}, {condition}: an object, expected null"));
        }
    }

    fn result(self) -> Result<()> {
        ensure!(self.calls > 0, "no calls were made");
        ensure!(
            self.wrong.is_empty(),
            "{} of {} calls returned wrong codes:\n{}",
            self.wrong.len(),
            self.calls,
            self.wrong.join("\n")
        );
        Ok(())
    }
}

/// The function must return this code.
macro_rules! wrong {
    ($codes:ident, $condition:literal, $expected:ident,
     $function:ident ( $($argument:expr),* $(,)? )) => {{
        let code = harness::call::code!($function($($argument),*));
        $codes.check(stringify!($function), $condition, code, $expected);
    }};
}

/// The function, whose last argument `errcode_ret` is added, must return this code and null.
macro_rules! not_made {
    ($codes:ident, $condition:literal, $expected:ident,
     $function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut code = -12345;
        let object = harness::call::code!($function($($argument,)* &raw mut code));
        $codes.check(stringify!($function), $condition, code, $expected);
        $codes.check_none(stringify!($function), $condition, object.is_null());
    }};
}

/// What every query refuses: names that are none, too little room.
macro_rules! wrong_queries {
    ($codes:ident, $valid:expr, $function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut byte = 0u8;
        let to: *mut std::ffi::c_void = (&raw mut byte).cast();
        let none = std::ptr::null_mut();
        let unused = 0xEEEE;
        $crate::cases::error::wrong!($codes, "of an unknown name", CL_INVALID_VALUE,
            $function($($argument,)* unused, 0, none, none.cast()));
        $crate::cases::error::wrong!($codes, "with too little room", CL_INVALID_VALUE,
            $function($($argument,)* $valid, 1, to, none.cast()));
    }};
}

use {not_made, wrong, wrong_queries};

#[cfg(test)]
mod tests {
    use super::Codes;

    #[test]
    fn all_wrong_codes_are_told() {
        let mut codes = Codes::default();
        codes.check("clFlush", "null", -36, -36);
        codes.check("clFinish", "null", 0, -36);
        codes.check_none("clCreateBuffer", "size 0", false);
        assert_eq!(
            codes.result().unwrap_err().to_string(),
            "2 of 2 calls returned wrong codes:\n\
             clFinish, null: CL_SUCCESS, expected CL_INVALID_COMMAND_QUEUE\n\
             clCreateBuffer, size 0: an object, expected null"
        );
        assert!(Codes::default().result().is_err());
    }
}
