//! A device: an acceleration cluster of the machine.

use crate::client::ClientSlot;
use crate::image::ImageType;
use device_sim::machine::Machine;
use hthreads::error::HthreadError;
use std::sync::Arc;

/// The build of the compiler; no other reads its program binaries.
pub use kernel_compiler::MAKER;

/// Bytes that kernels print before any of it is shown (`CL_DEVICE_PRINTF_BUFFER_SIZE`).
pub const PRINTF_BUFFER_SIZE: usize = device_sim::output::CAPACITY;

bitflags::bitflags! {
    /// `cl_device_type`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DeviceType: u64 {
        /// `CL_DEVICE_TYPE_DEFAULT`
        const DEFAULT = 1;
        /// `CL_DEVICE_TYPE_CPU`
        const CPU = 2;
        /// `CL_DEVICE_TYPE_GPU`
        const GPU = 4;
        /// `CL_DEVICE_TYPE_ACCELERATOR`
        const ACCELERATOR = 8;
        /// `CL_DEVICE_TYPE_CUSTOM`
        const CUSTOM = 16;
    }
}

/// A cluster as OpenCL sees it. Pointer identity is device identity.
pub struct Device {
    client: ClientSlot,
    cluster: hthreads::device::Device,
    device_type: DeviceType,
}

impl Device {
    pub(crate) fn open(
        machine: &Arc<Machine>,
        index: usize,
        device_type: DeviceType,
    ) -> Result<Self, HthreadError> {
        let first = if index == 0 {
            DeviceType::DEFAULT
        } else {
            DeviceType::empty()
        };
        Ok(Self {
            client: ClientSlot::default(),
            cluster: hthreads::device::Device::open(machine, index)?,
            device_type: device_type | first,
        })
    }
    /// Number of the cluster, from 0.
    pub fn index(&self) -> usize {
        self.cluster.cluster().number()
    }
    /// The machine it is part of; device queries are answered from it.
    pub fn machine(&self) -> &Machine {
        self.cluster.cluster().machine()
    }
    /// The opened cluster.
    pub(crate) fn cluster(&self) -> &hthreads::device::Device {
        &self.cluster
    }
    /// ACCELERATOR unless `MOCL3_DEVICE_TYPE` says `cpu` or `gpu`; DEFAULT is added to cluster 0.
    pub fn device_type(&self) -> DeviceType {
        self.device_type
    }
    /// Acceleration arrays the device uses.
    pub fn compute_units(&self) -> u32 {
        self.machine().clusters.arrays.value as u32
    }
    /// Most work-items of a work-group.
    pub fn max_work_group_size(&self) -> u64 {
        self.machine().open_cl.work_group_size.value
    }
    /// Bytes of local memory of a work-group.
    pub fn local_memory_size(&self) -> u64 {
        self.machine().memory.am.local_memory.value
    }
    /// Bytes of global memory.
    pub fn global_memory_size(&self) -> u64 {
        self.machine().memory.ddr.size.value
    }
    /// Most pixels, rows (or images of a 1D array) and slices (or images of a 2D array)
    /// that images of a type have.
    pub fn largest_image(&self, image_type: ImageType) -> [u64; 3] {
        let limits = &self.machine().open_cl.images;
        let [width, height, array] = [
            limits.width_2d.value,
            limits.height_2d.value,
            limits.array.value,
        ];
        match image_type {
            ImageType::Image1d => [width, 1, 1],
            ImageType::Image1dArray => [width, array, 1],
            ImageType::Image1dBuffer => [limits.buffer.value, 1, 1],
            ImageType::Image2d => [width, height, 1],
            ImageType::Image2dArray => [width, height, array],
            ImageType::Image3d => [
                limits.width_3d.value,
                limits.height_3d.value,
                limits.depth_3d.value,
            ],
        }
    }
    /// What the row pitch of a 2D image of a buffer is a multiple of, pixels.
    pub fn image_pitch_alignment(&self) -> u64 {
        self.machine().open_cl.images.pitch_alignment.value
    }
    /// What the address of host memory is a multiple of that is used by a buffer of which
    /// a 2D image is made, pixels.
    pub fn image_base_address_alignment(&self) -> u64 {
        self.machine().open_cl.images.base_address_alignment.value
    }
    /// Largest buffer, bytes.
    pub fn max_allocation_size(&self) -> u64 {
        self.machine().open_cl.largest_allocation.value
    }
}

impl crate::client::ClientObject for Device {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
