//! The functions under test: the loader's symbols, and the platform's own addresses, to which
//! handles can be passed that would crash the loader.

use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::ffi::{CString, c_char, c_void};

/// All functions of OpenCL 1.2 (without those of section 9 that share objects with
/// graphics interfaces).
pub const CORE: &[&str] = &[
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clCreateSubDevices",
    "clRetainDevice",
    "clReleaseDevice",
    "clCreateContext",
    "clCreateContextFromType",
    "clRetainContext",
    "clReleaseContext",
    "clGetContextInfo",
    "clCreateCommandQueue",
    "clRetainCommandQueue",
    "clReleaseCommandQueue",
    "clGetCommandQueueInfo",
    "clCreateBuffer",
    "clCreateSubBuffer",
    "clCreateImage",
    "clCreateImage2D",
    "clCreateImage3D",
    "clRetainMemObject",
    "clReleaseMemObject",
    "clGetSupportedImageFormats",
    "clGetMemObjectInfo",
    "clGetImageInfo",
    "clSetMemObjectDestructorCallback",
    "clCreateSampler",
    "clRetainSampler",
    "clReleaseSampler",
    "clGetSamplerInfo",
    "clCreateProgramWithSource",
    "clCreateProgramWithBinary",
    "clCreateProgramWithBuiltInKernels",
    "clRetainProgram",
    "clReleaseProgram",
    "clBuildProgram",
    "clCompileProgram",
    "clLinkProgram",
    "clUnloadPlatformCompiler",
    "clUnloadCompiler",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clCreateKernel",
    "clCreateKernelsInProgram",
    "clRetainKernel",
    "clReleaseKernel",
    "clSetKernelArg",
    "clGetKernelInfo",
    "clGetKernelArgInfo",
    "clGetKernelWorkGroupInfo",
    "clWaitForEvents",
    "clGetEventInfo",
    "clCreateUserEvent",
    "clRetainEvent",
    "clReleaseEvent",
    "clSetUserEventStatus",
    "clSetEventCallback",
    "clGetEventProfilingInfo",
    "clFlush",
    "clFinish",
    "clEnqueueReadBuffer",
    "clEnqueueReadBufferRect",
    "clEnqueueWriteBuffer",
    "clEnqueueWriteBufferRect",
    "clEnqueueFillBuffer",
    "clEnqueueCopyBuffer",
    "clEnqueueCopyBufferRect",
    "clEnqueueReadImage",
    "clEnqueueWriteImage",
    "clEnqueueFillImage",
    "clEnqueueCopyImage",
    "clEnqueueCopyImageToBuffer",
    "clEnqueueCopyBufferToImage",
    "clEnqueueMapBuffer",
    "clEnqueueMapImage",
    "clEnqueueUnmapMemObject",
    "clEnqueueMigrateMemObjects",
    "clEnqueueNDRangeKernel",
    "clEnqueueTask",
    "clEnqueueNativeKernel",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueBarrierWithWaitList",
    "clEnqueueMarker",
    "clEnqueueWaitForEvents",
    "clEnqueueBarrier",
    "clGetExtensionFunctionAddressForPlatform",
    "clGetExtensionFunctionAddress",
];

/// Functions of extensions, which only the platform itself has.
pub const EXTENSIONS: &[&str] = &[
    "clIcdGetPlatformIDsKHR",
    "clCreateCommandQueueWithPropertiesKHR",
    "clGetKernelSuggestedLocalWorkSizeKHR",
    "clTerminateContextKHR",
];

/// Maximum number of arguments of the functions.
pub const MOST_ARGUMENTS: usize = 14;

/// The path of a call to the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPoint {
    /// Through `libOpenCL.so.1`, which dereferences the first handle.
    Loader,
    /// Directly to the platform.
    Platform,
}

/// A function's addresses.
#[derive(Clone, Copy, Default)]
struct Addresses {
    loader: Option<Address>,
    platform: Option<Address>,
}

/// The address of a function of C.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Address(*const c_void);

