//! The device, with a context, a queue and the kernels: one for the process, made by the first call.

use crate::errors::DeviceError;
use crate::memory::Memory;
use crate::opencl::{OpenCl, created, status};
use crate::real::Value;
use cl_sys::{
    cl_command_queue, cl_context, cl_device_id, cl_event, cl_int, cl_kernel, cl_mem, cl_uint,
};
use once_cell::sync::OnceCell;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr;

/// The kernel by which a device is chosen.
const CHARACTERISTIC: &str = "dgemm";

/// The device, and what a launch takes.
pub struct Device {
    opencl: OpenCl,
    device: cl_device_id,
    context: cl_context,
    queue: cl_command_queue,
    /// Those that have been used.
    kernels: HashMap<String, cl_kernel>,
}

// SAFETY: OpenCL's objects may be used by any thread; a kernel's arguments are set under the lock.
unsafe impl Send for Device {}

/// A kernel's argument.
pub enum Argument {
    /// A size or a number.
    Value(Value),
    /// A buffer.
    Buffer(cl_mem),
}

/// The device; the calling thread has it alone.
///
/// # Errors
/// There is none that has the kernels.
pub fn lock() -> Result<MutexGuard<'static, Device>, DeviceError> {
    static DEVICE: OnceCell<Mutex<Device>> = OnceCell::new();
    let device = DEVICE.get_or_try_init(|| Device::open().map(Mutex::new))?;
    Ok(device.lock())
}

/// Up to `count` objects that a function lists; none if it fails.
fn list<O: Copy>(null: O, list: impl Fn(cl_uint, *mut O, *mut cl_uint) -> cl_int) -> Vec<O> {
    let mut count = 0;
    if list(0, ptr::null_mut(), &raw mut count) != cl_sys::CL_SUCCESS || count == 0 {
        return Vec::new();
    }
    let mut objects = vec![null; count as usize];
    match list(count, objects.as_mut_ptr(), ptr::null_mut()) {
        cl_sys::CL_SUCCESS => objects,
        _ => Vec::new(),
    }
}

/// The names of a device's built-in kernels, with semicolons; empty if it does not say.
fn built_in_kernels(opencl: &OpenCl, device: cl_device_id) -> String {
    let parameter = cl_sys::CL_DEVICE_BUILT_IN_KERNELS;
    let mut size = 0;
    // SAFETY: the device is one of the platform's; the size is written.
    let code =
        unsafe { (opencl.clGetDeviceInfo)(device, parameter, 0, ptr::null_mut(), &raw mut size) };
    if code != cl_sys::CL_SUCCESS {
        return String::new();
    }
    let mut text = vec![0_u8; size];
    // SAFETY: as above; the text has `size` bytes.
    let code = unsafe {
        (opencl.clGetDeviceInfo)(
            device,
            parameter,
            size,
            text.as_mut_ptr().cast(),
            ptr::null_mut(),
        )
    };
    match code {
        cl_sys::CL_SUCCESS => String::from_utf8_lossy(&text)
            .trim_end_matches('\0')
            .to_owned(),
        _ => String::new(),
    }
}

/// The first device of all platforms that has the kernels.
fn find(opencl: &OpenCl) -> Result<cl_device_id, DeviceError> {
    // SAFETY: the list has as many entries as it is said to have.
    let platforms = list(ptr::null_mut(), |count, list, total| unsafe {
        (opencl.clGetPlatformIDs)(count, list, total)
    });
    let devices = platforms.iter().flat_map(|platform| {
        // SAFETY: as above, and the platform is one of the loader's.
        list(ptr::null_mut(), |count, list, total| unsafe {
            (opencl.clGetDeviceIDs)(*platform, cl_sys::CL_DEVICE_TYPE_ALL, count, list, total)
        })
    });
    let has_kernels = |device: &cl_device_id| {
        let kernels = built_in_kernels(opencl, *device);
        kernels.split(';').any(|kernel| kernel == CHARACTERISTIC)
    };
    devices
        .into_iter()
        .find(has_kernels)
        .ok_or(DeviceError::NoDevice {
            platforms: platforms.len(),
        })
}

impl Device {
    fn open() -> Result<Self, DeviceError> {
        let opencl = OpenCl::load()?;
        let device = find(&opencl)?;
        let none = ptr::null();
        // SAFETY: the device exists; there are no properties and no callback.
        let context = created("clCreateContext", |code| unsafe {
            (opencl.clCreateContext)(none, 1, &raw const device, none, none, code)
        })?;
        // SAFETY: the device is the context's.
        let queue = created("clCreateCommandQueue", |code| unsafe {
            (opencl.clCreateCommandQueue)(context, device, 0, code)
        })?;
        Ok(Self {
            opencl,
            device,
            context,
            queue,
            kernels: HashMap::new(),
        })
    }

