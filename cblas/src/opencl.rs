//! The functions of OpenCL that are used, from the loader.

use crate::errors::DeviceError;
use cl_sys::{
    cl_bitfield, cl_bool, cl_command_queue, cl_context, cl_device_id, cl_event, cl_int, cl_kernel,
    cl_mem, cl_platform_id, cl_program, cl_uint,
};
use libloading::Library;
use std::ffi::{c_char, c_void};

const LOADER: &str = "libOpenCL.so.1";

/// Entries of a list that has none.
type None = *const c_void;

macro_rules! functions {
    ($($name:ident($($type:ty),*) -> $result:ty;)*) => {
        /// OpenCL's functions, by their names.
        #[allow(non_snake_case, reason = "the specification names them")]
        pub struct OpenCl {
            $(pub $name: unsafe extern "C" fn($($type),*) -> $result,)*
            _library: Library,
        }

        impl OpenCl {
            /// Those of the loader.
            ///
            /// # Errors
            /// There is none, or it has not all of them.
            pub fn load() -> Result<Self, DeviceError> {
                let failed = |error: libloading::Error| DeviceError::NoLoader(error.to_string());
                // SAFETY: the loader's initialisation has no preconditions.
                let library = unsafe { Library::new(LOADER) }.map_err(failed)?;
                Ok(Self {
                    $(
                        // SAFETY: OpenCL 1.2 declares the function so; the library stays loaded.
                        $name: *unsafe {
                            library.get(concat!(stringify!($name), "\0").as_bytes())
                        }.map_err(failed)?,
                    )*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    clGetPlatformIDs(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;
    clGetDeviceIDs(cl_platform_id, cl_bitfield, cl_uint, *mut cl_device_id, *mut cl_uint) -> cl_int;
    clGetDeviceInfo(cl_device_id, cl_uint, usize, *mut c_void, *mut usize) -> cl_int;
    clCreateContext(None, cl_uint, *const cl_device_id, None, None, *mut cl_int) -> cl_context;
    clCreateCommandQueue(cl_context, cl_device_id, cl_bitfield, *mut cl_int) -> cl_command_queue;
    clCreateProgramWithBuiltInKernels(
        cl_context, cl_uint, *const cl_device_id, *const c_char, *mut cl_int
    ) -> cl_program;
    clReleaseProgram(cl_program) -> cl_int;
    clCreateKernel(cl_program, *const c_char, *mut cl_int) -> cl_kernel;
    clCreateBuffer(cl_context, cl_bitfield, usize, *mut c_void, *mut cl_int) -> cl_mem;
    clReleaseMemObject(cl_mem) -> cl_int;
    clSetKernelArg(cl_kernel, cl_uint, usize, *const c_void) -> cl_int;
    clEnqueueTask(cl_command_queue, cl_kernel, cl_uint, None, *mut cl_event) -> cl_int;
    clWaitForEvents(cl_uint, *const cl_event) -> cl_int;
    clGetEventInfo(cl_event, cl_uint, usize, *mut c_void, *mut usize) -> cl_int;
    clReleaseEvent(cl_event) -> cl_int;
    clEnqueueMapBuffer(
        cl_command_queue, cl_mem, cl_bool, cl_bitfield, usize, usize, cl_uint, None, None, *mut cl_int
    ) -> *mut c_void;
    clEnqueueUnmapMemObject(cl_command_queue, cl_mem, *mut c_void, cl_uint, None, None) -> cl_int;
    clFinish(cl_command_queue) -> cl_int;
}

/// Success, or the failure of a function.
///
/// # Errors
/// `code` is not `CL_SUCCESS`.
pub fn status(function: &'static str, code: cl_int) -> Result<(), DeviceError> {
    match code {
        cl_sys::CL_SUCCESS => Ok(()),
        _ => Err(DeviceError::Call { function, code }),
    }
}

/// The object that a function creates.
///
/// # Errors
/// It sets another code than `CL_SUCCESS`.
pub fn created<O>(
    function: &'static str,
    create: impl FnOnce(*mut cl_int) -> O,
) -> Result<O, DeviceError> {
    let mut code = cl_sys::CL_SUCCESS;
    let object = create(&raw mut code);
    status(function, code)?;
    Ok(object)
}
