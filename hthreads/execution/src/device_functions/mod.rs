//! The functions that device code calls, under their C names and with their C types
//! (docs/hthreads.md).

mod addresses;
mod arithmetic;
mod buffers;
mod c_library;
mod checked_heap;
mod checks;
mod control;
mod events;
mod exchange_registers;
mod identity;
mod interrupts;
mod lane_mask;
mod output;
mod stack_frames;
mod synchronisation;
mod transfers;
mod vector_math;

pub use addresses::of_thread;
pub use lane_mask::ALL_LANES;

use crate::assembly;
use kernel_compiler::device_c::HostFunction;
use kernel_compiler::device_c::assembly::{EXECUTE, EXECUTE_STATEMENT};

macro_rules! functions {
    ($($module:ident: $($name:ident)*;)*) => {
        /// The functions with their addresses.
        fn own() -> Vec<HostFunction> {
            vec![$($((stringify!($name), $module::$name as *const () as usize),)*)*]
        }
    };
}

functions! {
    addresses: __ht_am_address __ht_sm_address __ht_core_pointer;
    identity: get_group_size get_group_cores get_thread_id get_core_id;
    buffers: vector_malloc vector_free get_am_free_space
        scalar_malloc scalar_free get_sm_free_space hbm_malloc hbm_free;
    transfers: vector_load vector_load_async vector_store vector_store_async
        scalar_load scalar_load_async scalar_store scalar_store_async
        dma_p2p dma_broadcast dma_segment dma_sg dma_wait dma_query dma_clear
        raw_dma_p2p raw_dma_broadcast raw_dma_segment raw_dma_sg raw_dma_wait
        dma_p2p_opt dma_wait_p2p dma_sg_opt dma_wait_sg set_prir;
    synchronisation: group_barrier core_barrier core_barrier_wait
        rwlock_try_rdlock rwlock_try_wrlock rwlock_rdlock rwlock_wrlock rwlock_unlock;
    checks: __ht_check_access __ht_check_block __ht_check_call __ht_check_state __ht_check_undefined
        __ht_check_shadow __ht_check_keeps __ht_check_move __ht_check_written;
    control: dsp_abort dsp_halt dsp_sleep __ht_misaligned __ht_volatile __ht_volatile_write __ht_end_volatile
        __ht_counters;
    exchange_registers: __ht_to_svr __ht_from_svr __ht_set_svr __ht_get_svr;
    events: prof_start prof_read prof_end;
    interrupts: intr_handler_register cpu_interrupt trigger_cpu;
    arithmetic: set_ecr clear_ecr set_sata_mode;
    lane_mask: __ht_set_lane_mask __ht_lane_mask;
    stack_frames: __ht_push_frame __ht_pop_frame;
    output: __ht_print __ht_assert_failed hthread_gettimeofday get_clk;
}

/// All functions that an image may call, with their addresses.
pub fn host_functions(is_checked: bool) -> Vec<HostFunction> {
    let mut all = own();
    let [call, statement] = [
        assembly::call as *const (),
        assembly::statement as *const (),
    ];
    all.push((EXECUTE, call as usize));
    all.push((EXECUTE_STATEMENT, statement as usize));
    all.extend(match is_checked {
        true => c_library::checked_functions(),
        false => c_library::functions(),
    });
    all.extend(vector_math::functions());
    all
}

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    host_functions(false).into_iter().map(|(name, _)| name)
}
