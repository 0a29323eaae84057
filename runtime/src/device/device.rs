//! Devices: acceleration clusters of the machine, and sub-devices of some of their arrays.

use crate::device::partition::{self, AffinityDomain, Partition};
use crate::error::Result;
use crate::handle_slot::HandleSlot;
use device_sim::array_range::ArrayRange;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use host_exec::cluster_executor::ClusterExecutor;
use host_exec::error::ExecError;
use kernel_compiler::executable::Timed;
use std::sync::Arc;

/// The compiler's build; program binaries are read only by the build that wrote them.
pub use kernel_compiler::MAKER;

/// Capacity of the printf buffer, bytes (`CL_DEVICE_PRINTF_BUFFER_SIZE`).
pub const PRINTF_BUFFER_SIZE: usize = host_exec::printf_buffer::CAPACITY;

bitflags::bitflags! {
    /// `cl_device_type`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DeviceType: u64 {
        /// `CL_DEVICE_TYPE_DEFAULT`: selects the default device; no device reports it
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

/// A device or sub-device. Pointer identity is device identity.
pub struct Device {
    handle: HandleSlot,
    cluster: Arc<ClusterExecutor>,
    arrays: ArrayRange,
    device_type: DeviceType,
    origin: Option<Origin>,
}

/// The partition that created a sub-device.
struct Origin {
    parent: Arc<Device>,
    partition: Partition,
}

impl Device {
    pub(crate) fn open(
        machine: &Arc<Machine>,
        index: usize,
        device_type: DeviceType,
    ) -> std::result::Result<Self, ExecError> {
        let cluster = ClusterExecutor::open(machine, index)?;
        Ok(Self {
            handle: HandleSlot::default(),
            arrays: cluster.cluster().arrays(),
            cluster: Arc::new(cluster),
            device_type,
            origin: None,
        })
    }
    /// `clCreateSubDevices`: sub-devices with disjoint arrays.
    ///
    /// # Errors
    /// `InvalidValue`, `DevicePartitionFailed`, `InvalidDevicePartitionCount`.
    pub fn divide(self: &Arc<Self>, partition: &Partition) -> Result<Vec<Arc<Self>>> {
        let (parts, scheme) = partition.divide(self.arrays, self.machine())?;
        let sub_device = |arrays| {
            Arc::new(Self {
                handle: HandleSlot::default(),
                cluster: Arc::clone(&self.cluster),
                arrays,
                device_type: self.device_type,
                origin: Some(Origin {
                    parent: Arc::clone(self),
                    partition: scheme.clone(),
                }),
            })
        };
        Ok(parts.into_iter().map(sub_device).collect())
    }
    /// The parent of a sub-device; none for a root device.
    pub fn parent(&self) -> Option<&Arc<Self>> {
        self.origin.as_ref().map(|origin| &origin.parent)
    }
    /// The partition scheme that created it; none for a root device.
    pub fn partition(&self) -> Option<&Partition> {
        self.origin.as_ref().map(|origin| &origin.partition)
    }
    /// The device and its ancestors up to the root device.
    pub fn lineage(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |device| device.parent())
    }
    /// `CL_DEVICE_PARTITION_MAX_SUB_DEVICES`; 0 if it cannot be partitioned.
    pub fn max_sub_devices(&self) -> u32 {
        match self.compute_units() {
            1 => 0,
            units => units,
        }
    }
    /// Affinity domains that divide it into several sub-devices, the outermost first.
    pub fn affinity_domains(&self) -> Vec<AffinityDomain> {
        partition::affinity_domains(self.arrays, self.machine())
    }
    /// The arrays that execute its kernels.
    pub(crate) fn arrays(&self) -> ArrayRange {
        self.arrays
    }
    /// `CL_DEVICE_NAME`.
    pub fn name(&self) -> String {
        let (machine, cluster) = (&self.machine().name, self.index());
        format!("{machine} acceleration cluster {cluster}")
    }
    /// Index of the cluster in the machine.
    pub fn index(&self) -> usize {
        self.cluster.cluster().number()
    }
    /// The machine that the cluster belongs to.
    pub fn machine(&self) -> &Machine {
        self.cluster.cluster().machine()
    }
    /// The target of timed code.
    pub(crate) fn timed(&self) -> Timed {
        let machine = self.cluster.cluster().machine();
        Timed {
            machine: Arc::clone(machine),
            layout: CodeStackLayout::from_environment(&machine.layout),
        }
    }
    /// The executor of the cluster, which sub-devices share.
    pub(crate) fn cluster(&self) -> &Arc<ClusterExecutor> {
        &self.cluster
    }
    /// `CL_DEVICE_TYPE`: one bit. ACCELERATOR unless `MOCL3_DEVICE_TYPE` is `cpu` or `gpu`.
    /// Never DEFAULT: programs compare the type with `==`.
    pub fn device_type(&self) -> DeviceType {
        self.device_type
    }
    /// `CL_DEVICE_MAX_COMPUTE_UNITS`: the number of its arrays.
    pub fn compute_units(&self) -> u32 {
        self.arrays.count() as u32
    }
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`, work-items.
    pub fn max_work_group_size(&self) -> u64 {
        self.machine().open_cl.work_group_size.value
    }
    /// `CL_DEVICE_LOCAL_MEM_SIZE`, bytes.
    pub fn local_memory_size(&self) -> u64 {
        CodeStackLayout::from_environment(&self.machine().layout)
            .local_memory(&self.machine().memory)
    }
    /// Private memory of a work-group that has `local_memory` bytes of local memory, bytes.
    pub fn private_memory_size(&self, local_memory: u64) -> u64 {
        CodeStackLayout::from_environment(&self.machine().layout)
            .private_memory(&self.machine().memory, local_memory)
    }
    /// `CL_DEVICE_GLOBAL_MEM_SIZE`, bytes.
    pub fn global_memory_size(&self) -> u64 {
        self.machine().memory.ddr.size.value
    }
    /// `CL_DEVICE_IMAGE_PITCH_ALIGNMENT`, pixels.
    pub fn image_pitch_alignment(&self) -> u64 {
        self.machine().open_cl.images.pitch_alignment.value
    }
    /// `CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT`, pixels.
    pub fn image_base_address_alignment(&self) -> u64 {
        self.machine().open_cl.images.base_address_alignment.value
    }
    /// `CL_DEVICE_MAX_MEM_ALLOC_SIZE`, bytes.
    pub fn max_allocation_size(&self) -> u64 {
        self.machine().open_cl.largest_allocation.value
    }
}

impl crate::handle_slot::HasHandle for Device {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
