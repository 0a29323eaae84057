//! The caches of the host: from how many bytes on what kernels write bypasses them (non-temporal stores).

use crate::host_threads;
use once_cell::sync::Lazy;

/// Smallest share of the caches that a thread is assumed to have, bytes.
const LEAST_PER_THREAD: u64 = 1 << 20;

/// Largest share of the last-level cache that a thread is assumed to have, bytes. A virtual machine reports all of the
/// processor's cache, which it shares with others.
const MOST_LAST_LEVEL_PER_THREAD: u64 = 4 << 20;

/// Size from which on what a kernel writes to a buffer is stored past the caches, bytes: the host's threads have no larger
/// share of them. An ordinary store of a line reads the line first.
///
/// On an Intel Xeon with 2 MiB of L2 per processor (two threads), the sum of two arrays of 8 MiB takes 1.7 times as long
/// with ordinary stores, and 1.3 times together with a loop that reads the result afterwards; with arrays of 4 MiB 1.2
/// times and as long, with arrays of 1 MiB 0.8 and 0.7 times.
pub fn bypassed_from() -> u64 {
    static BYTES: Lazy<u64> = Lazy::new(|| {
        let threads = host_threads::count().min(host_threads::processors());
        threads as u64 * per_thread(&levels())
    });
    *BYTES
}

/// A cache for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    /// 1 is nearest to the processor.
    number: u8,
    bytes: u64,
    /// Threads that share it.
    threads: u64,
}

/// What a thread has of the caches, bytes. Inner caches are assumed not to be part of outer ones.
fn per_thread(levels: &[Level]) -> u64 {
    let share = |level: &Level| {
        let share = level.bytes / level.threads.max(1);
        match level.number {
            1 | 2 => share,
            _ => share.min(MOST_LAST_LEVEL_PER_THREAD),
        }
    };
    levels.iter().map(share).sum::<u64>().max(LEAST_PER_THREAD)
}

#[cfg(target_arch = "x86_64")]
fn levels() -> Vec<Level> {
    use raw_cpuid::{CacheType, CpuId};
    let Some(caches) = CpuId::new().get_cache_parameters() else {
        return Vec::new();
    };
    caches
        .filter(|cache| matches!(cache.cache_type(), CacheType::Data | CacheType::Unified))
        .map(|cache| Level {
            number: cache.level(),
            bytes: [
                cache.associativity(),
                cache.physical_line_partitions(),
                cache.coherency_line_size(),
                cache.sets(),
            ]
            .iter()
            .map(|factor| *factor as u64)
            .product(),
            threads: cache.max_cores_for_cache() as u64,
        })
        .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn levels() -> Vec<Level> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;

    fn level(number: u8, bytes: u64, threads: u64) -> Level {
        Level {
            number,
            bytes,
            threads,
        }
    }

    #[test]
    fn a_thread_has_its_share_of_shared_caches() {
        let desktop = [
            level(1, 32 * KIB, 2),
            level(2, MIB, 2),
            level(3, 32 * MIB, 16),
        ];
        assert_eq!(per_thread(&desktop), 16 * KIB + 512 * KIB + 2 * MIB);
    }

    #[test]
    fn the_whole_processor_is_not_that_of_a_virtual_machine() {
        let machine = [
            level(1, 48 * KIB, 1),
            level(2, 2 * MIB, 1),
            level(3, 260 * MIB, 2),
        ];
        assert_eq!(per_thread(&machine), 48 * KIB + 6 * MIB);
    }

    #[test]
    fn a_processor_without_a_description_has_caches_nevertheless() {
        assert_eq!(per_thread(&[]), MIB);
        assert!(bypassed_from() >= MIB);
    }
}
