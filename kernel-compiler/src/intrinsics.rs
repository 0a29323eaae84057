//! Intrinsics: functions that the builtin library declares and the compiler lowers.

use crate::ir::Value;

/// Module metadata of programs that are compiled with `-cl-opt-disable`.
pub const DO_NOT_OPTIMISE: &str = "mocl3.do_not_optimise";

/// Module metadata of programs whose memory accesses are to be checked: they are optimised once
/// checks have been inserted.
pub const CHECKED: &str = "mocl3.checked";

/// The group barrier; its operand is the fence flags, as `barrier` has them.
pub const BARRIER: &str = "__mocl3_barrier";
/// A DMA transfer, done once for the group; gives its event.
pub const DMA_TRANSFER: &str = "__mocl3_dma_transfer";
/// Events whose transfers are waited for.
pub const WAIT_GROUP_EVENTS: &str = "__mocl3_wait_group_events";
/// The end of the transfers of an event, waited for once for the group; only timed code has it.
pub const DMA_WAIT: &str = "__mocl3_dma_wait";
/// In timed code, at the beginning of each region but the first.
pub const AT_BARRIER: &str = "__mocl3_at_barrier";
/// In timed code, in blocks that not all lanes run: the lanes that do.
pub const ACTIVE_LANES: &str = "__mocl3_active_lanes";
/// The same of if-converted code, which may be run without an active lane.
pub const PREDICATED_LANES: &str = "__mocl3_predicated_lanes";
/// What follows up to the next cut is done once for the group; made by the compiler itself.
pub const ONCE: &str = "__mocl3_once";
/// Base of local memory; made by the compiler itself.
pub const LOCAL_MEMORY: &str = "__mocl3_local_memory";
/// The descriptor of an image, in constant memory.
pub const IMAGE: &str = "__mocl3_image";
/// Of the argument of a number: its bytes, with twice the number, and with one more what may be done
/// with them. After all of them follow three lists with a
/// value for each argument and one for local memory: the distances in bytes from the memory to its
/// shadow, the places of the words of last writes, and of last reads
/// (`host_exec::memory_checker::ArgumentBounds`); then a zero. Only checked code has it.
pub const ARGUMENT_BYTES: &str = "__mocl3_argument_bytes";
/// The context of the work-group function. Only checked code has it.
pub const GROUP_CONTEXT: &str = "__mocl3_group_context";
/// Reports an access that is left out: the group's context, the numbers of site and object, the
/// offset in the object or else the address, bytes, and the local id. Only checked code has it.
pub const MEMORY_FINDING: &str = "__mocl3_memory_finding";
/// Whether an address leads to an object of the launch: the group's context, address, bytes, whether
/// it is of private memory. Only checked code has it.
pub const MEMORY_ALLOWS: &str = "__mocl3_memory_allows";
/// Marks a call of an image function in a program to be checked: the image, the sampler or null, the
/// form (`check::images`), and the bits of three coordinates.
pub const IMAGE_ACCESS: &str = "__mocl3_image_access";
/// Reports an access to an image: the group's context, the number of the site, the sampler's bits,
/// the bits of three coordinates, and the local id. Only checked code has it.
pub const IMAGE_FINDING: &str = "__mocl3_image_finding";
/// The arrival that all work-items of a group have stored, or that they differ: the group's context,
/// their arrivals, their number. `host_exec::barrier::arrivals` has their meaning.
pub const AGREED_ARRIVAL: &str = "__mocl3_agreed_arrival";
/// The arrival whose work-items run next, once they differ; arguments as those of [`AGREED_ARRIVAL`].
pub const NEXT_ARRIVAL: &str = "__mocl3_next_arrival";
/// Compares values of a work-item with those of the others of its group: the group's context, the
/// number of the call, the local id, the values. Only checked code has it.
pub const COMPARE: &str = "__mocl3_compare";
/// Reports a use of an undefined value: the group's context, the number of the use, and the local
/// id. Only checked code has it.
pub const UNDEFINED_FINDING: &str = "__mocl3_undefined_finding";
/// Marks memory as defined that code has written without knowing the object: the group's context,
/// address, bytes. Only checked code has it.
pub const DEFINED_MEMORY: &str = "__mocl3_defined_memory";
/// Reports a data race: the group's context, the numbers of site and object, the offset in the
/// object or else the address, bytes, the word of the earlier access, the bits of the value that is
/// written, and the local id. Only checked code has it.
pub const RACE_FINDING: &str = "__mocl3_race_finding";
/// Checks an access for data races: the group's context, the numbers of site and object, the offset
/// in the object or else the address, address, bytes, mode, phases, the bits of the value that is
/// written, and the local id
/// (`host_exec::races::access`). Only checked code has it.
pub const RACE_ACCESS: &str = "__mocl3_race_access";
/// The same of rows that a transfer accesses, with the stride after the address, and the number of
/// rows after their bytes; without the local id. Only checked code has it.
pub const RACE_ROWS: &str = "__mocl3_race_rows";
/// The transfer of definedness that goes with a DMA transfer. Only checked code has it.
pub const SHADOW_TRANSFER: &str = "__mocl3_shadow_transfer";
/// Checks an access of memory that pending transfers may access: the group's context, the numbers of
/// site and object, the offset in the object or else the address, address, bytes, whether it writes,
/// the bits of the value, and the local id. Only checked code has it.
pub const DMA_ACCESS: &str = "__mocl3_dma_access";
/// Says of the next transfer the numbers of its site and of the object that it writes. Only checked
/// code has it.
pub const NEXT_TRANSFER: &str = "__mocl3_next_transfer";
/// Prefix of all intrinsics.
pub const PREFIX: &str = "__mocl3_";

