//! Objects that error cases start from, and calls that must succeed.

use cl_sys::*;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

/// The call must succeed.
#[track_caller]
pub fn ok(code: cl_int) {
    assert_eq!(code, CL_SUCCESS);
}

/// A creating call, given where to put the error code, must succeed.
#[track_caller]
pub fn made<T>(call: impl FnOnce(*mut cl_int) -> *mut T) -> *mut T {
    let mut code = -12345;
    let object = call(&mut code);
    ok(code);
    assert!(!object.is_null());
    object
}

/// A creating call must fail; its code.
#[track_caller]
pub fn refused<T>(call: impl FnOnce(*mut cl_int) -> *mut T) -> cl_int {
    let mut code = -12345;
    assert!(call(&mut code).is_null());
    code
}

/// All bytes that a query answers with; `query` is given size, value and where the size
/// goes to.
#[track_caller]
pub fn answer(query: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> Vec<u8> {
    let mut size = 0;
    ok(query(0, null_mut(), &mut size));
    let mut bytes = vec![0; size];
    ok(query(size, bytes.as_mut_ptr().cast(), null_mut()));
    bytes
}

/// An answer that is a text.
#[track_caller]
pub fn text(query: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> String {
    let bytes = answer(query);
    let (last, text) = bytes.split_last().unwrap();
    assert_eq!(*last, 0);
    String::from_utf8(text.to_vec()).unwrap()
}

/// The functions of the platform that the loader calls (cl_khr_icd).
pub fn dispatch_table(platform: cl_platform_id) -> &'static [*mut c_void; 150] {
    // SAFETY: a handle is the address of the table's address; the table stays.
    unsafe { &**platform.cast::<*const [*mut c_void; 150]>() }
}

/// The address of a function from the platform itself, not from the loader.
pub fn address(platform: cl_platform_id, name: &CStr) -> *mut c_void {
    type Function = unsafe extern "C" fn(cl_platform_id, *const c_char) -> *mut c_void;
    /// The place of `clGetExtensionFunctionAddressForPlatform` in CL/cl_icd.h.
    const SLOT: usize = 107;
    // SAFETY: that function has that type; the name ends with NUL.
    unsafe {
        let lookup: Function = std::mem::transmute(dispatch_table(platform)[SLOT]);
        lookup(platform, name.as_ptr())
    }
}

/// The platform's own function of that name, past the loader, which has the type `F`.
pub fn function<F: Copy>(platform: cl_platform_id, name: &CStr) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    let address = address(platform, name);
    assert!(!address.is_null(), "{name:?}");
    // SAFETY: the caller names the type of that function.
    unsafe { std::mem::transmute_copy(&address) }
}

/// `clCreateCommandQueueWithPropertiesKHR`.
pub type CreateCommandQueueWithProperties = unsafe extern "C" fn(
    cl_context,
    cl_device_id,
    *const cl_queue_properties,
    *mut cl_int,
) -> cl_command_queue;

/// `clTerminateContextKHR`.
pub type TerminateContext = unsafe extern "C" fn(cl_context) -> cl_int;

/// A property of contexts (cl_khr_terminate_context).
pub const CL_CONTEXT_TERMINATE_KHR: cl_context_properties = 0x2032;

/// The code of calls with a terminated context (cl_khr_terminate_context).
pub const CL_CONTEXT_TERMINATED_KHR: cl_int = -1121;

/// A platform, a context over some of its devices, and queues on the first of these.
pub struct Session {
    /// The platform under test.
    pub platform: cl_platform_id,
    /// Devices of the platform; the first are those of the context.
    pub devices: Vec<cl_device_id>,
    /// The number of devices of the context.
    members: usize,
    /// Over the first devices.
    pub context: cl_context,
    /// In order.
    pub queue: cl_command_queue,
    /// In order, profiling: its commands are timed.
    pub profiling: cl_command_queue,
    /// Out of order; null if the device has no such queues.
    pub out_of_order: cl_command_queue,
}

