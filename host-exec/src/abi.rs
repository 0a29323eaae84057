//! The DMA functions that compiled kernels call, with the C interface that `kernel-compiler` emits
//! calls for. They differ in what they do besides the copy: nothing, a check, or a record for the
//! simulated time.

use crate::dma;
use crate::dma_checker::checker;
use device_sim::dma::Transfer;
use device_sim::timing::recorder_shard::GroupRecorder;
use std::ffi::c_void;

/// Defines functions that start a transfer. They have the same seven arguments after those named
/// here, and return the event that the transfer belongs to.
macro_rules! transfer_functions {
    ($($(#[$doc:meta])* fn $name:ident($($first:ident: $type:ty),*) |$transfer:ident| $body:block)*) => {$(
        $(#[$doc])*
        pub unsafe extern "C" fn $name(
            $($first: $type,)*
            destination: *mut u8,
            destination_stride: u64,
            source: *const u8,
            source_stride: u64,
            row_bytes: u64,
            rows: u64,
            event: *const c_void,
        ) -> *const c_void {
            let $transfer = Transfer {
                destination,
                destination_stride,
                source,
                source_stride,
                row_bytes,
                rows,
                event,
            };
            // SAFETY: the caller promises that all rows can be read and written.
            unsafe { dma::copy(&$transfer) };
            $body
        }
    )*};
}

transfer_functions! {
    /// Performs a transfer for untimed code. Its event is the one given, since it has ended.
    ///
    /// # Safety
    /// All rows must be readable at the source and writable at the destination. Compiled
    /// kernels pass what the OpenCL program gave to `async_work_group_copy`.
    fn transfer() |transfer| { transfer.event }

    /// Performs a transfer for checked code and has the checker watch its rows.
    ///
    /// # Safety
    /// As `transfer`.
    fn checked_transfer() |transfer| { checker::transfer(&transfer) }

    /// Performs a transfer for timed code and records it.
    ///
    /// # Safety
    /// As `transfer`; the recorder is that of the group's context. `site` is where the code starts
    /// it (`KernelCost::dma_sites`).
    fn timed_transfer(recorder: *mut c_void, site: u32) |transfer| {
        // SAFETY: as the caller promises.
        let group = unsafe { &mut *recorder.cast::<GroupRecorder>() };
        prefetch(group.later_source(&transfer, site), transfer.row_bytes);
        std::ptr::without_provenance(group.transfer(&transfer, site))
    }
}

/// The directions of `recorded_transfer`.
pub mod direction {
    /// From local to global memory.
    pub const TO_GLOBAL: u32 = 0;
    /// From global to local memory.
    pub const TO_LOCAL: u32 = 1;
    /// The address of the destination decides.
    pub const BY_ADDRESS: u32 = 2;
}

/// Records a transfer that untimed code performs. Its arguments are those of `timed_transfer`, with
/// the direction, and the destination only if that decides it.
///
/// # Safety
/// The recorder is that of the group's context.
pub unsafe extern "C" fn recorded_transfer(
    recorder: *mut c_void,
    site: u32,
    direction: u32,
    destination: *mut u8,
    destination_stride: u64,
    source_stride: u64,
    row_bytes: u64,
    rows: u64,
    event: *const c_void,
) -> *const c_void {
    // SAFETY: as the caller promises.
    let group = unsafe { &mut *recorder.cast::<GroupRecorder>() };
    let transfer = Transfer {
        destination,
        destination_stride,
        source: std::ptr::null(),
        source_stride,
        row_bytes,
        rows,
        event,
    };
    std::ptr::without_provenance(match direction {
        direction::BY_ADDRESS => group.transfer(&transfer, site),
        known => group.transfer_to(known == direction::TO_LOCAL, &transfer, site),
    })
}

/// Most bytes of a row that are prefetched.
const PREFETCHED: u64 = 256;

/// Loads a row into the cache. Recording keeps the processor from running ahead to later transfers,
/// whose loads would then wait for memory one after the other.
fn prefetch(row: *const u8, bytes: u64) {
    for offset in (0..bytes.min(PREFETCHED)).step_by(64) {
        let line = row.wrapping_add(offset as usize);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching has no effect but on the cache, whatever the address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(line.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    }
}

/// Records that timed code waits at a site for the transfers of an event.
///
/// # Safety
/// The recorder is that of the group's context.
pub unsafe extern "C" fn timed_wait(recorder: *mut c_void, site: u32, event: *const c_void) {
    // SAFETY: as the caller promises.
    let group = unsafe { &mut *recorder.cast::<GroupRecorder>() };
    group.wait(event, site);
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::array_range::ArrayRange;
    use device_sim::timing::launch_record::GroupStep;
    use device_sim::timing::recorder::Recorder;
    use device_sim::timing::timed_kernel::TimedKernel;
    use std::ptr::{from_mut, null, null_mut};
    use std::sync::Arc;

    #[test]
    fn a_timed_transfer_is_performed_and_recorded() {
        let kernel = Arc::new(TimedKernel::new(Arc::default()));
        let recorder = Recorder::new(&kernel, ArrayRange::all(1), 3);
        let (source, mut destination) = ([7u8; 32], [0u8; 16]);
        let start = destination.as_mut_ptr();
        let mut shard = recorder.take_shard(start.addr()..start.addr() + 16);
        let group = from_mut(shard.group_recorder()).cast();
        // SAFETY: two rows of 8 bytes lie within both arrays, and the recorder is the shard's.
        unsafe {
            let event = timed_transfer(group, 1, start, 8, source.as_ptr(), 16, 8, 2, null());
            timed_wait(group, 2, event);
        }
        assert_eq!(destination, [7; 16]);
        recorder.end_group(&mut shard, 0);
        let group = from_mut(shard.group_recorder()).cast();
        // SAFETY: the recorder is the shard's.
        unsafe {
            let to_local = direction::TO_LOCAL;
            let event = recorded_transfer(group, 1, to_local, null_mut(), 8, 16, 8, 2, null());
            timed_wait(group, 2, event);
        }
        recorder.end_group(&mut shard, 1);
        let group = from_mut(shard.group_recorder()).cast();
        // SAFETY: the recorder is the shard's.
        unsafe {
            let by_address = direction::BY_ADDRESS;
            let event = recorded_transfer(group, 1, by_address, start, 8, 16, 8, 2, null());
            timed_wait(group, 2, event);
        }
        recorder.end_group(&mut shard, 2);
        recorder.return_shard(shard);
        let (record, _) = recorder.finish();
        // All groups have the same steps.
        let [(steps, 3)] = &record.arrays[0].steps[..] else {
            panic!("{record:?}");
        };
        assert!(matches!(
            steps[..],
            [
                GroupStep::Transfer {
                    rows: 2,
                    row_bytes: 8,
                    to_scratchpad: true,
                    ..
                },
                GroupStep::Wait { event: 1, site: 2 }
            ]
        ));
    }
}
