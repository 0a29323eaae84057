//! A device: an acceleration cluster of the machine.

use crate::client::ClientSlot;
use device_sim::machine::Machine;
use hthreads::error::HthreadError;
use std::sync::Arc;

/// Extensions of OpenCL C that programs may use (`CL_DEVICE_EXTENSIONS`).
pub use kernel_compiler::EXTENSIONS;

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