// SAFETY: OpenCL's handles may be used from any thread (OpenCL 1.2, appendix A.2).
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    /// Over the first `members` of these devices, with properties of the context; the final 0
    /// is among them.
    pub fn new(
        platform: cl_platform_id,
        devices: Vec<cl_device_id>,
        members: usize,
        properties: &[cl_context_properties],
    ) -> Self {
        let properties = match properties {
            [] => null(),
            _ => properties.as_ptr(),
        };
        let count = members as cl_uint;
        // SAFETY: properties and devices are read during the call.
        let context = made(|code| unsafe {
            clCreateContext(properties, count, devices.as_ptr(), None, null_mut(), code)
        });
        let queue = |properties| {
            // SAFETY: the device is the context's.
            made(|code| unsafe { clCreateCommandQueue(context, devices[0], properties, code) })
        };
        let mut code = CL_SUCCESS;
        let out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        Self {
            platform,
            context,
            queue: queue(0),
            profiling: queue(CL_QUEUE_PROFILING_ENABLE),
            // SAFETY: as above; not all devices have such queues.
            out_of_order: unsafe {
                clCreateCommandQueue(context, devices[0], out_of_order, &mut code)
            },
            devices,
            members,
        }
    }

    /// A context over these devices, with queues on the first.
    pub fn over(platform: cl_platform_id, devices: Vec<cl_device_id>) -> Self {
        let members = devices.len();
        Self::new(platform, devices, members, &[])
    }

    /// The devices of the context.
    pub fn members(&self) -> &[cl_device_id] {
        &self.devices[..self.members]
    }

    /// Another context over the same devices.
    pub fn another(&self) -> Self {
        Self::new(self.platform, self.devices.clone(), self.members, &[])
    }

    /// Maps a region of a buffer, blocking; the code if that fails.
    pub fn map(
        &self,
        buffer: cl_mem,
        flags: cl_map_flags,
        offset: usize,
        size: usize,
    ) -> Result<*mut c_void, cl_int> {
        let mut code = 1;
        // SAFETY: the call blocks.
        let start = unsafe {
            clEnqueueMapBuffer(
                self.queue,
                buffer,
                CL_TRUE,
                flags,
                offset,
                size,
                0,
                null(),
                null_mut(),
                &mut code,
            )
        };
        if code == CL_SUCCESS {
            assert!(!start.is_null());
            return Ok(start);
        }
        assert!(start.is_null());
        Err(code)
    }

    /// Unmaps what is mapped at an address.
    pub fn unmap(&self, object: cl_mem, pointer: *mut c_void) -> cl_int {
        // SAFETY: the address is only looked for.
        unsafe { clEnqueueUnmapMemObject(self.queue, object, pointer, 0, null(), null_mut()) }
    }

    /// A buffer with a copy of these elements.
    pub fn buffer<T>(&self, elements: &[T]) -> cl_mem {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        // SAFETY: the elements are copied during the call.
        made(|code| unsafe {
            let start = elements.as_ptr().cast_mut().cast();
            clCreateBuffer(self.context, flags, size_of_val(elements), start, code)
        })
    }

    /// The first elements of a buffer.
    pub fn read<T: Clone + Default>(&self, buffer: cl_mem, count: usize) -> Vec<T> {
        let mut elements = vec![T::default(); count];
        // SAFETY: the vector has room; the call blocks.
        ok(unsafe {
            clEnqueueReadBuffer(
                self.queue,
                buffer,
                CL_TRUE,
                0,
                size_of_val(&elements[..]),
                elements.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        });
        elements
    }

    /// A program, not built.
    pub fn program(&self, source: &str) -> cl_program {
        let source = CString::new(source).unwrap();
        let text = source.as_ptr();
        // SAFETY: the text is copied during the call.
        made(|code| unsafe { clCreateProgramWithSource(self.context, 1, &text, null(), code) })
    }

    /// Builds a program for all devices of the context.
    pub fn build(&self, program: cl_program, options: &str) -> cl_int {
        let options = CString::new(options).unwrap();
        // SAFETY: the options outlive the call.
        unsafe { clBuildProgram(program, 0, null(), options.as_ptr(), None, null_mut()) }
    }

    /// The build log of the first device.
    pub fn log(&self, program: cl_program) -> String {
        let mut size = 0;
        let mut log = vec![0u8; 1 << 16];
        // SAFETY: the vector has room.
        ok(unsafe {
            clGetProgramBuildInfo(
                program,
                self.devices[0],
                CL_PROGRAM_BUILD_LOG,
                log.len(),
                log.as_mut_ptr().cast(),
                &mut size,
            )
        });
        String::from_utf8(log[..size - 1].to_vec()).unwrap()
    }

    /// A program, built.
    #[track_caller]
    pub fn built(&self, source: &str) -> cl_program {
        self.built_with(source, "")
    }

    /// A program, built with options; if that fails the log is shown.
    #[track_caller]
    pub fn built_with(&self, source: &str, options: &str) -> cl_program {
        let program = self.program(source);
        let code = self.build(program, options);
        assert_eq!(code, CL_SUCCESS, "{}", self.log(program));
        program
    }

    /// A kernel of a program built from source.
    pub fn kernel(&self, source: &str, name: &str) -> cl_kernel {
        self.kernel_of(self.built(source), name)
    }

    /// A kernel of a program.
    pub fn kernel_of(&self, program: cl_program, name: &str) -> cl_kernel {
        let name = CString::new(name).unwrap();
        // SAFETY: the name outlives the call.
        made(|code| unsafe { clCreateKernel(program, name.as_ptr(), code) })
    }

    /// Sets an argument to a value.
    pub fn set<T>(&self, kernel: cl_kernel, index: u32, value: &T) -> cl_int {
        let value = std::ptr::from_ref(value).cast();
        // SAFETY: the value is copied during the call.
        unsafe { clSetKernelArg(kernel, index, size_of::<T>(), value) }
    }

    /// Enqueues a kernel.
    pub fn launch(
        &self,
        queue: cl_command_queue,
        kernel: cl_kernel,
        global: &[usize],
        local: Option<&[usize]>,
        wait: &[cl_event],
        event: *mut cl_event,
    ) -> cl_int {
        let list = if wait.is_empty() {
            null()
        } else {
            wait.as_ptr()
        };
        // SAFETY: sizes and list are read during the call.
        unsafe {
            clEnqueueNDRangeKernel(
                queue,
                kernel,
                global.len() as u32,
                null(),
                global.as_ptr(),
                local.map_or(null(), <[usize]>::as_ptr),
                wait.len() as u32,
                list,
                event,
            )
        }
    }
}
