//! The interface between compiled kernels and the executor: one call of a work-group function
//! executes all work-items of one work-group.

use std::ffi::c_void;

/// The index space of a launch, as compiled code reads it. Unused dimensions have
/// size 1, count 1 and offset 0. OpenCL 1.2, section 3.2.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NdRange {
    /// Number of dimensions the host gave: 1, 2 or 3.
    pub work_dimensions: u64,
    /// First global id of each dimension.
    pub global_offset: [u64; 3],
    /// Work-items in each dimension.
    pub global_size: [u64; 3],
    /// Work-items of a work-group in each dimension; divides `global_size`.
    pub local_size: [u64; 3],
    /// Work-groups in each dimension.
    pub group_count: [u64; 3],
}

impl NdRange {
    /// Work-items in one work-group.
    pub fn work_items_per_group(&self) -> u64 {
        self.local_size.iter().product()
    }

    /// Work-groups in all dimensions.
    pub fn groups(&self) -> u64 {
        self.group_count.iter().product()
    }
}

/// The group that a work-group function executes. Compiled code reads the fields by their offsets,
/// so the layout is C's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WorkGroupContext {
    /// The index space of the launch.
    pub nd_range: NdRange,
    /// Group id in each dimension.
    pub group_id: [u64; 3],
    /// Base of the array's scratchpad part that holds local memory, aligned to 128 bytes.
    pub local_memory: *mut u8,
    /// Storage for private data that live across barriers, aligned to 128 bytes; its size is
    /// `WorkGroupCode::private_bytes` for the local size.
    pub private_memory: *mut u8,
    /// Where timed code stores its counters, before calls of the recorder and at its end; unused by
    /// untimed code.
    pub counters: *mut u64,
    /// The recorder that timed code passes to the functions that record events; unused by untimed
    /// code.
    pub recorder: *mut c_void,
    /// What checked code may access of each argument, `ArgumentBounds`; unused by other code.
    pub argument_bounds: *const c_void,
    /// The launch's `MemoryChecker`, if its accesses are checked, or null.
    pub checker: *const c_void,
    /// The launch's `BarrierChecker`, if its barriers are checked, or null.
    pub barrier_checker: *const c_void,
    /// The launch's `RaceChecker`, if its races are checked, or null.
    pub race_checker: *const c_void,
    /// The launch's `DmaChecker`, if its transfers are checked, or null.
    pub dma_checker: *const c_void,
    /// `WatchedMemory` of the thread, if transfers are checked.
    pub watched_memory: *const c_void,
    /// Size of local memory in bytes.
    pub local_memory_bytes: u64,
    /// Where timed code records what the group loads, a `FootprintRecorder`; null if it does not.
    pub footprints: *mut c_void,
    /// 0 for streaming stores, 1 for ordinary ones, where untimed code has both.
    pub ordinary_stores: u64,
}

impl WorkGroupContext {
    /// The global id of the work-item with this local id.
    pub fn global_id(&self, local_id: [u64; 3]) -> [u64; 3] {
        let nd_range = &self.nd_range;
        [0, 1, 2].map(|d| {
            nd_range.global_offset[d] + self.group_id[d] * nd_range.local_size[d] + local_id[d]
        })
    }
}

/// A compiled kernel: runs all work-items of one group.
///
/// `arguments` points to the kernel's argument block (aligned to 128 bytes), laid
/// out as `KernelArgument::offset` says.
pub type WorkGroupFunction =
    unsafe extern "C" fn(arguments: *const u8, context: *const WorkGroupContext);
