//! A launch of a compiled kernel: its code, arguments, index space and the memories of its
//! work-groups.

use crate::barrier::checker::BarrierChecker;
use crate::dma_checker::checker::DmaChecker;
use crate::error::ExecError;
use crate::fault;
use crate::group_order::GroupOrder;
use crate::memory_checker::MemoryChecker;
use crate::races::checker::RaceChecker;
use crate::scratchpad::{self, GroupMemories};
use crate::signals::kernel_description::KernelDescription;
use crate::store_trial::{StoreTrial, Stores};
use crate::threads;
use crate::time_limit::LaunchLimit;
use crate::work_group::{NdRange, WorkGroupFunction};
use device_sim::array_range::ArrayRange;
use device_sim::timing::cost::SliceDependence;
use device_sim::timing::recorder::Recorder;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// An estimate of the time of one work-group of a kernel, from its last launches.
#[derive(Debug, Default)]
pub struct GroupTimeEstimate {
    /// Of the last launch, in units of 2^-10 ns; 0 before the first launch.
    fraction_ns: AtomicU64,
    /// Of the launch before it, in the same units.
    former_fraction_ns: AtomicU64,
}

impl GroupTimeEstimate {
    /// Expected time of `groups` groups on one thread, if known.
    pub(crate) fn expected(&self, groups: u64) -> Option<Duration> {
        Self::duration(self.fraction_ns.load(Ordering::Relaxed), groups)
    }

    /// As `expected`, from the shorter one of the last two launches: a single launch seems to take
    /// long if the system interrupts it.
    pub fn expected_if_uninterrupted(&self, groups: u64) -> Option<Duration> {
        let last = self.fraction_ns.load(Ordering::Relaxed);
        let former = self.former_fraction_ns.load(Ordering::Relaxed);
        Self::duration(last.min(former), groups)
    }

    fn duration(fraction_ns: u64, groups: u64) -> Option<Duration> {
        let nanoseconds = fraction_ns.saturating_mul(groups) >> 10;
        (fraction_ns > 0).then(|| Duration::from_nanos(nanoseconds))
    }

    /// Sets the estimate: `groups` groups took `duration` on one thread.
    pub(crate) fn set(&self, groups: u64, duration: Duration) {
        let fraction_ns = ((duration.as_nanos() as u64) << 10) / groups.max(1);
        let former = self.fraction_ns.load(Ordering::Relaxed);
        self.fraction_ns
            .store(fraction_ns.max(1), Ordering::Relaxed);
        self.former_fraction_ns.store(former, Ordering::Relaxed);
    }
}

/// The number of a new launch of this process, from 1.
pub fn next_number() -> u64 {
    static LAUNCHES: AtomicU64 = AtomicU64::new(0);
    LAUNCHES.fetch_add(1, Ordering::Relaxed) + 1
}

/// Stack that each thread which runs commands has left for a kernel's frames, bytes.
const ORDINARY_STACK: usize = 128 << 10;

/// Stack for what a kernel calls of the host, and for handlers of signals, bytes.
const STACK_OF_CALLEES: usize = 128 << 10;

/// The index space of a launch and the memories of each of its work-groups.
#[derive(Clone, Copy, Debug)]
pub struct LaunchConfiguration {
    /// The index space.
    pub nd_range: NdRange,
    /// The order of the groups of a launch that is not recorded.
    pub group_order: GroupOrder,
    /// Local memory of a group, bytes.
    pub local_memory: u64,
    /// Whether local memory is zeroed before each group.
    pub zeroes_local_memory: bool,
    /// Private memory of a group on the host, bytes.
    pub private_memory: u64,
    /// Private memory of a group in the machine's AM, bytes.
    pub machine_private_memory: u64,
}

/// The addresses of compiled code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeAddresses {
    /// The first one.
    pub start: usize,
    /// Behind the last one.
    pub end: usize,
}

impl CodeAddresses {
    /// Whether an address is one of them.
    pub fn contains(self, address: usize) -> bool {
        (self.start..self.end).contains(&address)
    }
}

/// Code that computes the counters of timed code and records its DMA events, and does nothing else.
/// It runs after the group's work-group function, which is untimed code then.
#[derive(Clone, Copy)]
pub struct CounterSlice {
    /// The code.
    pub function: WorkGroupFunction,
    /// Where it is.
    pub code: CodeAddresses,
    /// What its results depend on.
    pub dependence: SliceDependence,
}

