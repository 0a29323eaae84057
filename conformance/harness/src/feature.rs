//! Optional features of devices.

/// A feature that OpenCL 1.2 leaves to the device or platform.
#[derive(Clone, Copy)]
pub enum Feature {
    /// `CL_DEVICE_IMAGE_SUPPORT`.
    Images,
    /// An extension by its name.
    Extension(&'static str),
    /// `CL_EXEC_NATIVE_KERNEL`.
    NativeKernels,
    /// At least this number of devices in the platform.
    Devices(usize),
    /// At least this number of compute units.
    ComputeUnits(u32),
    /// A device of the platform, custom ones included, has built-in kernels.
    BuiltInKernels,
    /// The platform has custom devices.
    CustomDevices,
    /// A buffer of at least this number of bytes (`CL_DEVICE_MAX_MEM_ALLOC_SIZE`).
    BufferBytes(u64),
}

/// The type `double`.
pub const DOUBLES: Feature = Feature::Extension("cl_khr_fp64");
/// The type `half`.
pub const HALVES: Feature = Feature::Extension("cl_khr_fp16");

impl Feature {
    /// Whether MOCL3 has it on machines with accelerators only.
    pub fn is_of_accelerators(self) -> bool {
        matches!(self, Self::BuiltInKernels | Self::CustomDevices)
    }

    /// The feature's name in reports.
    pub fn name(self) -> String {
        match self {
            Self::Images => "images".into(),
            Self::Extension(name) => name.into(),
            Self::NativeKernels => "native kernels".into(),
            Self::Devices(count) => format!("{count} devices"),
            Self::ComputeUnits(count) => format!("{count} compute units"),
            Self::BuiltInKernels => "built-in kernels".into(),
            Self::CustomDevices => "custom devices".into(),
            Self::BufferBytes(bytes) => format!("buffers of {bytes} bytes"),
        }
    }
}
