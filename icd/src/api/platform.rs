//! Platforms, one per node (OpenCL 1.2, section 4.1).

use crate::abi::entry_point::Call;
use crate::abi::extension_constants::{
    CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR, CL_PLATFORM_ICD_SUFFIX_KHR,
    CL_PLATFORM_NUMERIC_VERSION_KHR,
};
use crate::abi::function_table::call::{
    clGetPlatformIDs, clGetPlatformInfo, clIcdGetPlatformIDsKHR, clUnloadCompiler,
    clUnloadPlatformCompiler,
};
use crate::abi::handle;
use crate::abi::host_memory::Out;
use crate::api::info::{Destination, unknown_query};
use crate::api::version;
use crate::fault;
use cl_sys::{
    CL_PLATFORM_EXTENSIONS, CL_PLATFORM_NAME, CL_PLATFORM_PROFILE, CL_PLATFORM_VENDOR,
    CL_PLATFORM_VERSION, cl_platform_id, cl_uint,
};
use runtime::device::extension;
use runtime::error::{Code, Error, Result};

/// The node of a platform.
///
/// # Errors
/// `InvalidPlatform`.
pub fn node(handle: cl_platform_id) -> Result<usize> {
    handle::node_of_platform(handle)
        .ok_or_else(|| Error::new(Code::InvalidPlatform, "no platform of this library"))
}

/// As `node`, for functions that leave the meaning of null to us: the first platform.
///
/// # Errors
/// `InvalidPlatform`.
pub fn node_or_first(handle: cl_platform_id) -> Result<usize> {
    match handle.is_null() {
        true => Ok(0),
        false => node(handle),
    }
}

/// Checks the arguments of a query for a list and its length.
///
/// # Errors
/// `InvalidValue`: a list of no entries, or both pointers are null.
pub fn check_list<T>(num_entries: cl_uint, list: Out<T>, count: Out<cl_uint>) -> Result<()> {
    let sentence = match (list.is_null(), count.is_null()) {
        (true, true) => "both the list and its length are NULL",
        (false, _) if num_entries == 0 => "num_entries is 0 but the list is not NULL",
        _ => return Ok(()),
    };
    Err(Error::new(Code::InvalidValue, sentence))
}

fn platforms(
    num_entries: cl_uint,
    platforms: Out<cl_platform_id>,
    num_platforms: Out<cl_uint>,
) -> Result<()> {
    logging::initialise();
    check_list(num_entries, platforms, num_platforms)?;
    let all = handle::platforms();
    num_platforms.set(all.len() as cl_uint);
    platforms.set_elements(all.take(num_entries as usize));
    Ok(())
}

impl Call for clGetPlatformIDs {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        platforms(self.num_entries, self.platforms, self.num_platforms)
    }
}

impl Call for clIcdGetPlatformIDsKHR {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        platforms(self.num_entries, self.platforms, self.num_platforms)
    }
}

impl Call for clGetPlatformInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let node = node_or_first(self.platform)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_PLATFORM_PROFILE => destination.write("FULL_PROFILE"),
            CL_PLATFORM_VERSION => destination.write(
                fault::platform_version()
                    .unwrap_or(concat!("OpenCL 1.2 MOCL3 ", env!("CARGO_PKG_VERSION"))),
            ),
            CL_PLATFORM_NAME => destination.write(runtime::device::platform::name(node).as_str()),
            CL_PLATFORM_ICD_SUFFIX_KHR => destination.write("MOCL3"),
            CL_PLATFORM_VENDOR => destination.write("MOCL3 project"),
            CL_PLATFORM_EXTENSIONS => {
                destination.write(extension::names(&extension::of_platform()))
            }
            CL_PLATFORM_NUMERIC_VERSION_KHR => destination.write(version::OPENCL),
            CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR => {
                destination.write(version::names(&extension::of_platform()))
            }
            other => unknown_query(other),
        }
    }
}

// A compiler that stays loaded is what the specification allows: it is a hint.
impl Call for clUnloadPlatformCompiler {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        node(self.platform).map(|_| ())
    }
}

impl Call for clUnloadCompiler {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        Ok(())
    }
}
