//! The host side of OpenCL that test programs need: a device with context and queue, typed buffers,
//! programs from source, launches with their arguments.
//!
//! Calls are safe for kernels that access their buffers only, as all kernels of the tests do.

mod argument;
mod buffer;
mod launch;
mod program;

use crate::feature::Feature;
use crate::platform;
use crate::random::Random;
use anyhow::Result;
pub use argument::{Argument, Float2, Float4, Local};
pub use buffer::Buffer;
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CUSTOM, CL_EXEC_NATIVE_KERNEL, Device};
use opencl3::platform::Platform;
use opencl3::types::cl_device_id;
pub use program::Program;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::ptr::null_mut;

/// A device with a context and an in-order queue.
pub struct Session {
    /// The device under test.
    pub device: Device,
    /// A context with this device, or with all devices of the platform ([`Session::on_all_devices`]).
    pub context: Context,
    /// An in-order queue on the device.
    pub queue: CommandQueue,
    settings: Settings,
}

/// The settings of a session.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Part of the platform's name or version, in any case.
    pub platform: String,
    /// Build options that all programs get, after their own.
    pub options: String,
    /// Seed of the cases' random input.
    pub seed: u64,
    /// A file to which the source of every program is added.
    pub sources: Option<PathBuf>,
}

impl Session {
    /// A session on the first device of a platform.
    ///
    /// # Errors
    /// No such platform, or no context or queue on its device.
    pub fn open(settings: &Settings) -> Result<Self> {
        let device = platform::first_device(&settings.platform)?;
        Self::with_devices(&[device.id()], settings)
    }

    /// A session whose context has all devices of the platform.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn on_all_devices(&self) -> Result<Self> {
        let devices = self.platform()?.get_devices(CL_DEVICE_TYPE_ALL)?;
        Self::with_devices(&devices, &self.settings)
    }

    /// Sessions on the platform's first device that has built-in kernels, and on its first custom device that
    /// has.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn on_built_in_kernels(&self) -> Result<Vec<Self>> {
        let devices = self.devices_with_built_in_kernels()?.into_iter();
        let sessions = devices.map(|device| Self::with_devices(&[device], &self.settings));
        sessions.collect()
    }

    fn devices_with_built_in_kernels(&self) -> Result<Vec<cl_device_id>> {
        let all = self.platform()?.get_devices(CL_DEVICE_TYPE_ALL)?;
        let mut found = Vec::new();
        for devices in [all, self.custom_devices()?] {
            for device in devices {
                if !Device::new(device).built_in_kernels()?.is_empty() {
                    found.push(device);
                    break;
                }
            }
        }
        Ok(found)
    }

    fn custom_devices(&self) -> Result<Vec<cl_device_id>> {
        // The loader returns an error if there is none.
        let found = self.platform()?.get_devices(CL_DEVICE_TYPE_CUSTOM);
        Ok(found.unwrap_or_default())
    }

    fn with_devices(devices: &[cl_device_id], settings: &Settings) -> Result<Self> {
        let context = Context::from_devices(devices, &[], None, null_mut())?;
        let queue = CommandQueue::create_default(&context, 0)?;
        Ok(Self {
            device: Device::new(context.default_device()),
            context,
            queue,
            settings: settings.clone(),
        })
    }

    /// The generator of random input. It is deterministic for a seed.
    pub fn random(&self) -> Random {
        Random::new(self.settings.seed)
    }

    /// Whether the device, or the platform, has a feature.
    ///
    /// # Errors
    /// `clGetDeviceInfo`'s.
    pub fn has(&self, feature: Feature) -> Result<bool> {
        Ok(match feature {
            Feature::Images => self.device.image_support()?,
            Feature::Extension(name) => {
                let extensions = self.device.extensions()?;
                extensions.split_whitespace().any(|has| has == name)
            }
            Feature::NativeKernels => {
                self.device.execution_capabilities()? & CL_EXEC_NATIVE_KERNEL != 0
            }
            Feature::Devices(count) => {
                self.platform()?.get_devices(CL_DEVICE_TYPE_ALL)?.len() >= count
            }
            Feature::ComputeUnits(count) => self.device.max_compute_units()? >= count,
            Feature::BuiltInKernels => !self.devices_with_built_in_kernels()?.is_empty(),
            Feature::CustomDevices => !self.custom_devices()?.is_empty(),
            Feature::BufferBytes(bytes) => self.device.max_mem_alloc_size()? >= bytes,
        })
    }

    /// Another queue, on one of the context's devices.
    ///
    /// # Errors
    /// `clCreateCommandQueue`'s.
    pub fn queue_on(&self, device: usize, properties: u64) -> Result<CommandQueue> {
        let device = self.context.devices()[device];
        // SAFETY: the device is the context's.
        Ok(unsafe { CommandQueue::create(&self.context, device, properties) }?)
    }

    fn platform(&self) -> Result<Platform> {
        Ok(Platform::new(
            self.device.platform()? as opencl3::types::cl_platform_id
        ))
    }

    /// `CL_PLATFORM_VERSION`
    ///
    /// # Errors
    /// `clGetDeviceInfo`'s and `clGetPlatformInfo`'s.
    pub fn platform_version(&self) -> Result<String> {
        Ok(self.platform()?.version()?)
    }

    /// The settings that the session was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Records the source of a program for the report of a failure.
    ///
    /// # Errors
    /// The file of sources cannot be written.
    pub fn show_source(&self, source: &str) -> Result<()> {
        if let Some(path) = &self.settings.sources {
            let mut file = File::options().append(true).create(true).open(path)?;
            writeln!(file, "{}", source.trim_end())?;
        }
        Ok(())
    }

    /// Drops the recorded sources, because their programs passed.
    ///
    /// # Errors
    /// The file of sources cannot be truncated.
    pub fn forget_sources(&self) -> Result<()> {
        if let Some(path) = &self.settings.sources {
            File::create(path)?;
        }
        Ok(())
    }
}
