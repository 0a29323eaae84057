//! As much of OpenCL's host side as the cases need. Errors end the measurement.

use anyhow::{Result, bail};
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

/// The first device of the only platform, with context and in-order queue.
pub struct Session {
    context: cl_context,
    device: cl_device_id,
    queue: cl_command_queue,
}

fn check(call: &str, code: cl_int) -> Result<()> {
    if code != CL_SUCCESS {
        bail!("{call} returned {code}");
    }
    Ok(())
}

/// A kernel argument.
pub enum Argument<'a> {
    /// A buffer.
    Buffer(&'a cl_mem),
    /// An `int`.
    Int(i32),
}

impl Session {
    pub fn open() -> Result<Self> {
        let mut platform = null_mut();
        let mut device = null_mut();
        let mut code = 0;
        // SAFETY: all pointers are to locals that outlive the calls.
        unsafe {
            check(
                "clGetPlatformIDs",
                clGetPlatformIDs(1, &mut platform, null_mut()),
            )?;
            let all = CL_DEVICE_TYPE_ALL as cl_device_type;
            check(
                "clGetDeviceIDs",
                clGetDeviceIDs(platform, all, 1, &mut device, null_mut()),
            )?;
            let context = clCreateContext(null(), 1, &device, None, null_mut(), &mut code);
            check("clCreateContext", code)?;
            let queue = clCreateCommandQueue(context, device, 0, &mut code);
            check("clCreateCommandQueue", code)?;
            Ok(Self {
                context,
                device,
                queue,
            })
        }
    }

    /// Builds a program and takes its kernel.
    pub fn kernel(&self, source: &str, name: &str) -> Result<cl_kernel> {
        let source = CString::new(source)?;
        let name = CString::new(name)?;
        let mut code = 0;
        // SAFETY: as above.
        unsafe {
            let text = source.as_ptr();
            let program = clCreateProgramWithSource(self.context, 1, &text, null(), &mut code);
            check("clCreateProgramWithSource", code)?;
            let code_of_build =
                clBuildProgram(program, 1, &self.device, c"".as_ptr(), None, null_mut());
            check("clBuildProgram", code_of_build)?;
            let kernel = clCreateKernel(program, name.as_ptr(), &mut code);
            check("clCreateKernel", code)?;
            Ok(kernel)
        }
    }

    /// A buffer with these elements.
    pub fn buffer(&self, elements: &[f32]) -> Result<cl_mem> {
        let mut code = 0;
        // SAFETY: the call copies the elements.
        let buffer = unsafe {
            clCreateBuffer(
                self.context,
                (CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR) as cl_mem_flags,
                size_of_val(elements),
                elements.as_ptr().cast_mut().cast(),
                &mut code,
            )
        };
        check("clCreateBuffer", code)?;
        Ok(buffer)
    }

    pub fn read(&self, buffer: cl_mem, elements: usize) -> Result<Vec<f32>> {
        let mut result = vec![0.0f32; elements];
        // SAFETY: the vector has room for the bytes read; the call blocks.
        let code = unsafe {
            clEnqueueReadBuffer(
                self.queue,
                buffer,
                CL_TRUE,
                0,
                size_of_val(&result[..]),
                result.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        };
        check("clEnqueueReadBuffer", code)?;
        Ok(result)
    }

    pub fn set(&self, kernel: cl_kernel, arguments: &[Argument<'_>]) -> Result<()> {
        for (index, argument) in arguments.iter().enumerate() {
            let (size, value): (usize, *const c_void) = match argument {
                Argument::Buffer(buffer) => {
                    (size_of::<cl_mem>(), std::ptr::from_ref(*buffer).cast())
                }
                Argument::Int(int) => (size_of::<i32>(), std::ptr::from_ref(int).cast()),
            };
            // SAFETY: the value is read during the call.
            check("clSetKernelArg", unsafe {
                clSetKernelArg(kernel, index as cl_uint, size, value)
            })?;
        }
        Ok(())
    }

    /// Launches and waits for the end.
    pub fn run(&self, kernel: cl_kernel, global: &[usize], local: Option<&[usize]>) -> Result<()> {
        // SAFETY: the sizes are read during the calls.
        unsafe {
            let code = clEnqueueNDRangeKernel(
                self.queue,
                kernel,
                global.len() as cl_uint,
                null(),
                global.as_ptr(),
                local.map_or(null(), <[usize]>::as_ptr),
                0,
                null(),
                null_mut(),
            );
            check("clEnqueueNDRangeKernel", code)?;
            check("clFinish", clFinish(self.queue))
        }
    }
}
