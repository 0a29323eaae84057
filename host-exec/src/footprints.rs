//! The functions with which timed code records what a group loads of arguments, with the C interface that
//! `kernel-compiler` emits calls for (`passes/footprints.rs`).

use device_sim::timing::footprint::FootprintRecorder;
use std::ffi::c_void;

/// Records that the group loads `bytes` adjacent bytes of an argument.
///
/// # Safety
/// The recorder is that of the group's context.
pub unsafe extern "C" fn load(recorder: *mut c_void, argument: u32, address: u64, bytes: u64) {
    // SAFETY: as the caller promises.
    let recorder = unsafe { &mut *recorder.cast::<FootprintRecorder>() };
    recorder.load(argument as usize, address as usize, bytes as usize);
}

/// Records that the active ones of `lanes` lanes, at most 64, load `bytes` bytes of an argument each. Bit n
/// of `active` is set for lane n.
///
/// # Safety
/// The recorder is that of the group's context, and there are `lanes` addresses.
pub unsafe extern "C" fn lanes(
    recorder: *mut c_void,
    argument: u32,
    addresses: *const u64,
    active: u64,
    lanes: u32,
    bytes: u32,
) {
    // SAFETY: as the caller promises.
    let (recorder, addresses) = unsafe {
        let addresses = std::slice::from_raw_parts(addresses, lanes as usize);
        (&mut *recorder.cast::<FootprintRecorder>(), addresses)
    };
    for (lane, address) in addresses.iter().enumerate() {
        if active >> lane & 1 == 1 {
            recorder.load(argument as usize, *address as usize, bytes as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::timing::footprint::Footprint;

    #[test]
    fn active_lanes_load() {
        let mut recorder = FootprintRecorder::new(2);
        let addresses = [4096, 4100, 8192, 4104];
        let place = std::ptr::from_mut(&mut recorder).cast();
        // SAFETY: the recorder exists, and there are four addresses.
        unsafe {
            lanes(place, 1, addresses.as_ptr(), 0b1011, 4, 4);
            load(place, 1, 4096, 8);
        }
        recorder.end_group();
        let expected = Footprint {
            loaded: 20,
            different: 12,
            rows: 1,
        };
        assert_eq!(
            recorder.means(),
            [Some(Footprint::default()), Some(expected)]
        );
    }
}
