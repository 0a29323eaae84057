//! The smoke test's OpenCL program: finds the platform through the loader, and runs a kernel.

use super::loader;
use anyhow::{Context, Result, bail, ensure};
use cl_sys::*;
use libloading::{Library, Symbol};
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

/// The platform's name.
pub const NAME: &str = "MOCL3";

const CL_DEVICE_TYPE_ALL: cl_device_type = 0xFFFF_FFFF;

/// The result of the smoke test, which one process passes to the other as JSON.
#[derive(Default, Serialize, Deserialize)]
pub struct ProbeOutcome {
    /// Names of all platforms.
    pub platforms: Vec<String>,
    /// Names and types (`CPU`, `GPU`, `ACCELERATOR`) of our platform's devices.
    pub devices: Vec<(String, String)>,
    /// The library's version.
    pub version: Option<String>,
    /// Why no kernel could be run.
    pub failure: Option<String>,
}

/// The functions of the loader, which is loaded, not linked: this program must start without it.
pub struct OpenCl(Library);

/// A function of the loader, with the type that OpenCL's headers give it.
macro_rules! function {
    ($open_cl:expr, $name:ident as $type:ty) => {{
        let name = concat!(stringify!($name), "\0").as_bytes();
        // SAFETY: the type is that of OpenCL's headers.
        let symbol = unsafe { $open_cl.0.get::<$type>(name) };
        symbol?
    }};
}

type Query<H> = unsafe extern "C" fn(H, u32, usize, *mut c_void, *mut usize) -> cl_int;

fn check(code: cl_int, what: &str) -> Result<()> {
    ensure!(code == CL_SUCCESS, "{what} returns {code}");
    Ok(())
}

fn created<T>(call: impl FnOnce(*mut cl_int) -> *mut T, what: &str) -> Result<*mut T> {
    let mut code = 0;
    let object = call(&mut code);
    check(code, what)?;
    Ok(object)
}

impl OpenCl {
    /// Loads the system's loader, or another one.
    ///
    /// # Errors
    /// No loader exists, or it cannot be loaded.
    pub fn load(file: Option<&Path>) -> Result<Self> {
        Ok(Self(loader::load(file).map_err(anyhow::Error::msg)?))
    }

    /// Finds the platform and its devices, and runs a kernel on the first.
    pub fn outcome(&self) -> ProbeOutcome {
        let mut outcome = ProbeOutcome::default();
        if let Err(error) = self.fill(&mut outcome) {
            outcome.failure = Some(format!("{error:#}"));
        }
        outcome
    }

    fn fill(&self, outcome: &mut ProbeOutcome) -> Result<()> {
        let mut ours = None;
        for platform in self.platforms()? {
            let name = self.text::<cl_platform_id>(c"clGetPlatformInfo", platform, 0x0902)?;
            if name == NAME {
                // Most programs use the first device, too.
                ours = ours.or(Some(platform));
            }
            outcome.platforms.push(name);
        }
        let platform = ours.context("there is no such platform")?;
        let devices = self.devices(platform)?;
        for device in &devices {
            outcome.devices.push((
                self.text(c"clGetDeviceInfo", *device, CL_DEVICE_NAME)?,
                self.device_type(*device)?,
            ));
        }
        let device = *devices.first().context("there are no devices")?;
        outcome.version = Some(self.text(c"clGetDeviceInfo", device, CL_DRIVER_VERSION)?);
        self.run_kernel(device)
    }

    fn platforms(&self) -> Result<Vec<cl_platform_id>> {
        let get = function!(
            self,
            clGetPlatformIDs as unsafe extern "C" fn(u32, *mut cl_platform_id, *mut u32) -> cl_int
        );
        let mut platforms = vec![null_mut(); 64];
        let mut count = 0;
        // SAFETY: the list has room for 64.
        let code = unsafe { get(64, platforms.as_mut_ptr(), &mut count) };
        // The loader's error code if there is no platform.
        if code == -1001 {
            return Ok(Vec::new());
        }
        check(code, "clGetPlatformIDs")?;
        platforms.truncate(count as usize);
        Ok(platforms)
    }

    fn devices(&self, platform: cl_platform_id) -> Result<Vec<cl_device_id>> {
        let get = function!(
            self,
            clGetDeviceIDs
                as unsafe extern "C" fn(
                    cl_platform_id,
                    cl_device_type,
                    u32,
                    *mut cl_device_id,
                    *mut u32,
                ) -> cl_int
        );
        let mut devices = vec![null_mut(); 64];
        let mut count = 0;
        // SAFETY: the list has room for 64.
        let code = unsafe {
            get(
                platform,
                CL_DEVICE_TYPE_ALL,
                64,
                devices.as_mut_ptr(),
                &mut count,
            )
        };
        if code == CL_DEVICE_NOT_FOUND {
            return Ok(Vec::new());
        }
        check(code, "clGetDeviceIDs")?;
        devices.truncate(count as usize);
        Ok(devices)
    }

    fn device_type(&self, device: cl_device_id) -> Result<String> {
        let query = function!(self, clGetDeviceInfo as Query<cl_device_id>);
        let mut bits: cl_device_type = 0;
        let to = (&raw mut bits).cast();
        // SAFETY: the value has the size given.
        let code = unsafe { query(device, CL_DEVICE_TYPE, 8, to, null_mut()) };
        check(code, "clGetDeviceInfo")?;
        let kinds = [
            (CL_DEVICE_TYPE_CPU, "CPU"),
            (CL_DEVICE_TYPE_GPU, "GPU"),
            (CL_DEVICE_TYPE_ACCELERATOR, "ACCELERATOR"),
        ];
        let kind = kinds.iter().find(|(bit, _)| bits & bit != 0);
        Ok(kind.map_or("unknown", |(_, name)| name).to_owned())
    }

