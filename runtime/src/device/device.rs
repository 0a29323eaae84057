//! Devices: acceleration clusters of the machine, sub-devices of some of their arrays, and the
//! accelerators of fixed functions as a custom device.

use crate::device::accelerators::Accelerators;
use crate::device::nodes;
use crate::device::partition::{self, AffinityDomain, Partition};
use crate::error::{Code, Error, Result};
use crate::handle_slot::HandleSlot;
use crate::time::prediction_mode::PredictionMode;
use device_sim::array_range::ArrayRange;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use device_sim::memory::Memory;
use device_sim::units::ClockRate;
use environment::RECORD_ALTERNATIVES;
use host_exec::cluster_executor::ClusterExecutor;
use host_exec::device_memory::DeviceMemory;
use host_exec::error::ExecError;
use kernel_compiler::executable::{Timed, TimedPurpose};
use once_cell::sync::Lazy;
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
    node: usize,
    machine: Arc<Machine>,
    /// The number of the cluster, or one that none has.
    index: usize,
    hardware: Hardware,
    /// Its global memory, which sub-devices share.
    memory: Arc<DeviceMemory>,
    device_type: DeviceType,
    origin: Option<Origin>,
}

/// What executes kernels.
enum Hardware {
    Cluster {
        cluster: Arc<ClusterExecutor>,
        arrays: ArrayRange,
    },
    Accelerators(Box<Accelerators>),
}

/// The partition that created a sub-device.
struct Origin {
    parent: Arc<Device>,
    partition: Partition,
}