    /// A kernel, in a program of its own.
    fn kernel(&mut self, name: &str) -> Result<cl_kernel, DeviceError> {
        if let Some(kernel) = self.kernels.get(name) {
            return Ok(*kernel);
        }
        let text = CString::new(name).unwrap_or_default();
        let device = &raw const self.device;
        // SAFETY: the device is the context's; the name ends with NUL.
        let program = created("clCreateProgramWithBuiltInKernels", |code| unsafe {
            let create = self.opencl.clCreateProgramWithBuiltInKernels;
            create(self.context, 1, device, text.as_ptr(), code)
        })?;
        // SAFETY: as above, and the program exists.
        let kernel = created("clCreateKernel", |code| unsafe {
            (self.opencl.clCreateKernel)(program, text.as_ptr(), code)
        });
        // SAFETY: the program is released once; its kernel retains it.
        unsafe { (self.opencl.clReleaseProgram)(program) };
        let kernel = kernel?;
        self.kernels.insert(name.to_owned(), kernel);
        Ok(kernel)
    }

    /// Runs a kernel, and waits for its end.
    ///
    /// # Errors
    /// OpenCL refuses an argument or the launch, or the launch fails.
    pub fn run(&mut self, name: &str, arguments: &[Argument]) -> Result<(), DeviceError> {
        let kernel = self.kernel(name)?;
        for (place, argument) in (0..).zip(arguments) {
            let (size, value): (usize, *const c_void) = match argument {
                Argument::Value(Value::Uint(value)) => (4, ptr::from_ref(value).cast()),
                Argument::Value(Value::Int(value)) => (4, ptr::from_ref(value).cast()),
                Argument::Value(Value::Single(value)) => (4, ptr::from_ref(value).cast()),
                Argument::Value(Value::Double(value)) => (8, ptr::from_ref(value).cast()),
                Argument::Buffer(buffer) => (size_of::<cl_mem>(), ptr::from_ref(buffer).cast()),
            };
            // SAFETY: the value has this size.
            let code = unsafe { (self.opencl.clSetKernelArg)(kernel, place, size, value) };
            status("clSetKernelArg", code)?;
        }
        let mut event: cl_event = ptr::null_mut();
        // SAFETY: the kernel's arguments are set; their buffers exist until its end.
        let code = unsafe {
            (self.opencl.clEnqueueTask)(self.queue, kernel, 0, ptr::null(), &raw mut event)
        };
        status("clEnqueueTask", code)?;
        let outcome = self.wait(event);
        // SAFETY: the event is released once.
        unsafe { (self.opencl.clReleaseEvent)(event) };
        outcome
    }

    /// Waits for the end of a launch.
    fn wait(&self, event: cl_event) -> Result<(), DeviceError> {
        // SAFETY: the event exists.
        let code = unsafe { (self.opencl.clWaitForEvents)(1, &raw const event) };
        if code != cl_sys::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST {
            return status("clWaitForEvents", code);
        }
        let mut reason = code;
        // SAFETY: the status has this type.
        unsafe {
            (self.opencl.clGetEventInfo)(
                event,
                cl_sys::CL_EVENT_COMMAND_EXECUTION_STATUS,
                size_of::<cl_int>(),
                (&raw mut reason).cast(),
                ptr::null_mut(),
            )
        };
        status("clEnqueueTask", if reason < 0 { reason } else { code })
    }

    /// Makes a buffer of memory that the kernel uses in place.
    ///
    /// # Errors
    /// OpenCL refuses it.
    pub fn buffer(&self, memory: &Memory) -> Result<cl_mem, DeviceError> {
        let access = match memory.is_written() {
            true => cl_sys::CL_MEM_READ_WRITE,
            false => cl_sys::CL_MEM_READ_ONLY,
        };
        let flags = access | cl_sys::CL_MEM_USE_HOST_PTR;
        let (start, bytes) = memory.in_use();
        // SAFETY: the memory has this size, and exists until the buffer is released.
        created("clCreateBuffer", |code| unsafe {
            (self.opencl.clCreateBuffer)(self.context, flags, bytes, start.cast(), code)
        })
    }

    /// Brings a buffer's contents to its memory: what `clEnqueueMapBuffer` guarantees.
    ///
    /// # Errors
    /// OpenCL cannot map it.
    pub fn fetch(&self, buffer: cl_mem, bytes: usize) -> Result<(), DeviceError> {
        let (is_blocking, read) = (cl_sys::CL_TRUE, cl_sys::CL_MAP_READ);
        let none = ptr::null();
        // SAFETY: the buffer has this size.
        let mapped = created("clEnqueueMapBuffer", |code| unsafe {
            let map = self.opencl.clEnqueueMapBuffer;
            map(
                self.queue,
                buffer,
                is_blocking,
                read,
                0,
                bytes,
                0,
                none,
                none,
                code,
            )
        })?;
        // SAFETY: the address is that of the mapping.
        let code = unsafe {
            (self.opencl.clEnqueueUnmapMemObject)(self.queue, buffer, mapped, 0, none, none)
        };
        status("clEnqueueUnmapMemObject", code)
    }

    /// Waits for all commands, and releases buffers.
    ///
    /// # Errors
    /// OpenCL cannot wait.
    pub fn release(&self, buffers: &[cl_mem]) -> Result<(), DeviceError> {
        // SAFETY: the queue exists.
        let code = unsafe { (self.opencl.clFinish)(self.queue) };
        status("clFinish", code)?;
        for buffer in buffers {
            // SAFETY: each buffer is released once.
            let code = unsafe { (self.opencl.clReleaseMemObject)(*buffer) };
            status("clReleaseMemObject", code)?;
        }
        Ok(())
    }
}