    fn text<H: Copy>(&self, function: &CStr, handle: H, query: u32) -> Result<String> {
        // SAFETY: both query functions have that type.
        let get: Symbol<Query<H>> = unsafe { self.0.get(function) }?;
        let mut text = [0u8; 1024];
        // SAFETY: the buffer has the size given.
        let code = unsafe {
            get(
                handle,
                query,
                text.len(),
                text.as_mut_ptr().cast(),
                null_mut(),
            )
        };
        check(code, &function.to_string_lossy())?;
        let text = CStr::from_bytes_until_nul(&text)?;
        Ok(text.to_string_lossy().into_owned())
    }

    /// Doubles numbers on the device. The objects are not released: the process ends soon.
    fn run_kernel(&self, device: cl_device_id) -> Result<()> {
        const COUNT: usize = 64;
        let numbers: [i32; COUNT] = std::array::from_fn(|index| index as i32);
        let context = self.context(device)?;
        let queue = self.queue(context, device)?;
        let buffer = self.buffer(context, &numbers)?;
        let kernel = self.kernel(context, device)?;
        self.launch(queue, kernel, buffer, COUNT)?;
        let mut results = [0; COUNT];
        self.read(queue, buffer, &mut results)?;
        if results != numbers.map(|number| 2 * number) {
            bail!("its result is wrong");
        }
        Ok(())
    }

    fn context(&self, device: cl_device_id) -> Result<cl_context> {
        let create = function!(
            self,
            clCreateContext
                as unsafe extern "C" fn(
                    *const isize,
                    u32,
                    *const cl_device_id,
                    *const c_void,
                    *mut c_void,
                    *mut cl_int,
                ) -> cl_context
        );
        created(
            // SAFETY: one device, which outlives the call.
            |code| unsafe { create(null(), 1, &device, null(), null_mut(), code) },
            "clCreateContext",
        )
    }

    fn queue(&self, context: cl_context, device: cl_device_id) -> Result<cl_command_queue> {
        let create = function!(
            self,
            clCreateCommandQueue
                as unsafe extern "C" fn(
                    cl_context,
                    cl_device_id,
                    u64,
                    *mut cl_int,
                ) -> cl_command_queue
        );
        created(
            // SAFETY: valid handles.
            |code| unsafe { create(context, device, 0, code) },
            "clCreateCommandQueue",
        )
    }

    fn buffer(&self, context: cl_context, contents: &[i32]) -> Result<cl_mem> {
        let create = function!(
            self,
            clCreateBuffer
                as unsafe extern "C" fn(cl_context, u64, usize, *mut c_void, *mut cl_int) -> cl_mem
        );
        let (flags, size) = (CL_MEM_COPY_HOST_PTR, size_of_val(contents));
        let host = contents.as_ptr().cast_mut().cast();
        created(
            // SAFETY: the contents have that size and are only read.
            |code| unsafe { create(context, flags, size, host, code) },
            "clCreateBuffer",
        )
    }

    /// Builds the kernel for the device.
    fn kernel(&self, context: cl_context, device: cl_device_id) -> Result<cl_kernel> {
        const SOURCE: &CStr =
            c"kernel void twice(global int *x)\n{\n    x[get_global_id(0)] *= 2;\n}\n";
        let create_program = function!(
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
        let create_kernel = function!(
            self,
            clCreateKernel as unsafe extern "C" fn(cl_program, *const i8, *mut cl_int) -> cl_kernel
        );
        let text = SOURCE.as_ptr();
        let program = created(
            // SAFETY: one text, which ends with NUL.
            |code| unsafe { create_program(context, 1, &text, null(), code) },
            "clCreateProgramWithSource",
        )?;
        // SAFETY: valid handles; without a callback the call blocks.
        let code = unsafe { build(program, 1, &device, null(), null(), null_mut()) };
        check(code, "clBuildProgram")?;
        created(
            // SAFETY: a valid handle, and a text that ends with NUL.
            |code| unsafe { create_kernel(program, c"twice".as_ptr(), code) },
            "clCreateKernel",
        )
    }

    fn launch(
        &self,
        queue: cl_command_queue,
        kernel: cl_kernel,
        buffer: cl_mem,
        count: usize,
    ) -> Result<()> {
        let set_argument = function!(
            self,
            clSetKernelArg as unsafe extern "C" fn(cl_kernel, u32, usize, *const c_void) -> cl_int
        );
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
        let argument = (&raw const buffer).cast();
        // SAFETY: the argument has the size of a handle.
        let code = unsafe { set_argument(kernel, 0, size_of::<cl_mem>(), argument) };
        check(code, "clSetKernelArg")?;
        let (none, no_events) = (null(), null());
        // SAFETY: one dimension, and no events.
        let code = unsafe {
            enqueue(
                queue,
                kernel,
                1,
                none,
                &count,
                none,
                0,
                no_events,
                null_mut(),
            )
        };
        check(code, "clEnqueueNDRangeKernel")
    }

    fn read(&self, queue: cl_command_queue, buffer: cl_mem, to: &mut [i32]) -> Result<()> {
        let read = function!(
            self,
            clEnqueueReadBuffer
                as unsafe extern "C" fn(
                    cl_command_queue,
                    cl_mem,
                    u32,
                    usize,
                    usize,
                    *mut c_void,
                    u32,
                    *const cl_event,
                    *mut cl_event,
                ) -> cl_int
        );
        let (size, to) = (size_of_val(to), to.as_mut_ptr().cast());
        // SAFETY: the memory has that size, and the call blocks.
        let code = unsafe { read(queue, buffer, CL_TRUE, 0, size, to, 0, null(), null_mut()) };
        check(code, "clEnqueueReadBuffer")
    }
}
