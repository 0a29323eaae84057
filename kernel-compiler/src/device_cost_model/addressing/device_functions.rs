//! The functions of hthreads that device C calls, as far as they cost something else than an unknown
//! function, or give memory.

use super::space::Space;
use crate::intrinsics::{
    AM_ADDRESS, END_VOLATILE, LANE_MASK, SET_LANE_MASK, SM_ADDRESS, THREAD_POINTER, VOLATILE,
    VOLATILE_WRITE,
};
use crate::ir::Value;
use device_sim::machine::SharedMemory;

/// What a function of hthreads does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceFunction {
    /// Gives a buffer in a memory.
    Allocation(Space),
    /// Gives an address in a memory that the program has as a number.
    Address(Space),
    /// Reads a number that the runtime keeps in SM, or moves one between units.
    Query,
    /// Starts a DMA transfer.
    Transfer,
    /// Waits for a DMA transfer, or reads its state.
    Wait,
    /// Meets other threads at a barrier unit; the pipeline runs empty before.
    Barrier,
    /// Sends a message to a lock. What it costs in addition is known when the program runs.
    Lock,
    /// Reads the clock.
    Clock,
    /// Writes the lane mask.
    LaneMask,
    /// Costs nothing: calls that the platform itself inserts.
    Mark,
}

/// By name.
const TABLE: &[(DeviceFunction, &[&str])] = &[
    (DeviceFunction::Allocation(Space::Am), &["vector_malloc"]),
    (DeviceFunction::Allocation(Space::Sm), &["scalar_malloc"]),
    (
        DeviceFunction::Allocation(Space::Outside(SharedMemory::Hbsm)),
        &["hbm_malloc"],
    ),
    (
        DeviceFunction::Allocation(Space::Outside(SharedMemory::Ddr)),
        &["malloc", "calloc", "realloc"],
    ),
    (
        DeviceFunction::Query,
        &[
            "get_group_size",
            "get_group_cores",
            "get_thread_id",
            "get_core_id",
            "__ht_to_svr",
            "__ht_from_svr",
            "__ht_set_svr",
            "__ht_get_svr",
            "prof_start",
            "prof_read",
            "prof_end",
        ],
    ),
    (
        DeviceFunction::Transfer,
        &[
            "vector_load",
            "vector_load_async",
            "vector_store",
            "vector_store_async",
            "scalar_load",
            "scalar_load_async",
            "scalar_store",
            "scalar_store_async",
            "dma_p2p",
            "dma_broadcast",
            "dma_segment",
            "dma_sg",
            "raw_dma_p2p",
            "raw_dma_broadcast",
            "raw_dma_segment",
            "raw_dma_sg",
            "dma_p2p_opt",
            "dma_sg_opt",
        ],
    ),
    (
        DeviceFunction::Wait,
        &[
            "dma_wait",
            "raw_dma_wait",
            "dma_wait_p2p",
            "dma_wait_sg",
            "dma_query",
        ],
    ),
    (
        DeviceFunction::Barrier,
        &["group_barrier", "core_barrier", "core_barrier_wait"],
    ),
    (
        DeviceFunction::Lock,
        &[
            "rwlock_try_rdlock",
            "rwlock_try_wrlock",
            "rwlock_rdlock",
            "rwlock_wrlock",
            "rwlock_unlock",
        ],
    ),
    (DeviceFunction::Clock, &["get_clk"]),
    (DeviceFunction::Address(Space::Am), &[AM_ADDRESS]),
    (DeviceFunction::Address(Space::Sm), &[SM_ADDRESS]),
    (DeviceFunction::LaneMask, &[SET_LANE_MASK]),
    (
        DeviceFunction::Mark,
        &[
            VOLATILE,
            VOLATILE_WRITE,
            END_VOLATILE,
            LANE_MASK,
            THREAD_POINTER,
        ],
    ),
];

/// The names of all.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|(_, names)| names.iter().copied())
}

impl DeviceFunction {
    /// The function that an instruction calls, if it is one of these.
    pub fn called(instruction: Value) -> Option<Self> {
        let function = instruction.called_function()?;
        if !function.is_declaration() {
            return None;
        }
        let name = function.name();
        let mut all = TABLE.iter();
        let (found, _) = all.find(|(_, names)| names.contains(&name.as_str()))?;
        Some(*found)
    }

    /// Whether it starts or waits for a DMA transfer.
    pub fn is_dma(self) -> bool {
        matches!(self, Self::Transfer | Self::Wait)
    }
}
