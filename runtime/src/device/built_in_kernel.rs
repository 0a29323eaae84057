//! Built-in kernels of a device: functions of accelerators, or the vendor's library on clusters.

use super::accelerators::AcceleratorKernel;
use super::device::Device;
use built_in_kernels::Declaration;
use vendor_kernels::VendorKernel;

/// A built-in kernel of a device.
#[derive(Clone, Copy)]
pub(crate) enum BuiltInKernel<'a> {
    /// A function of accelerators.
    Accelerator(&'a AcceleratorKernel),
    /// A kernel of the vendor's library.
    Vendor(&'static VendorKernel),
}

impl<'a> BuiltInKernel<'a> {
    /// Those of a device in their order. Clusters have the library if their lanes hold doubles.
    pub fn of_device(device: &'a Device) -> impl Iterator<Item = Self> {
        let accelerators = device.accelerators();
        let functions = accelerators.map_or(&[][..], |accelerators| accelerators.kernels());
        let has_doubles = device.machine().array.lane_width.value >= u64::BITS.into();
        let library = match accelerators {
            None if has_doubles => vendor_kernels::all(),
            _ => &[],
        };
        let library = library.iter().map(Self::Vendor);
        functions.iter().map(Self::Accelerator).chain(library)
    }

    /// Its name and arguments.
    pub fn declaration(self) -> &'static Declaration {
        match self {
            Self::Accelerator(kernel) => kernel.function(),
            Self::Vendor(kernel) => kernel.declaration(),
        }
    }
}

impl Device {
    /// Its built-in kernels (`CL_DEVICE_BUILT_IN_KERNELS`).
    pub fn built_in_kernels(&self) -> Vec<&'static Declaration> {
        let kernels = BuiltInKernel::of_device(self);
        kernels.map(BuiltInKernel::declaration).collect()
    }
}
