//! OpenCL through the system's loader, for commands that are OpenCL programs themselves. Objects are not
//! released: their processes end soon.

use anyhow::{Result, anyhow, bail, ensure};
use cl_sys::*;
use libloading::{Library, Symbol};
use std::ffi::{CStr, OsStr, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

/// The platform's name.
pub const NAME: &str = "MOCL3";

const CL_DEVICE_TYPE_ALL: cl_device_type = 0xFFFF_FFFF;

/// The file of the system's loader.
pub const LOADER: &str = "libOpenCL.so.1";

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

mod kernels;

type Query<H> = unsafe extern "C" fn(H, u32, usize, *mut c_void, *mut usize) -> cl_int;

/// Loads the named loader, or the system's. No loader loads platforms before its first use.
///
/// # Errors
/// The dynamic linker's message.
pub fn load(named: Option<&Path>) -> Result<Library, String> {
    let file = named.map_or(OsStr::new(LOADER), Path::as_os_str);
    // SAFETY: the loaders' initialisers only fill tables of their own.
    unsafe { Library::new(file) }.map_err(said)
}

/// The dynamic linker's message without the text that the crate adds.
pub fn said(error: libloading::Error) -> String {
    match &error {
        libloading::Error::DlOpen { source } | libloading::Error::DlSym { source } => {
            source.to_string()
        }
        _ => error.to_string(),
    }
}

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
        Ok(Self(load(file).map_err(anyhow::Error::msg)?))
    }

    /// The first platform of our name, which is what most programs use.
    ///
    /// # Errors
    /// The loader has none.
    pub fn our_platform(&self) -> Result<cl_platform_id> {
        for platform in self.platforms()? {
            if self.platform_name(platform)? == NAME {
                return Ok(platform);
            }
        }
        bail!("the loader has no platform {NAME}: `mocl3 doctor` says why")
    }

    /// A platform's name.
    ///
    /// # Errors
    /// The query fails.
    pub fn platform_name(&self, platform: cl_platform_id) -> Result<String> {
        self.text::<cl_platform_id>(c"clGetPlatformInfo", platform, CL_PLATFORM_NAME)
    }

    /// All platforms.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn platforms(&self) -> Result<Vec<cl_platform_id>> {
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

    /// The devices of a platform.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn devices(&self, platform: cl_platform_id) -> Result<Vec<cl_device_id>> {
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

    /// The text that a query function, such as `clGetDeviceInfo`, returns.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn text<H: Copy>(&self, function: &CStr, handle: H, query: u32) -> Result<String> {
        // SAFETY: both query functions have that type.
        let get: Symbol<Query<H>> = unsafe { self.0.get(function) }?;
        queried(
            // SAFETY: memory of that size.
            |size, to, needed| unsafe { get(handle, query, size, to, needed) },
            &function.to_string_lossy(),
        )
    }

    /// A context of one device.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn context(&self, device: cl_device_id) -> Result<cl_context> {
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

    /// An in-order queue.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn queue(&self, context: cl_context, device: cl_device_id) -> Result<cl_command_queue> {
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

    /// A buffer with these contents.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn buffer(&self, context: cl_context, contents: &[u8]) -> Result<cl_mem> {
        let create = function!(
            self,
            clCreateBuffer
                as unsafe extern "C" fn(cl_context, u64, usize, *mut c_void, *mut cl_int) -> cl_mem
        );
        let (flags, size) = (CL_MEM_COPY_HOST_PTR, contents.len());
        let host = contents.as_ptr().cast_mut().cast();
        created(
            // SAFETY: the contents have that size and are only read.
            |code| unsafe { create(context, flags, size, host, code) },
            "clCreateBuffer",
        )
    }

    /// The number that a query of 4 bytes returns.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn number<H: Copy>(&self, function: &CStr, handle: H, query: u32) -> Result<u32> {
        // SAFETY: query functions have that type.
        let get: Symbol<Query<H>> = unsafe { self.0.get(function) }?;
        let mut number = 0u32;
        // SAFETY: the value has the size given.
        let code = unsafe { get(handle, query, 4, (&raw mut number).cast(), null_mut()) };
        check(code, &function.to_string_lossy())?;
        Ok(number)
    }

    /// The bits that a query of 8 bytes returns.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn bits<H: Copy>(&self, function: &CStr, handle: H, query: u32) -> Result<cl_bitfield> {
        // SAFETY: query functions have that type.
        let get: Symbol<Query<H>> = unsafe { self.0.get(function) }?;
        let mut bits = 0;
        // SAFETY: the value has the size given.
        let code = unsafe { get(handle, query, 8, (&raw mut bits).cast(), null_mut()) };
        check(code, &function.to_string_lossy())?;
        Ok(bits)
    }

    /// Waits for all commands of a queue.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn finish(&self, queue: cl_command_queue) -> Result<()> {
        let finish = function!(
            self,
            clFinish as unsafe extern "C" fn(cl_command_queue) -> cl_int
        );
        // SAFETY: a valid handle.
        check(unsafe { finish(queue) }, "clFinish")
    }

    /// Reads the begin of a buffer, after all commands before.
    ///
    /// # Errors
    /// The error code of the function.
    pub fn read(&self, queue: cl_command_queue, buffer: cl_mem, to: &mut [u8]) -> Result<()> {
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
        let (size, to) = (to.len(), to.as_mut_ptr().cast());
        // SAFETY: the memory has that size, and the call blocks.
        let code = unsafe { read(queue, buffer, CL_TRUE, 0, size, to, 0, null(), null_mut()) };
        check(code, "clEnqueueReadBuffer")
    }
}

/// The text of a query, whose size is queried before.
fn queried(get: impl Fn(usize, *mut c_void, *mut usize) -> cl_int, what: &str) -> Result<String> {
    let mut needed = 0;
    check(get(0, null_mut(), &mut needed), what)?;
    let mut text = vec![0u8; needed];
    check(get(text.len(), text.as_mut_ptr().cast(), null_mut()), what)?;
    let text = CStr::from_bytes_until_nul(&text).map_err(|_| anyhow!("{what}: no text"))?;
    Ok(text.to_string_lossy().into_owned())
}