/// A launch of a work-group function over an NDRange.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// The kernel as reports describe it.
    pub kernel: &'a dyn KernelDescription,
    /// Number of this launch in the process (`next_number`).
    pub number: u64,
    /// The compiled kernel.
    pub function: WorkGroupFunction,
    /// Its code, with the functions that it calls.
    pub code: CodeAddresses,
    /// Stack that a call of it takes at most, bytes, without functions of the host.
    pub stack_bytes: usize,
    /// Its argument block, aligned to 128 bytes.
    pub arguments: &'a [u8],
    /// The index space, and the memories of a group.
    pub configuration: LaunchConfiguration,
    /// The arrays of the simulated machine that run it.
    pub arrays: ArrayRange,
    /// Once it is true, no further group is started.
    pub stop: Option<&'a AtomicBool>,
    /// How long it may run; the executor sets it.
    pub limit: Option<&'a LaunchLimit>,
    /// The estimate for this kernel with this local size.
    pub group_time: &'a GroupTimeEstimate,
    /// Decides between streaming and ordinary stores, if the code has both.
    pub store_trial: Option<&'a StoreTrial>,
    /// The stores, where the code has both; the executor sets them.
    pub stores: Stores,
    /// Collects the findings of code that checks its accesses against transfers.
    pub dma_checker: Option<&'a DmaChecker>,
    /// Collects the findings of code that checks the bounds of its accesses.
    pub memory_checker: Option<&'a MemoryChecker<'a>>,
    /// Collects the findings of code that checks its barriers.
    pub barrier_checker: Option<&'a BarrierChecker<'a>>,
    /// Collects the races of code that checks for them.
    pub race_checker: Option<&'a RaceChecker>,
    /// Records what timed code does.
    pub recorder: Option<&'a Recorder>,
    /// Computes what is recorded, if `function` does not.
    pub counter_slice: Option<CounterSlice>,
}

impl Launch<'_> {
    pub(crate) fn groups(&self) -> u64 {
        fault::groups_to_run(self.configuration.nd_range.groups(), self.arrays.count())
    }

    /// Has `run` use memories of the size that a group needs, on a thread with the stack that it
    /// needs: this one or, while this one waits, another.
    ///
    /// # Errors
    /// `NoStorage`, `NoStack`.
    pub(crate) fn with_memories<R: Send>(
        &self,
        run: impl FnOnce(GroupMemories) -> R + Send,
    ) -> Result<R, ExecError> {
        let LaunchConfiguration {
            local_memory,
            private_memory,
            ..
        } = self.configuration;
        let local_memory = match (self.race_checker, self.memory_checker) {
            (Some(races), _) => races.local_memory_with_shadows(local_memory),
            (None, Some(memory)) => memory.local_memory_with_shadow(local_memory),
            (None, None) => local_memory,
        };
        let run = || scratchpad::with(local_memory, private_memory, run);
        if self.stack_bytes <= ORDINARY_STACK {
            return Ok(run()?);
        }
        let needed = self.stack_bytes.saturating_add(STACK_OF_CALLEES);
        Ok(threads::with_stack(needed, run)??)
    }

    /// Whether code of a group is at this address.
    pub(crate) fn has_code_at(&self, address: usize) -> bool {
        let slice = self.counter_slice.map(|slice| slice.code);
        let mut codes = [Some(self.code), slice].into_iter().flatten();
        codes.any(|code| code.contains(address))
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.limit.is_some_and(LaunchLimit::is_exceeded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_interrupted_launch_does_not_count_as_long() {
        let estimate = GroupTimeEstimate::default();
        let short = Duration::from_nanos(20);
        estimate.set(1, short);
        assert_eq!(estimate.expected_if_uninterrupted(1), None);
        estimate.set(1, short);
        estimate.set(1, Duration::from_millis(4));
        assert_eq!(estimate.expected_if_uninterrupted(1), Some(short));
        assert!(estimate.expected(1) > Some(short));
        estimate.set(1, Duration::from_millis(4));
        assert!(estimate.expected_if_uninterrupted(1) > Some(short));
    }
}
