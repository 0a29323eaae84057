//! Code that an array runs.
//!
//! Only sums are known of it, so it is taken to be uniform and divided into equal pieces. A piece
//! requests no more from the memories than an array can have outstanding, so that requests of
//! other arrays are served in between.

use super::cluster_resources::ClusterResources;
use super::cycle_account::CycleAccount;
use super::even_split::EvenSplit;
use crate::machine::{PerMemory, SharedMemory};
use crate::timing::launch_record::SegmentWork;
use crate::timing::launch_timing::Activity;
use crate::units::Cycles;

/// Code between two events of an array. By default it has ended.
#[derive(Clone, Debug, Default)]
pub struct CodeSegment {
    pieces: u64,
    left: u64,
    compute: EvenSplit,
    scratchpad: EvenSplit,
    outside: EvenSplit,
    barrier: EvenSplit,
    traffic: PerMemory<EvenSplit>,
    locks: Vec<(u32, EvenSplit)>,
    /// Index of the lock that the current piece acquires next.
    next_lock: usize,
    /// When the current piece began.
    began: Option<Cycles>,
}

impl CodeSegment {
    /// The fetch of `bytes` of code through the program cache, whose lines are missed one after another.
    pub fn of_fetch(memory: SharedMemory, bytes: u64, resources: &ClusterResources<'_>) -> Self {
        let cache = &resources.machine.memory.l1p;
        let lines = bytes.div_ceil(cache.line.value);
        let mut work = SegmentWork {
            outside: lines.saturating_mul(resources.latency(memory)) / cache.outstanding.value,
            ..SegmentWork::default()
        };
        work.traffic[memory as usize] = lines.saturating_mul(cache.line.value);
        let mut segment = Self::default();
        segment.begin(&work, 1, resources);
        segment
    }

    /// Begins code that does `work` `repeat_count` times. In place: arrays begin many segments.
    pub fn begin(
        &mut self,
        work: &SegmentWork,
        repeat_count: u64,
        resources: &ClusterResources<'_>,
    ) {
        let all = |value: u64| value.saturating_mul(repeat_count);
        let traffic = work.traffic.map(all);
        let requests = traffic.iter().map(|bytes| match *bytes <= resources.piece {
            true => 1,
            false => bytes.div_ceil(resources.piece),
        });
        let acquisitions = work.locks.iter();
        let acquisitions =
            acquisitions.map(|(_, taken)| all(*taken).div_ceil(resources.lock_piece));
        let pieces = requests.chain(acquisitions).max().unwrap_or(0).max(1);
        let split = |value| EvenSplit::new(value, pieces);
        let busy = [work.compute, work.scratchpad, work.barrier].map(all);
        let acquired = work.locks.iter().map(|(_, taken)| all(*taken));
        let locked = acquired.fold(0, u64::saturating_add);
        let locked = locked.saturating_mul(resources.machine.locks.occupied());
        let busy_cycles = busy.into_iter().fold(locked, u64::saturating_add);
        // The port needs its cycles whatever the code does meanwhile.
        let outside =
            all(work.outside).max(port_cycles(&traffic, resources).saturating_sub(busy_cycles));
        self.pieces = pieces;
        self.left = pieces;
        self.compute = split(busy[0]);
        self.scratchpad = split(busy[1]);
        self.outside = split(outside);
        self.barrier = split(busy[2]);
        self.traffic = traffic.map(split);
        self.locks.clear();
        let locks = work.locks.iter();
        self.locks
            .extend(locks.map(|(lock, taken)| (*lock, split(all(*taken)))));
        self.next_lock = work.locks.len();
        self.began = None;
    }

    /// Advances to `now`; the next time at which it has something to do, or None if it has ended.
    pub fn advance(
        &mut self,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
        account: &mut CycleAccount,
    ) -> Option<Cycles> {
        loop {
            let until = self.advance_once(now, resources, account)?;
            if until > now {
                return Some(until);
            }
        }
    }

    /// Acquires a lock, or runs a piece; until when, or None if there are none. Not inlined: most segments
    /// have one piece, and in a loop their state would be kept on the stack.
    #[inline(never)]
    fn advance_once(
        &mut self,
        now: Cycles,
        resources: &mut ClusterResources<'_>,
        account: &mut CycleAccount,
    ) -> Option<Cycles> {
        let pieces = self.pieces;
        let began = *self.began.get_or_insert(now);
        if let Some((lock, taken)) = self.locks.get_mut(self.next_lock) {
            self.next_lock += 1;
            let taken = taken.next(pieces);
            let end = resources.lock(*lock).serve(now, taken);
            if end > now {
                account.spend(now, end, &[(Activity::LockWait, end - now)]);
            }
            return Some(end);
        }
        self.left = self.left.checked_sub(1)?;
        self.next_lock = 0;
        self.began = None;
        let [compute, scratchpad, outside, barrier] = [
            &mut self.compute,
            &mut self.scratchpad,
            &mut self.outside,
            &mut self.barrier,
        ]
        .map(|split| Cycles(split.next(pieces)));
        let own = now + compute + scratchpad + outside + barrier;
        let mut end = own;
        for (server, split) in resources.memories.iter_mut().zip(&mut self.traffic) {
            // Accesses under a lock are made while it is held.
            end = end.max(server.serve(began, split.next(pieces)));
        }
        let spent = [
            (Activity::Compute, compute),
            (Activity::Scratchpad, scratchpad),
            (Activity::Memory, outside + (end - own)),
            (Activity::Barrier, barrier),
        ];
        account.spend(now, end, &spent);
        Some(end)
    }
}

/// Cycles that an array's port to the cluster's memories needs at least: by the number of
/// outstanding lines and their latency, and by its rate.
fn port_cycles(traffic: &PerMemory<u64>, resources: &ClusterResources<'_>) -> u64 {
    if *traffic == PerMemory::default() {
        return 0;
    }
    let port = &resources.machine.memory.port;
    let (mut waits, mut bytes) = (0u64, 0u64);
    for (memory, requested) in SharedMemory::ALL.into_iter().zip(traffic) {
        waits = waits.saturating_add(requested.saturating_mul(resources.latency(memory)));
        bytes = bytes.saturating_add(*requested);
    }
    let outstanding = port.outstanding.value * port.line.value;
    (waits / outstanding).max(bytes / port.rate.value)
}
