//! Versions as numbers, and with names (cl_khr_extended_versioning).

use crate::info::InfoValue;
use runtime::extension::Extension;

/// `CL_PLATFORM_NUMERIC_VERSION_KHR`
pub const CL_PLATFORM_NUMERIC_VERSION_KHR: u32 = 0x0906;
/// `CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR`
pub const CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR: u32 = 0x0907;
/// `CL_DEVICE_NUMERIC_VERSION_KHR`
pub const CL_DEVICE_NUMERIC_VERSION_KHR: u32 = 0x105E;
/// `CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR`
pub const CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: u32 = 0x105F;
/// `CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR`
pub const CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR: u32 = 0x1060;
/// `CL_DEVICE_ILS_WITH_VERSION_KHR`
pub const CL_DEVICE_ILS_WITH_VERSION_KHR: u32 = 0x1061;
/// `CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR`
pub const CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR: u32 = 0x1062;

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
