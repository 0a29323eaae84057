//! Code that an array runs, piece by piece.
//!
//! What is known of it are sums, so that it is taken to be uniform, and cut into pieces that
//! are alike. A piece asks the memories for no more than an array can have on its way: others
//! are served in between.

use super::ClusterResources;
use super::cycle_account::CycleAccount;
use crate::timing::cost::{PerMemory, SharedMemory};
use crate::timing::launch_record::SegmentWork;
use crate::timing::launch_timing::{Activity, CyclesByActivity};

/// Code that an array runs.
#[derive(Debug)]
pub struct CodeSegment {
    pieces: u64,
    left: u64,
    compute: EvenSplit,
    scratchpad: EvenSplit,
    outside: EvenSplit,
    barrier: EvenSplit,
    traffic: PerMemory<EvenSplit>,
    locks: Vec<(u32, EvenSplit)>,
    /// The lock that this piece takes next.
    next_lock: usize,
}

impl CodeSegment {
    /// Code that does so much so often in a row.
    pub fn new(work: &SegmentWork, times: u64, shared: &ClusterResources<'_>) -> Self {
        let all = |value: u64| value.saturating_mul(times);
        let traffic = work.traffic.map(all);
        let asked = traffic.iter().map(|bytes| bytes.div_ceil(shared.piece));
        let locked = work.locks.iter();
        let locked = locked.map(|(_, taken)| all(*taken).div_ceil(shared.lock_piece));
        let pieces = asked.chain(locked).max().unwrap_or(0).max(1);
        let cut = |value| EvenSplit::new(value, pieces);
        let busy = [work.compute, work.scratchpad, work.barrier].map(all);
        let others = busy
            .iter()
            .fold(0, |sum: u64, &cycles| sum.saturating_add(cycles));
        // The port is as slow whatever the code does meanwhile.
        let outside = all(work.outside).max(port_cycles(&traffic, shared).saturating_sub(others));
        Self {
            pieces,
            left: pieces,
            compute: cut(busy[0]),
            scratchpad: cut(busy[1]),
            outside: cut(outside),
            barrier: cut(busy[2]),
            traffic: traffic.map(cut),
            locks: work
                .locks
                .iter()
                .map(|(lock, taken)| (*lock, cut(all(*taken))))
                .collect(),
            next_lock: work.locks.len(),
        }
    }

    /// Goes on at a time; until when, or none if the code has ended.
    pub fn advance(
        &mut self,
        now: u64,
        shared: &mut ClusterResources<'_>,
        account: &mut CycleAccount,
    ) -> Option<u64> {
        let pieces = self.pieces;
        loop {
            while let Some((lock, taken)) = self.locks.get_mut(self.next_lock) {
                self.next_lock += 1;
                let count = shared.locks.len();
                let taken = taken.next(pieces);
                let end = shared.locks[*lock as usize % count].serve(now, taken);
                if end > now {
                    let spent = super::spent(Activity::LockWait, end - now);
                    account.spend(now, end, &spent);
                    return Some(end);
                }
            }
            self.left = self.left.checked_sub(1)?;
            self.next_lock = 0;
            let mut spent = CyclesByActivity::default();
            for (activity, cut) in [
                (Activity::Compute, &mut self.compute),
                (Activity::Scratchpad, &mut self.scratchpad),
                (Activity::Memory, &mut self.outside),
                (Activity::Barrier, &mut self.barrier),
            ] {
                spent[activity as usize] = cut.next(pieces);
            }
            let own = now + spent.iter().sum::<u64>();
            let mut end = own;
            for (server, cut) in shared.memories.iter_mut().zip(&mut self.traffic) {
                end = end.max(server.serve(now, cut.next(pieces)));
            }
            if end > now {
                spent[Activity::Memory as usize] += end - own;
                account.spend(now, end, &spent);
                return Some(end);
            }
        }
    }
}

/// Cycles that an array's port to the memories takes at least: lines that are on their way are
/// as many as they can be, and no cycle has more bytes than it can.
fn port_cycles(traffic: &PerMemory<u64>, shared: &ClusterResources<'_>) -> u64 {
    let port = &shared.machine.memory.port;
    let (mut waits, mut bytes) = (0u64, 0u64);
    for (memory, asked) in SharedMemory::ALL.into_iter().zip(traffic) {
        waits = waits.saturating_add(asked.saturating_mul(shared.latency(memory)));
        bytes = bytes.saturating_add(*asked);
    }
    let on_the_way = port.outstanding.value * port.line.value;
    (waits / on_the_way).max(bytes / port.rate.value)
}

/// A number in parts that differ by no more than 1.
#[derive(Clone, Copy, Debug)]
pub struct EvenSplit {
    each: u64,
    rest: u64,
    carry: u64,
}

impl EvenSplit {
    /// `value` in so many parts, not 0.
    pub fn new(value: u64, parts: u64) -> Self {
        let (each, rest) = match parts {
            1 => (value, 0),
            _ => (value / parts, value % parts),
        };
        Self {
            each,
            rest,
            carry: 0,
        }
    }

    /// The next of so many parts.
    pub fn next(&mut self, parts: u64) -> u64 {
        self.carry += self.rest;
        if self.carry < parts {
            return self.each;
        }
        self.carry -= parts;
        self.each + 1
    }
}

#[cfg(test)]
mod tests {
    use super::EvenSplit;

    #[test]
    fn parts_are_the_whole_and_alike() {
        for (value, parts) in [
            (0, 1),
            (7, 1),
            (7, 7),
            (7, 3),
            (3, 7),
            (1 << 60, 1000),
            (99, 100),
        ] {
            let mut cut = EvenSplit::new(value, parts);
            let all: Vec<u64> = (0..parts).map(|_| cut.next(parts)).collect();
            assert_eq!(all.iter().sum::<u64>(), value, "{value} in {parts}");
            let (least, most) = (all.iter().min().unwrap(), all.iter().max().unwrap());
            assert!(most - least <= 1, "{value} in {parts}");
        }
    }
}
