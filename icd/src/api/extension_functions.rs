//! Addresses of functions by name (OpenCL 1.2, section 9.2; cl_khr_icd).

use crate::abi::entry_point::{Call, Status};
use crate::abi::function_table::FUNCTIONS;
use crate::abi::function_table::call::{
    clGetExtensionFunctionAddress, clGetExtensionFunctionAddressForPlatform,
};
use crate::abi::host_memory::In;
use crate::api::platform;
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

/// The implemented function of that name; null if there is none.
fn address(name: In<c_char>) -> *mut c_void {
    let name = name.text().unwrap_or_default();
    FUNCTIONS
        .iter()
        .find(|function| function.status == Status::Implemented && function.name.as_bytes() == name)
        .map_or(null_mut(), |function| function.address.0.cast_mut().cast())
}

impl Call for clGetExtensionFunctionAddress {
    type Output = *mut c_void;
    fn call(self) -> Self::Output {
        logging::initialise();
        address(self.function_name)
    }
}

impl Call for clGetExtensionFunctionAddressForPlatform {
    type Output = *mut c_void;
    fn call(self) -> Self::Output {
        match platform::node(self.platform) {
            Ok(_) => address(self.function_name),
            Err(error) => {
                log::debug!("clGetExtensionFunctionAddressForPlatform: {error}");
                null_mut()
            }
        }
    }
}
