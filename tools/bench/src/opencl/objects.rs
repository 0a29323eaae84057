//! Programs, kernels, memory and events.

use super::argument::{Argument, place_of};
use super::owned::{Owned, check};
use anyhow::Result;
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

/// A built program.
pub struct Program(pub(super) Owned<cl_program>);

/// A kernel.
pub struct Kernel(pub(super) Owned<cl_kernel>);

/// The event of a command.
pub struct Event(pub(super) Owned<cl_event>);

/// A buffer with a number of elements.
pub struct Buffer<T> {
    pub(super) memory: Owned<cl_mem>,
    pub(super) elements: usize,
    pub(super) element: PhantomData<T>,
}

/// A 2D image of pixels of four bytes.
pub struct Image {
    pub(super) memory: Owned<cl_mem>,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// A sampler.
pub struct Sampler(pub(super) Owned<cl_sampler>);

impl<T> Argument for Buffer<T> {
    fn value(&self) -> (usize, *const c_void) {
        place_of(&self.memory.handle)
    }
}

impl Argument for Image {
    fn value(&self) -> (usize, *const c_void) {
        place_of(&self.memory.handle)
    }
}

impl Argument for Sampler {
    fn value(&self) -> (usize, *const c_void) {
        place_of(&self.0.handle)
    }
}

impl Event {
    /// Waits for the command, and returns its profiling times.
    ///
    /// # Errors
    /// It failed, or its queue is not profiled.
    pub fn times(&self) -> Result<Times> {
        // SAFETY: the event lives.
        check("clWaitForEvents", unsafe {
            clWaitForEvents(1, &self.0.handle)
        })?;
        Ok(Times {
            submit: self.time(CL_PROFILING_COMMAND_SUBMIT)?,
            start: self.time(CL_PROFILING_COMMAND_START)?,
            end: self.time(CL_PROFILING_COMMAND_END)?,
        })
    }

    fn time(&self, which: cl_profiling_info) -> Result<u64> {
        let mut time = 0u64;
        // SAFETY: there is room for a time.
        let code = unsafe {
            clGetEventProfilingInfo(
                self.0.handle,
                which,
                size_of_val(&time),
                (&raw mut time).cast(),
                null_mut(),
            )
        };
        check("clGetEventProfilingInfo", code)?;
        Ok(time)
    }
}

/// Times of a command, ns of the device's clock.
pub struct Times {
    /// The command was submitted to the device.
    pub submit: u64,
    /// The command started.
    pub start: u64,
    /// The command ended.
    pub end: u64,
}

impl Program {
    /// Creates the kernel of that name.
    ///
    /// # Errors
    /// The program has no such kernel.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = CString::new(name)?;
        let mut code = 0;
        // SAFETY: the string outlives the call.
        let kernel = unsafe { clCreateKernel(self.0.handle, name.as_ptr(), &mut code) };
        Owned::new("clCreateKernel", kernel, code, clReleaseKernel).map(Kernel)
    }
}

impl Kernel {
    /// Sets the first arguments.
    ///
    /// # Errors
    /// The platform rejects an argument.
    pub fn set(&self, arguments: &[&dyn Argument]) -> Result<()> {
        for (index, argument) in arguments.iter().enumerate() {
            let (size, value) = argument.value();
            // SAFETY: the value is read during the call.
            let code = unsafe { clSetKernelArg(self.0.handle, index as cl_uint, size, value) };
            check(&format!("clSetKernelArg {index}"), code)?;
        }
        Ok(())
    }
}
