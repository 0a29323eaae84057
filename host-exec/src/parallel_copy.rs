//! Copies and fills of host memory. Large ones are divided among host threads, since one thread does
//! not use all of the host's memory bandwidth.

use crate::host_threads;
use crate::work_partition::GroupRanges;
use std::ops::Range;
use std::time::Duration;

/// Minimum size of a parallel copy if pool threads spin, bytes.
const PARALLEL_FROM: usize = 256 << 10;

/// Minimum size of a parallel copy if pool threads have to be woken, bytes.
const PARALLEL_FROM_IF_ASLEEP: usize = 1 << 20;

/// Granularity of the division, bytes.
const PIECE: usize = 64 << 10;

/// Approximate time to copy a piece.
const PIECE_TIME: Duration = Duration::from_micros(4);

/// Minimum size of a copy with non-temporal stores, bytes: the caches could not hold it, and
/// ordinary stores would first read the lines that they overwrite. Measured with a last-level cache
/// of 32 MiB. More than for kernels (`host_caches`): a kernel mostly reads all of a copy next, so that
/// copies of 16 MiB past the caches gain as much as they cost.
const NON_TEMPORAL_FROM: usize = 32 << 20;

/// Copies bytes; the two ranges may overlap.
///
/// # Safety
/// `from` is readable and `to` writable for `bytes`, and no other thread writes them meanwhile.
pub unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    let apart = from.addr().abs_diff(to.addr()) >= bytes;
    if !apart || bytes < PARALLEL_FROM {
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
            if bytes >= NON_TEMPORAL_FROM {
                copy_lines::<true>(from, to, range.len());
            } else {
                copy_lines::<false>(from, to, range.len());
            }
        }
    });
}

/// Calls `work` for disjoint pieces that cover the range from 0 to `bytes`, on several host threads
/// if that is faster.
pub fn in_pieces(bytes: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let parallel_from = match host_threads::are_awake() {
        true => PARALLEL_FROM,
        false => PARALLEL_FROM_IF_ASLEEP,
    };
    let pieces = bytes.div_ceil(PIECE);
    let threads = host_threads::count().min(pieces);
    if threads <= 1 || bytes < parallel_from {
        work(0..bytes);
        return;
    }
    let ranges = GroupRanges::new(0..pieces as u64, threads, PIECE_TIME);
    host_threads::run_parallel(threads - 1, &|thread| {
        while let Some(pieces) = ranges.take(thread) {
            let place = |piece: u64| (piece as usize * PIECE).min(bytes);
            work(place(pieces.start)..place(pieces.end));
        }
    });
}

/// Copies by cache lines, with non-temporal or ordinary stores.
///
/// `memcpy` uses string instructions for pieces of this size. On AMD's Zen 3 these are ten times
/// slower where the page offset of the target is a few bytes larger than that of the source, as it
/// often is with large allocations of the C library.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[cfg(target_arch = "x86_64")]
unsafe fn copy_lines<const NON_TEMPORAL: bool>(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{
        __m128i, _mm_loadu_si128, _mm_sfence, _mm_store_si128, _mm_stream_si128,
    };
    const LINE: usize = 64;
    const REGISTER: usize = size_of::<__m128i>();
    let head = to.align_offset(LINE).min(bytes);
    let lines = (bytes - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: all accesses are within the two ranges, as the caller promises; the lines stored to
    // are aligned, and the fence orders non-temporal stores before later ones.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        for line in 0..lines {
            for register in 0..LINE / REGISTER {
                let place = head + line * LINE + register * REGISTER;
                let value = _mm_loadu_si128(from.add(place).cast());
                let to = to.add(place).cast();
                if NON_TEMPORAL {
                    _mm_stream_si128(to, value);
                } else {
                    _mm_store_si128(to, value);
                }
            }
        }
        if NON_TEMPORAL {
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
unsafe fn copy_lines<const NON_TEMPORAL: bool>(from: *const u8, to: *mut u8, bytes: usize) {
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
        for bytes in [0, 1, PIECE, PARALLEL_FROM + 1, (1 << 20) + 12_345, 9 << 20] {
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
            (PARALLEL_FROM, 0, 1),
            ((3 << 20) + 77, 13, 64),
            (NON_TEMPORAL_FROM + 99, 7, 3),
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
