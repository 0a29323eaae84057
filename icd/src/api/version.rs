//! Versions as numbers, and with names (cl_khr_extended_versioning).

use crate::api::info::InfoValue;
use runtime::device::extension::Extension;

/// `CL_NAME_VERSION_MAX_NAME_SIZE_KHR`, with the final NUL.
const NAME_SIZE: usize = 64;

/// `cl_version_khr`: 10 bits of major, 10 of minor and 12 of patch version.
pub const fn version([major, minor, patch]: [u32; 3]) -> u32 {
    major << 22 | minor << 12 | patch
}

/// The version of OpenCL and of OpenCL C.
pub const OPENCL: u32 = version([1, 2, 0]);

/// `cl_name_version_khr`.
pub struct NameVersion {
    name: &'static str,
    version: u32,
}

impl NameVersion {
    /// Version 1.0.0 of something whose name is shorter than the extension's limit.
    pub fn first(name: &'static str) -> Self {
        Self {
            name,
            version: version([1, 0, 0]),
        }
    }
}

impl InfoValue for NameVersion {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        let mut bytes = [0; size_of::<u32>() + NAME_SIZE];
        let (version, name) = bytes.split_at_mut(size_of::<u32>());
        version.copy_from_slice(&self.version.to_ne_bytes());
        name[..self.name.len()].copy_from_slice(self.name.as_bytes());
        use_bytes(&bytes)
    }
}

/// `CL_…_EXTENSIONS_WITH_VERSION_KHR`.
pub fn names(extensions: &[Extension]) -> Vec<NameVersion> {
    let rows = extensions.iter().map(|extension| NameVersion {
        name: extension.name,
        version: version(extension.version),
    });
    rows.collect()
}