impl Device {
    pub(crate) fn open(
        machine: &Arc<Machine>,
        node: usize,
        index: usize,
        device_type: DeviceType,
    ) -> std::result::Result<Self, ExecError> {
        let cluster = ClusterExecutor::open(machine, index)?;
        Ok(Self {
            handle: HandleSlot::default(),
            node,
            machine: Arc::clone(machine),
            index,
            memory: Arc::clone(cluster.memory()),
            hardware: Hardware::Cluster {
                arrays: cluster.cluster().arrays(),
                cluster: Arc::new(cluster),
            },
            device_type,
            origin: None,
        })
    }
    /// The custom device of a machine with accelerators, whose data are in the host's memory.
    pub(crate) fn custom(
        machine: &Arc<Machine>,
        node: usize,
        index: usize,
        accelerators: Accelerators,
    ) -> Self {
        // As much as a cluster has: the machine file has no number for the host.
        let memory = Memory::new("the host's memory", machine.memory.ddr.size.value);
        let alignment = machine.open_cl.base_alignment.value;
        Self {
            handle: HandleSlot::default(),
            node,
            machine: Arc::clone(machine),
            index,
            hardware: Hardware::Accelerators(Box::new(accelerators)),
            memory: Arc::new(DeviceMemory::new(&memory, alignment)),
            device_type: DeviceType::CUSTOM,
            origin: None,
        }
    }
    /// `clCreateSubDevices`: sub-devices with disjoint arrays.
    ///
    /// # Errors
    /// `InvalidValue`, `DevicePartitionFailed`, `InvalidDevicePartitionCount`.
    pub fn divide(self: &Arc<Self>, partition: &Partition) -> Result<Vec<Arc<Self>>> {
        let Hardware::Cluster { cluster, arrays } = &self.hardware else {
            return Err(Error::new(
                Code::DevicePartitionFailed,
                "a custom device cannot be divided",
            ));
        };
        let (parts, scheme) = partition.divide(*arrays, self.machine())?;
        let sub_device = |arrays| {
            Arc::new(Self {
                handle: HandleSlot::default(),
                node: self.node,
                machine: Arc::clone(&self.machine),
                index: self.index,
                hardware: Hardware::Cluster {
                    cluster: Arc::clone(cluster),
                    arrays,
                },
                memory: Arc::clone(&self.memory),
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
            _ if self.accelerators().is_some() => 0,
            units => units,
        }
    }
    /// Affinity domains that divide it into several sub-devices, the outermost first.
    pub fn affinity_domains(&self) -> Vec<AffinityDomain> {
        match &self.hardware {
            Hardware::Cluster { arrays, .. } => partition::affinity_domains(*arrays, &self.machine),
            Hardware::Accelerators(_) => Vec::new(),
        }
    }
    /// The arrays that execute its kernels, or the accelerators.
    pub(crate) fn arrays(&self) -> ArrayRange {
        match &self.hardware {
            Hardware::Cluster { arrays, .. } => *arrays,
            Hardware::Accelerators(accelerators) => ArrayRange::all(accelerators.units()),
        }
    }
    /// Its accelerators; none of a cluster.
    pub fn accelerators(&self) -> Option<&Accelerators> {
        match &self.hardware {
            Hardware::Cluster { .. } => None,
            Hardware::Accelerators(accelerators) => Some(accelerators.as_ref()),
        }
    }
    /// Whether it compiles and links programs (`CL_DEVICE_COMPILER_AVAILABLE`), and executes native
    /// kernels.
    pub fn is_programmable(&self) -> bool {
        self.accelerators().is_none()
    }
    /// `CL_DEVICE_IMAGE_SUPPORT`.
    pub fn supports_images(&self) -> bool {
        self.is_programmable()
    }
    /// Cycles per second of what executes its kernels.
    pub fn clock(&self) -> ClockRate {
        match &self.hardware {
            Hardware::Cluster { .. } => self.machine.clock(),
            Hardware::Accelerators(accelerators) => accelerators.clock(),
        }
    }
    /// `CL_DEVICE_NAME`; it names the node if there are several.
    pub fn name(&self) -> String {
        let (machine, cluster) = (&self.machine().name, self.index);
        let node = match nodes::count() {
            1 => String::new(),
            _ => format!("node {} ", self.node),
        };
        match &self.hardware {
            Hardware::Cluster { .. } => format!("{machine} {node}acceleration cluster {cluster}"),
            Hardware::Accelerators(_) => format!("{machine} {node}accelerators of fixed functions"),
        }
    }
    /// Number of the node that it is part of, and of its platform.
    pub fn node(&self) -> usize {
        self.node
    }
    /// Its place among the platform's devices; of a cluster, the number in the machine. Sub-devices have
    /// their parent's.
    pub fn index(&self) -> usize {
        self.index
    }
    /// The machine that it is part of.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }
    /// The target of timed code.
    pub(crate) fn timed(&self) -> Timed {
        Timed {
            machine: Arc::clone(&self.machine),
            layout: CodeStackLayout::from_environment(&self.machine.layout),
            purpose: timed_purpose(),
        }
    }
    /// The executor of the cluster, which sub-devices share; none of a custom device.
    pub(crate) fn cluster(&self) -> Option<&Arc<ClusterExecutor>> {
        match &self.hardware {
            Hardware::Cluster { cluster, .. } => Some(cluster),
            Hardware::Accelerators(_) => None,
        }
    }
    /// Its global memory, which sub-devices share.
    pub(crate) fn memory(&self) -> &Arc<DeviceMemory> {
        &self.memory
    }
    /// `CL_DEVICE_TYPE`: one bit. Of clusters ACCELERATOR, unless `MOCL3_DEVICE_TYPE` is `cpu` or `gpu`.
    /// Never DEFAULT: programs compare the type with `==`.
    pub fn device_type(&self) -> DeviceType {
        self.device_type
    }
    /// `CL_DEVICE_MAX_COMPUTE_UNITS`: the number of its arrays or accelerators.
    pub fn compute_units(&self) -> u32 {
        self.arrays().count() as u32
    }
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`, work-items.
    pub fn max_work_group_size(&self) -> u64 {
        match self.is_programmable() {
            true => self.machine().open_cl.work_group_size.value,
            false => 1,
        }
    }
    /// `CL_DEVICE_LOCAL_MEM_SIZE`, bytes.
    pub fn local_memory_size(&self) -> u64 {
        if !self.is_programmable() {
            return 0;
        }
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
/// What timed code of this process is for (`MOCL3_PREDICT`, `MOCL3_RECORD_ALTERNATIVES`).
fn timed_purpose() -> TimedPurpose {
    static WANTED: Lazy<TimedPurpose> = Lazy::new(|| {
        if PredictionMode::get() != PredictionMode::Off {
            TimedPurpose::Prediction
        } else if RECORD_ALTERNATIVES.is_one() {
            TimedPurpose::Advice
        } else {
            TimedPurpose::Execution
        }
    });
    *WANTED
}
