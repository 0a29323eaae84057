//! A device: an acceleration cluster of the machine, or some of its arrays.

use crate::device::partition::{self, AffinityDomain, Partition};
use crate::error::Result;
use crate::handle_slot::HandleSlot;
use crate::memory::image::ImageType;
use device_sim::array_range::ArrayRange;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use host_exec::error::ExecError;
use kernel_compiler::executable::Timed;
use std::sync::Arc;

/// The build of the compiler; no other reads its program binaries.
pub use kernel_compiler::MAKER;

/// Bytes that kernels print before any of it is shown (`CL_DEVICE_PRINTF_BUFFER_SIZE`).
pub const PRINTF_BUFFER_SIZE: usize = host_exec::printf_buffer::CAPACITY;

bitflags::bitflags! {
    /// `cl_device_type`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DeviceType: u64 {
        /// `CL_DEVICE_TYPE_DEFAULT`: selects a device of the platform; no device reports it
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

/// A cluster, or some of its arrays, as OpenCL sees it. Pointer identity is device
/// identity.
pub struct Device {
    handle: HandleSlot,
    cluster: Arc<host_exec::cluster_executor::ClusterExecutor>,
    arrays: ArrayRange,
    device_type: DeviceType,
    origin: Option<Origin>,
}

/// Where a sub-device is from.
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
        let cluster = host_exec::cluster_executor::ClusterExecutor::open(machine, index)?;
        Ok(Self {
            handle: HandleSlot::default(),
            arrays: cluster.cluster().arrays(),
            cluster: Arc::new(cluster),
            device_type,
            origin: None,
        })
    }
    /// `clCreateSubDevices`: sub-devices with arrays of their own each.
    ///
    /// # Errors
    /// `InvalidValue`, `DevicePartitionFailed`, `InvalidDevicePartitionCount`.
    pub fn divide(self: &Arc<Self>, partition: &Partition) -> Result<Vec<Arc<Self>>> {
        let (parts, scheme) = partition.divide(self)?;
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
    /// The device that a sub-device is a part of; none for a root device.
    pub fn parent(&self) -> Option<&Arc<Self>> {
        self.origin.as_ref().map(|origin| &origin.parent)
    }
    /// How the parent was divided; affinity domains by name. None for a root device.
    pub fn partition(&self) -> Option<&Partition> {
        self.origin.as_ref().map(|origin| &origin.partition)
    }
    /// The device, what it is a part of, and so on up to the root device.
    pub fn lineage(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |device| device.parent())
    }
    /// Most sub-devices that it can be divided into; 0 if it cannot.
    pub fn max_sub_devices(&self) -> u32 {
        match self.compute_units() {
            1 => 0,
            units => units,
        }
    }
    /// Affinity domains that divide it into several sub-devices, the outermost first.
    pub fn affinity_domains(&self) -> Vec<AffinityDomain> {
        partition::affinity_domains(self)
    }
    /// The arrays it runs kernels on.
    pub(crate) fn arrays(&self) -> ArrayRange {
        self.arrays
    }
    /// `CL_DEVICE_NAME`.
    pub fn name(&self) -> String {
        let (machine, cluster) = (&self.machine().name, self.index());
        format!("{machine} acceleration cluster {cluster}")
    }
    /// Number of the cluster, from 0.
    pub fn index(&self) -> usize {
        self.cluster.cluster().number()
    }
    /// The machine it is part of; device queries are answered from it.
    pub fn machine(&self) -> &Machine {
        self.cluster.cluster().machine()
    }
    /// What timed code for it is made for.
    pub(crate) fn timed(&self) -> Timed {
        let machine = self.cluster.cluster().machine();
        Timed {
            machine: Arc::clone(machine),
            layout: CodeStackLayout::from_environment(&machine.layout),
        }
    }
    /// The opened cluster, which sub-devices share.
    pub(crate) fn cluster(&self) -> &Arc<host_exec::cluster_executor::ClusterExecutor> {
        &self.cluster
    }
    /// `CL_DEVICE_TYPE`: one bit. ACCELERATOR unless `MOCL3_DEVICE_TYPE` is `cpu` or `gpu`.
    /// Never DEFAULT: programs compare the type with `==`.
    pub fn device_type(&self) -> DeviceType {
        self.device_type
    }
    /// Acceleration arrays the device uses.
    pub fn compute_units(&self) -> u32 {
        self.arrays.count() as u32
    }
    /// Most work-items of a work-group.
    pub fn max_work_group_size(&self) -> u64 {
        self.machine().open_cl.work_group_size.value
    }
    /// Bytes of local memory of a work-group.
    pub fn local_memory_size(&self) -> u64 {
        CodeStackLayout::from_environment(&self.machine().layout)
            .local_memory(&self.machine().memory)
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

impl crate::handle_slot::HasHandle for Device {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
