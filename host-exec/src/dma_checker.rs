//! Finds accesses that meet a DMA transfer which has not been waited for: on the machine the bytes
//! may not be there yet, or not be read yet. Code for it tells of each access; transfers are done
//! at once all the same.

use device_sim::dma::{EventNumbers, Transfer};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::fmt;
use std::ops::Range;

/// A place in the source that accesses memory or starts a transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What memory: for example "argument `tile`".
    pub what: String,
    /// File; empty if that is not known.
    pub file: String,
    /// From 1 on.
    pub line: u32,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str("an unknown line"),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// What went wrong. Sites by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// What a transfer writes was read at the first site; it was started at the second.
    ReadTooEarly(u64, u64),
    /// What a transfer reads or writes was written.
    WrittenTooEarly(u64, u64),
    /// A group ended before a transfer was waited for.
    NeverWaitedFor(u64),
}

impl Finding {
    /// A sentence on it.
    pub fn sentence(&self, sites: &[Site]) -> String {
        let unknown = Site::default();
        let site = |number: u64| sites.get(number as usize).unwrap_or(&unknown);
        match *self {
            Self::ReadTooEarly(access, transfer) => format!(
                "{} is read at {} before the DMA transfer of {} has been waited for",
                site(access).what,
                site(access),
                site(transfer)
            ),
            Self::WrittenTooEarly(access, transfer) => format!(
                "{} is written at {} before the DMA transfer of {} has been waited for",
                site(access).what,
                site(access),
                site(transfer)
            ),
            Self::NeverWaitedFor(transfer) => format!(
                "the DMA transfer of {} into {} is never waited for",
                site(transfer),
                site(transfer).what
            ),
        }
    }
}

/// What was found in a launch.
#[derive(Debug, Default)]
pub struct DmaChecker {
    found: Mutex<BTreeSet<Finding>>,
}

/// A transfer that has not been waited for.
struct Pending {
    event: usize,
    site: u64,
    from: Range<usize>,
    to: Range<usize>,
}

/// Of the group that a host thread runs.
#[derive(Default)]
struct Group {
    pending: Vec<Pending>,
    events: EventNumbers,
    /// Of the transfer that comes next.
    site: u64,
    found: BTreeSet<Finding>,
}

thread_local! {
    static GROUP: RefCell<Group> = RefCell::default();
}

impl DmaChecker {
    /// A group has ended on this thread.
    pub fn group_ended(&self) {
        let group = GROUP.take();
        let never = group
            .pending
            .iter()
            .map(|p| Finding::NeverWaitedFor(p.site));
        let found: Vec<Finding> = group.found.iter().copied().chain(never).collect();
        if !found.is_empty() {
            self.found.lock().extend(found);
        }
    }

    /// What was found, in the order of the sites.
    pub fn finish(self) -> Vec<Finding> {
        self.found.into_inner().into_iter().collect()
    }
}

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Code is about to access memory.
pub extern "C" fn access(address: *const u8, bytes: u64, writes: u64, site: u64) {
    GROUP.with_borrow_mut(|group| {
        let place = address.addr()..address.addr() + bytes as usize;
        for pending in &group.pending {
            let finding =
                if writes != 0 && (meet(&place, &pending.to) || meet(&place, &pending.from)) {
                    Finding::WrittenTooEarly(site, pending.site)
                } else if writes == 0 && meet(&place, &pending.to) {
                    Finding::ReadTooEarly(site, pending.site)
                } else {
                    continue;
                };
            group.found.insert(finding);
        }
    });
}

/// The site of the transfer that comes next.
pub extern "C" fn transfer_site(site: u64) {
    GROUP.with_borrow_mut(|group| group.site = site);
}

/// Remembers a transfer until its event is waited for; its event.
pub(crate) fn transfer(transfer: &Transfer) -> *const c_void {
    GROUP.with_borrow_mut(|group| {
        let number = group.events.of_transfer(transfer.event);
        group.pending.push(Pending {
            event: number,
            site: group.site,
            from: transfer.source_range(),
            to: transfer.destination_range(),
        });
        std::ptr::without_provenance(number)
    })
}

/// The transfers of an event are waited for.
pub extern "C" fn checked_wait(event: *const c_void) {
    GROUP.with_borrow_mut(|group| group.pending.retain(|p| p.event != event.addr()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::checked_transfer;

    #[test]
    fn what_is_not_waited_for_is_found() {
        let (from, mut to) = ([1u8; 64], [0u8; 64]);
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        let checker = DmaChecker::default();
        let transfer = |site| {
            transfer_site(site);
            // SAFETY: both are as long.
            unsafe { checked_transfer(to, 32, from, 32, 32, 1, std::ptr::null()) }
        };
        let one = transfer(7);
        access(to, 4, 0, 1);
        // Behind what is moved; what is moved may be read where it comes from.
        access(to.wrapping_add(32), 4, 0, 2);
        access(from, 4, 0, 3);
        access(from, 4, 1, 4);
        checked_wait(one);
        access(to, 4, 0, 5);
        transfer(8);
        checker.group_ended();
        // The next group begins with nothing.
        access(to, 4, 0, 6);
        checker.group_ended();
        assert_eq!(
            checker.finish(),
            [
                Finding::ReadTooEarly(1, 7),
                Finding::WrittenTooEarly(4, 7),
                Finding::NeverWaitedFor(8)
            ]
        );
    }
}
