//! Images that are loaded.

use crate::checking;
use crate::error::Error;
use crate::timed_launches::{self, ImageTiming};
use device_image::FormatError;
use device_sim::machine::Machine;
use kernel_compiler::BuildFailure;
use kernel_compiler::device_c::{self, Added, DeviceCode, NativeCode};
use std::borrow::Cow;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// The longest path that is kept (from the machine's own library).
const PATH_BYTES: usize = 1023;

/// An image.
pub struct Image {
    /// Its code.
    pub code: Arc<DeviceCode>,
    /// What its launches share.
    pub timing: Arc<ImageTiming>,
    /// Where it is from.
    pub path: CString,
}

/// Loads an image in a call of `function`; for simulated time on that machine, if the program is recorded.
///
/// # Errors
/// The file cannot be read, or is no image.
pub fn load(
    function: &'static str,
    path: &Path,
    machine: Option<&Arc<Machine>>,
) -> Result<Image, Error> {
    let owned = || path.to_owned();
    let bytes = std::fs::read(path).map_err(|error| Error::Read(function, owned(), error))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| FormatError::Format);
    let image = text.and_then(device_image::read);
    let image = image.map_err(|error| Error::Format(function, owned(), error))?;
    let timed = machine.and_then(timed_launches::timed);
    let checks = checking::selected();
    let is_checked = checks.are_in_code();
    let added = match &timed {
        Some(timed) => Added::Counts(timed),
        None if is_checked => Added::Checks {
            undefined: checks.uninitialised,
        },
        None => Added::Nothing,
    };
    let code = linked(&image.modules)
        .and_then(|bitcode| NativeCode::compile(&bitcode, added))
        .and_then(|code| code.load(&device_threads::host_functions(is_checked)))
        .map_err(|failure| Error::Compile(function, owned(), failure))?;
    let path = path.as_os_str().as_bytes();
    Ok(Image {
        code: Arc::new(code),
        timing: Arc::default(),
        path: CString::new(&path[..path.len().min(PATH_BYTES)]).unwrap_or_default(),
    })
}

/// The modules of an image as one.
fn linked(modules: &[Vec<u8>]) -> Result<Cow<'_, [u8]>, BuildFailure> {
    match modules {
        [one] => Ok(one.into()),
        several => {
            let several: Vec<&[u8]> = several.iter().map(Vec::as_slice).collect();
            device_c::link(&several).map(Cow::Owned)
        }
    }
}