/// Called by device C before a volatile access of memory that other threads may access.
pub const VOLATILE: &str = "__ht_volatile";

/// Called before such an access that writes, with the bits of the value if 64 hold them.
pub const VOLATILE_WRITE: &str = "__ht_volatile_write";

/// Called after it.
pub const END_VOLATILE: &str = "__ht_end_volatile";

/// Called by device C where a function begins, with the bytes of its frame in SM and in AM.
pub const PUSH_FRAME: &str = "__ht_push_frame";

/// Called where it returns, with the same.
pub const POP_FRAME: &str = "__ht_pop_frame";

/// The address in AM of the thread's array that an offset has.
pub const AM_ADDRESS: &str = "__ht_am_address";

/// The same of SM.
pub const SM_ADDRESS: &str = "__ht_sm_address";

/// The same of a pointer that is an address of the machine in one of them.
pub const CORE_POINTER: &str = "__ht_core_pointer";

/// A pointer, in place of an address that the machine has in AM, SM or GSM.
pub const THREAD_POINTER: &str = "__ht_thread_pointer";

/// Sets the mask of the lanes that are enabled, bit i for lane i.
pub const SET_LANE_MASK: &str = "__ht_set_lane_mask";

/// Gives a thread the address of its lane mask, 16 bits.
pub const LANE_MASK: &str = "__ht_lane_mask";
/// Whether device code may make an access: the number of its site, the address, bytes, where its pointer
/// begins, the bytes of the variable there or 0, and whether the access is known to be within that block and
/// aligned; 1, or 0. Only checked code has it.
pub const CHECK_ACCESS: &str = "__ht_check_access";
/// The block of memory that an address is in: where it starts, and bytes, or 0, with [`SHARED_BLOCK`] if other
/// threads may access it. The answer holds while the second argument, the first word of [`CHECK_STATE`], is the
/// same. Only checked code has it.
pub const CHECK_BLOCK: &str = "__ht_check_block";
/// Reports a use of an undefined value: its number, an address in the buffer that it comes from, or null, and the
/// address that gets it, or null. That is no use unless the host program sees the memory there. Only checked code has it.
pub const CHECK_UNDEFINED: &str = "__ht_check_undefined";
/// Bytes at an address get the shadow at another one, or are defined if that is null. Only checked code has it.
pub const CHECK_MOVE: &str = "__ht_check_move";
/// The block at an address counts as written: a function that is not the image's own may write it. Only checked code
/// has it.
pub const CHECK_WRITTEN: &str = "__ht_check_written";
/// Words that are the thread's: a number that changes when it frees memory, and for which accesses
/// [`CHECK_ACCESS`] is called in any case ([`TRANSFERS_PENDING`], [`RACES_CHECKED`]). Only checked code has it.
pub const CHECK_STATE: &str = "__ht_check_state";
/// All accesses of memory that transfers may access.
pub const TRANSFERS_PENDING: u64 = 1;
/// Accesses of memory that other threads may access.
pub const RACES_CHECKED: u64 = 2;
/// The bit of a block's bytes that other threads may access.
pub const SHARED_BLOCK: u64 = 1 << 63;
/// Notes the site of a call that follows. Only checked device code has it.
pub const CHECK_CALL: &str = "__ht_check_call";

/// Whether an instruction is a collective operation, which the group performs once.
pub fn is_collective(instruction: Value) -> bool {
    [DMA_TRANSFER, DMA_WAIT, SHADOW_TRANSFER, NEXT_TRANSFER]
        .iter()
        .any(|name| instruction.calls(name))
}

/// Whether an instruction ends a region: a barrier, or a collective operation.
pub fn ends_region(instruction: Value) -> bool {
    instruction.calls(BARRIER) || is_collective(instruction)
}

/// A query of a work-item about itself or the index space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `get_work_dim`
    WorkDimensions,
    /// `get_global_id`
    GlobalId,
    /// `get_local_id`
    LocalId,
    /// `get_group_id`
    GroupId,
    /// `get_global_size`
    GlobalSize,
    /// `get_local_size`
    LocalSize,
    /// `get_num_groups`
    GroupCount,
    /// `get_global_offset`
    GlobalOffset,
    /// Base of local memory.
    LocalMemory,
    /// [`ARGUMENT_BYTES`]
    ArgumentBytes,
    /// [`GROUP_CONTEXT`]
    GroupContext,
}

impl Query {
    /// The query a function of that name is.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name.strip_prefix(PREFIX)? {
            "work_dim" => Self::WorkDimensions,
            "global_id" => Self::GlobalId,
            "local_id" => Self::LocalId,
            "group_id" => Self::GroupId,
            "global_size" => Self::GlobalSize,
            "local_size" => Self::LocalSize,
            "num_groups" => Self::GroupCount,
            "global_offset" => Self::GlobalOffset,
            "local_memory" => Self::LocalMemory,
            "argument_bytes" => Self::ArgumentBytes,
            "group_context" => Self::GroupContext,
            _ => return None,
        })
    }
}

/// Clang's numbers of OpenCL's address spaces (`-ffake-address-space-map`).
pub mod address_space {
    /// `__private`
    pub const PRIVATE: u32 = 0;
    /// `__global`
    pub const GLOBAL: u32 = 1;
    /// `__constant`
    pub const CONSTANT: u32 = 2;
    /// `__local`
    pub const LOCAL: u32 = 3;
}
