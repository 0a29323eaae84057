//! Programs, and kernels with their arguments.

use super::{OpenCl, check, created, queried};
use anyhow::{Result, bail, ensure};
use cl_sys::*;
use libloading::Symbol;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

type ArgumentQuery =
    unsafe extern "C" fn(cl_kernel, u32, u32, usize, *mut c_void, *mut usize) -> cl_int;

impl OpenCl {
    /// A program that has been built for the device with these options.
    ///
    /// # Errors
    /// The source does not compile: the build log. A text contains a zero byte, or a function's error code.
    pub fn program(
        &self,
        context: cl_context,
        device: cl_device_id,
        source: &str,
        options: &str,
    ) -> Result<cl_program> {
        let create = function!(
            self,
            clCreateProgramWithSource
                as unsafe extern "C" fn(
                    cl_context,
                    u32,
                    *const *const i8,
                    *const usize,
                    *mut cl_int,
                ) -> cl_program
        );
        let build = function!(
            self,
            clBuildProgram
                as unsafe extern "C" fn(
                    cl_program,
                    u32,
                    *const cl_device_id,
                    *const i8,
                    *const c_void,
                    *mut c_void,
                ) -> cl_int
        );
        let (source, options) = (CString::new(source)?, CString::new(options)?);
        let text = source.as_ptr();
        let program = created(
            // SAFETY: one text, which ends with NUL.
            |code| unsafe { create(context, 1, &text, null(), code) },
            "clCreateProgramWithSource",
        )?;
        // SAFETY: valid handles; without a callback the call blocks.
        let code = unsafe { build(program, 1, &device, options.as_ptr(), null(), null_mut()) };
        if code == CL_BUILD_PROGRAM_FAILURE {
            bail!(
                "the program does not compile:\n{}",
                self.log(program, device)?
            );
        }
        check(code, "clBuildProgram")?;
        Ok(program)
    }

    fn log(&self, program: cl_program, device: cl_device_id) -> Result<String> {
        let get = function!(
            self,
            clGetProgramBuildInfo
                as unsafe extern "C" fn(
                    cl_program,
                    cl_device_id,
                    u32,
                    usize,
                    *mut c_void,
                    *mut usize,
                ) -> cl_int
        );
        queried(
            // SAFETY: valid handles, and memory of that size.
            |size, to, needed| unsafe {
                get(program, device, CL_PROGRAM_BUILD_LOG, size, to, needed)
            },
            "clGetProgramBuildInfo",
        )
    }

    /// A kernel of a program.
    ///
    /// # Errors
    /// The name contains a zero byte, or a function's error code.
    pub fn kernel(&self, program: cl_program, name: &str) -> Result<cl_kernel> {
        let create = function!(
            self,
            clCreateKernel as unsafe extern "C" fn(cl_program, *const i8, *mut cl_int) -> cl_kernel
        );
        let name = CString::new(name)?;
        created(
            // SAFETY: a valid handle, and a text that ends with NUL.
            |code| unsafe { create(program, name.as_ptr(), code) },
            "clCreateKernel",
        )
    }

    /// What `clGetKernelArgInfo` says of an argument, as text.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn argument_text(&self, kernel: cl_kernel, index: u32, query: u32) -> Result<String> {
        let get = self.argument_query()?;
        queried(
            // SAFETY: a valid handle, and memory of that size.
            |size, to, needed| unsafe { get(kernel, index, query, size, to, needed) },
            "clGetKernelArgInfo",
        )
    }

    /// The address space of an argument, as `clGetKernelArgInfo` numbers them.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn argument_space(&self, kernel: cl_kernel, index: u32) -> Result<u32> {
        let get = self.argument_query()?;
        let mut space = 0u32;
        let (query, to) = (CL_KERNEL_ARG_ADDRESS_QUALIFIER, (&raw mut space).cast());
        // SAFETY: the value has the size given.
        let code = unsafe { get(kernel, index, query, 4, to, null_mut()) };
        check(code, "clGetKernelArgInfo")?;
        Ok(space)
    }

    fn argument_query(&self) -> Result<Symbol<'_, ArgumentQuery>> {
        Ok(function!(self, clGetKernelArgInfo as ArgumentQuery))
    }

    /// Sets an argument to these bytes.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn set_value(&self, kernel: cl_kernel, index: u32, value: &[u8]) -> Result<()> {
        self.set_argument(kernel, index, value.len(), value.as_ptr().cast())
    }

    /// Sets an argument to a buffer.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn set_buffer(&self, kernel: cl_kernel, index: u32, buffer: cl_mem) -> Result<()> {
        self.set_argument(
            kernel,
            index,
            size_of::<cl_mem>(),
            (&raw const buffer).cast(),
        )
    }

    /// Sets an argument to local memory of this size in bytes.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn set_local(&self, kernel: cl_kernel, index: u32, size: usize) -> Result<()> {
        self.set_argument(kernel, index, size, null())
    }

    fn set_argument(
        &self,
        kernel: cl_kernel,
        index: u32,
        size: usize,
        value: *const c_void,
    ) -> Result<()> {
        let set = function!(
            self,
            clSetKernelArg as unsafe extern "C" fn(cl_kernel, u32, usize, *const c_void) -> cl_int
        );
        // SAFETY: callers pass no pointer, or one to as many bytes.
        let code = unsafe { set(kernel, index, size, value) };
        check(code, "clSetKernelArg")
    }

    /// Enqueues a kernel; without a local size the platform chooses one.
    ///
    /// # Errors
    /// The numbers of dimensions differ, or the error code of the function.
    pub fn launch(
        &self,
        queue: cl_command_queue,
        kernel: cl_kernel,
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<()> {
        let enqueue = function!(
            self,
            clEnqueueNDRangeKernel
                as unsafe extern "C" fn(
                    cl_command_queue,
                    cl_kernel,
                    u32,
                    *const usize,
                    *const usize,
                    *const usize,
                    u32,
                    *const cl_event,
                    *mut cl_event,
                ) -> cl_int
        );
        let dimensions = global.len();
        ensure!(
            local.is_none_or(|local| local.len() == dimensions),
            "the local size needs as many dimensions as the global size"
        );
        let local = local.map_or(null(), <[usize]>::as_ptr);
        let (none, no_events) = (null(), null());
        // SAFETY: sizes have that many numbers; there are no events.
        let code = unsafe {
            enqueue(
                queue,
                kernel,
                dimensions as u32,
                none,
                global.as_ptr(),
                local,
                0,
                no_events,
                null_mut(),
            )
        };
        check(code, "clEnqueueNDRangeKernel")
    }
}