impl Address {
    /// Calls it. All arguments of OpenCL's functions are integers or pointers, and so is
    /// what they return: in the calling convention of x86-64 each takes one place of 64
    /// bits, and a function does not look at places beyond its own.
    ///
    /// # Safety
    /// The arguments must be ones that the function can be called with.
    unsafe fn call(self, places: [u64; MOST_ARGUMENTS]) -> u64 {
        type Function = unsafe extern "C" fn(
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
            u64,
        ) -> u64;
        // SAFETY: the address is that of a function, which may be called so: see above.
        let function = unsafe { std::mem::transmute::<*const c_void, Function>(self.0) };
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = places;
        // SAFETY: the caller vouches for the arguments.
        unsafe { function(a, b, c, d, e, f, g, h, i, j, k, l, m, n) }
    }
}

/// All functions of a platform.
pub struct Functions(HashMap<&'static str, Addresses>);

impl Functions {
    /// The functions of the platform with this handle.
    ///
    /// # Errors
    /// The loader lacks a function, or the platform returns another address than the one in its
    /// dispatch table.
    pub fn load(platform: *mut c_void) -> Result<Self> {
        // SAFETY: the name ends with NUL; the loader is in the process already.
        let loader = unsafe { libc::dlopen(c"libOpenCL.so.1".as_ptr(), libc::RTLD_NOW) };
        if loader.is_null() {
            bail!("there is no libOpenCL.so.1");
        }
        let symbol = |name: &str| -> Result<Option<Address>> {
            let name = CString::new(name)?;
            // SAFETY: a library that is loaded, and a name that ends with NUL.
            let address = unsafe { libc::dlsym(loader, name.as_ptr()) };
            Ok((!address.is_null()).then_some(Address(address)))
        };
        let look_up = symbol("clGetExtensionFunctionAddressForPlatform")?
            .context("the loader has no clGetExtensionFunctionAddressForPlatform")?;
        // Number of entries of the dispatch table in cl_icd.h of OpenCL 1.2.
        const SLOTS: usize = 108;
        // SAFETY: the first word of a handle is the address of the dispatch table
        // (cl_khr_icd), which has at least these places.
        let table =
            unsafe { std::slice::from_raw_parts(*platform.cast::<*const Address>(), SLOTS) };
        let mut functions = HashMap::new();
        for &name in CORE.iter().chain(EXTENSIONS) {
            let is_core = CORE.contains(&name);
            let loader = if is_core { symbol(name)? } else { None };
            if is_core && loader.is_none() {
                bail!("the loader has no {name}");
            }
            let c_name = CString::new(name)?;
            let mut places = [0; MOST_ARGUMENTS];
            places[0] = platform as u64;
            places[1] = c_name.as_ptr() as *const c_char as u64;
            // SAFETY: a platform and a name.
            let address = unsafe { look_up.call(places) };
            let address = address as usize as *const c_void;
            let platform = (!address.is_null()).then_some(Address(address));
            if is_core && platform.is_some_and(|address| !table.contains(&address)) {
                bail!(
                    "the address that the platform gives for {name} is not in its dispatch table"
                );
            }
            functions.insert(name, Addresses { loader, platform });
        }
        Ok(Self(functions))
    }

    /// Whether the function has that entry point.
    pub fn has(&self, name: &str, entry_point: EntryPoint) -> bool {
        self.address(name, entry_point).is_some()
    }

    fn address(&self, name: &str, entry_point: EntryPoint) -> Option<Address> {
        let addresses = self.0.get(name)?;
        match entry_point {
            EntryPoint::Loader => addresses.loader,
            EntryPoint::Platform => addresses.platform,
        }
    }

    /// Calls a function; 0 if there is none of that name.
    ///
    /// # Safety
    /// The arguments must be such as the specification lets a host program pass, apart
    /// from handles, which may be anything if the entry point is `Platform`.
    pub unsafe fn call(
        &self,
        name: &str,
        entry_point: EntryPoint,
        places: [u64; MOST_ARGUMENTS],
    ) -> u64 {
        self.address(name, entry_point)
            // SAFETY: as the caller vouches.
            .map_or(0, |address| unsafe { address.call(places) })
    }
}
