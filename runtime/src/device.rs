//! A device: an acceleration cluster of the machine.

use crate::client::ClientSlot;
use device_sim::machine::Machine;

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
}

impl Device {
    /// Number of the cluster, from 0.
    pub fn index(&self) -> usize {
        todo!()
    }
    /// The machine it is part of; device queries are answered from it.
    pub fn machine(&self) -> &Machine {
        todo!()
    }
    /// ACCELERATOR unless `MOCL3_DEVICE_TYPE` says `cpu` or `gpu`; DEFAULT is added to cluster 0.
    pub fn device_type(&self) -> DeviceType {
        todo!()
    }
    /// Acceleration arrays the device uses.
    pub fn compute_units(&self) -> u32 {
        todo!()
    }
    /// Most work-items of a work-group.
    pub fn max_work_group_size(&self) -> u64 {
        todo!()
    }
    /// Bytes of local memory of a work-group.
    pub fn local_memory_size(&self) -> u64 {
        todo!()
    }
    /// Bytes of global memory.
    pub fn global_memory_size(&self) -> u64 {
        todo!()
    }
    /// Largest buffer, bytes.
    pub fn max_allocation_size(&self) -> u64 {
        todo!()
    }
}

impl crate::client::ClientObject for Device {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
