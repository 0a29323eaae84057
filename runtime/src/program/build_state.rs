//! The state of a program's builds.

use crate::device::Device;
use crate::program::built_in::KernelCode;
use crate::program::product::Product;
use kernel_compiler::{BuildFailure, BuildInput};
use std::sync::Arc;

/// `CL_PROGRAM_BUILD_STATUS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum BuildStatus {
    /// `CL_BUILD_SUCCESS`
    Success = 0,
    /// `CL_BUILD_NONE`
    None = -1,
    /// `CL_BUILD_ERROR`
    Error = -2,
    /// `CL_BUILD_IN_PROGRESS`
    InProgress = -3,
}

/// The build of a program for one device.
pub(super) struct DeviceBuild {
    pub(super) status: BuildStatus,
    pub(super) options: String,
    pub(super) log: String,
    pub(super) product: Product,
    /// The binary that the program was created with.
    pub(super) given: Product,
    /// What the product, or that binary, was built of, if it is known.
    pub(super) input: Option<Arc<BuildInput>>,
}

impl DeviceBuild {
    pub(super) fn new(given: Product, input: Option<Arc<BuildInput>>) -> Self {
        Self {
            status: BuildStatus::None,
            options: String::new(),
            log: String::new(),
            product: Product::None,
            given,
            input,
        }
    }

    /// Whether the device has a binary or a build of its own, instead of its parent's.
    pub(super) fn is_begun(&self) -> bool {
        self.status != BuildStatus::None || !matches!(self.given, Product::None)
    }

    pub(super) fn in_progress(&self) -> bool {
        self.status == BuildStatus::InProgress
    }

    /// The product of the last build; before a build, the binary given by the host program.
    pub(super) fn held(&self) -> &Product {
        match self.product {
            Product::None => &self.given,
            _ => &self.product,
        }
    }
}

/// The mutable state of a program.
pub(super) struct BuildStates {
    /// One build per device, in the order of the program's `devices`.
    pub(super) builds: Vec<DeviceBuild>,
    /// Number of kernel objects that use the builds.
    pub(super) kernel_objects: usize,
}

/// The product of a build, with the log.
pub(super) type BuildOutcome = std::result::Result<(Product, String), BuildFailure>;

impl BuildStates {
    /// The product, or the equal one of another device, so that native code is compiled once.
    pub(super) fn shared(&self, product: Product) -> Product {
        let Product::Executable(made) = &product else {
            return product;
        };
        let same = self.builds.iter().find_map(|build| match &build.product {
            Product::Executable(known) if known.is_same_as(made) => Some(Arc::clone(known)),
            _ => None,
        });
        same.map_or(product, Product::Executable)
    }

    /// The devices with an executable or built-in kernels.
    pub(super) fn executables(&self, devices: &[Arc<Device>]) -> Vec<(Arc<Device>, KernelCode)> {
        let with_code = |(device, build): (&Arc<Device>, &DeviceBuild)| {
            let product = match &build.given {
                Product::BuiltIn(_) => &build.given,
                _ => &build.product,
            };
            Some((Arc::clone(device), product.code()?))
        };
        devices
            .iter()
            .zip(&self.builds)
            .filter_map(with_code)
            .collect()
    }
}
