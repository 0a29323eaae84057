//! Handles that are released when dropped.

use anyhow::{Result, bail};
use cl_sys::{CL_SUCCESS, cl_int};

/// An OpenCL object, released when dropped.
pub struct Owned<H: Copy> {
    /// Its handle.
    pub handle: H,
    release: unsafe extern "system" fn(H) -> cl_int,
}

impl<H: Copy> Owned<H> {
    /// The object that `call` created.
    ///
    /// # Errors
    /// The call failed.
    pub fn new(
        call: &str,
        handle: H,
        code: cl_int,
        release: unsafe extern "system" fn(H) -> cl_int,
    ) -> Result<Self> {
        check(call, code)?;
        Ok(Self { handle, release })
    }
}

impl<H: Copy> Drop for Owned<H> {
    fn drop(&mut self) {
        // SAFETY: this is the only reference that the program holds.
        unsafe { (self.release)(self.handle) };
    }
}

/// The error of a call that failed.
///
/// # Errors
/// `code` is not `CL_SUCCESS`.
pub fn check(call: &str, code: cl_int) -> Result<()> {
    if code != CL_SUCCESS {
        bail!("{call} returned {code}");
    }
    Ok(())
}
