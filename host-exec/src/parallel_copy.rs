//! Copies and fills of host memory that several host threads share when they are large: one
//! thread alone does not use all of the host's bandwidth.

use crate::host_threads;
use crate::work_partition::GroupRanges;
use std::ops::Range;
use std::time::Duration;

/// From this size on threads that look for work are called.
const SHARED_FROM: usize = 256 << 10;

/// From this size on threads are woken.
const SHARED_FROM_IF_OTHERS_SLEEP: usize = 1 << 20;

/// What threads take is a multiple of this.
const PIECE: usize = 64 << 10;

/// About how long a thread copies a piece.
const PIECE_LASTS: Duration = Duration::from_micros(4);

/// From this size on stores go past the caches, which could not hold what is copied.
/// Measured with a last-level cache of 32 MiB; ordinary stores would first read what they
/// overwrite.
const PAST_THE_CACHES_FROM: usize = 32 << 20;

/// Copies bytes; the two ranges may overlap.
///
/// # Safety
/// The first can be read and the second written, and nobody else writes them meanwhile.
pub unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    let apart = from.addr().abs_diff(to.addr()) >= bytes;
    if !apart || bytes < SHARED_FROM {
        // SAFETY: as the caller promises.
        unsafe { std::ptr::copy(from, to, bytes) };
        return;
    }
    let (from, to) = (from.expose_provenance(), to.expose_provenance());
    in_pieces(bytes, &|range: Range<usize>| {
        let from = std::ptr::with_exposed_provenance(from + range.start);
        let to = std::ptr::with_exposed_provenance_mut(to + range.start);
        // SAFETY: as the caller promises; the ranges do not overlap.
        unsafe {
            if bytes >= PAST_THE_CACHES_FROM {
                copy_lines::<true>(from, to, range.len());
            } else {
                copy_lines::<false>(from, to, range.len());
            }
        }
    });
}

/// Calls `work` for pieces that together are the range from 0 to `bytes`, on several host
/// threads if that pays.
pub fn in_pieces(bytes: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let shared_from = match host_threads::are_awake() {
        true => SHARED_FROM,
        false => SHARED_FROM_IF_OTHERS_SLEEP,
    };
    let pieces = bytes.div_ceil(PIECE);
    let threads = host_threads::count().min(pieces);
    if threads <= 1 || bytes < shared_from {
        work(0..bytes);
        return;
    }
    let shares = GroupRanges::new(0..pieces as u64, threads, PIECE_LASTS);
    host_threads::together(threads - 1, &|thread| {
        while let Some(pieces) = shares.take(thread) {
            let place = |piece: u64| (piece as usize * PIECE).min(bytes);
            work(place(pieces.start)..place(pieces.end));
        }
    });
}

/// Copies line by line, with stores that go past the caches or with ordinary ones.
///
/// Not by `memcpy`: for pieces of this size it takes the string instructions, which on AMD's
/// Zen 3 are ten times slower where the target lies a few bytes further on in its page than
/// the source does (which large allocations of the C library do).
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[cfg(target_arch = "x86_64")]
unsafe fn copy_lines<const PAST_THE_CACHES: bool>(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{
        __m128i, _mm_loadu_si128, _mm_sfence, _mm_store_si128, _mm_stream_si128,
    };
    const LINE: usize = 64;
    const REGISTER: usize = size_of::<__m128i>();
    let head = to.align_offset(LINE).min(bytes);
    let lines = (bytes - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: all within the two ranges, as the caller promises; what is stored by lines is
    // aligned, and what went past the caches is ordered before what follows.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        for line in 0..lines {
            for register in 0..LINE / REGISTER {
                let place = head + line * LINE + register * REGISTER;
                let value = _mm_loadu_si128(from.add(place).cast());
                let to = to.add(place).cast();
                if PAST_THE_CACHES {
                    _mm_stream_si128(to, value);
                } else {
                    _mm_store_si128(to, value);
                }
            }
        }
        if PAST_THE_CACHES {
            _mm_sfence();
        }
        std::ptr::copy_nonoverlapping(from.add(tail), to.add(tail), bytes - tail);
    }
}

/// As `copy_nonoverlapping`.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_lines<const PAST_THE_CACHES: bool>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn pattern(bytes: usize) -> Vec<u8> {
        (0..bytes)
            .map(|i| (i as u32).wrapping_mul(0x9E37_79B1).to_le_bytes()[3])
            .collect()
    }

    #[test]
    fn pieces_are_the_whole() {
        for bytes in [0, 1, PIECE, SHARED_FROM + 1, (1 << 20) + 12_345, 9 << 20] {
            let all = Mutex::new(Vec::new());
            in_pieces(bytes, &|range| all.lock().unwrap().push(range));
            let mut all = all.into_inner().unwrap();
            all.sort_by_key(|range| range.start);
            let mut end = 0;
            for range in all {
                assert_eq!(range.start, end);
                end = range.end;
            }
            assert_eq!(end, bytes);
        }
    }

    #[test]
    fn copies_are_exact_and_touch_nothing_else() {
        for (bytes, from, to) in [
            (0, 0, 0),
            (100, 3, 5),
            (SHARED_FROM, 0, 1),
            ((3 << 20) + 77, 13, 64),
            (PAST_THE_CACHES_FROM + 99, 7, 3),
        ] {
            let source = pattern(from + bytes);
            let mut target = vec![0xAA; to + bytes + 100];
            // SAFETY: both vectors have these bytes.
            unsafe { copy(source[from..].as_ptr(), target[to..].as_mut_ptr(), bytes) };
            assert!(target[to..to + bytes] == source[from..], "{bytes} bytes");
            let mut around = target[..to].iter().chain(&target[to + bytes..]);
            assert!(around.all(|byte| *byte == 0xAA), "around {bytes} bytes");
        }
    }

    #[test]
    fn lines_may_begin_anywhere() {
        let source = pattern(1000);
        for (from, to, bytes) in [(0, 0, 0), (1, 2, 3), (5, 9, 60), (0, 1, 64), (3, 60, 500)] {
            for copy in [copy_lines::<true>, copy_lines::<false>] {
                let mut target = vec![0xAA; 1000];
                // SAFETY: both vectors have these bytes.
                unsafe { copy(source[from..].as_ptr(), target[to..].as_mut_ptr(), bytes) };
                assert_eq!(target[to..to + bytes], source[from..from + bytes]);
                let mut around = target[..to].iter().chain(&target[to + bytes..]);
                assert!(around.all(|byte| *byte == 0xAA));
            }
        }
    }

    #[test]
    fn ranges_may_overlap() {
        let bytes = 2 << 20;
        for distance in [0, 1, 100_000] {
            let source = pattern(bytes + distance);
            let mut memory = source.clone();
            let start = memory.as_mut_ptr();
            // SAFETY: within the vector.
            unsafe { copy(start.add(distance), start, bytes) };
            assert!(memory[..bytes] == source[distance..]);
        }
    }
}
