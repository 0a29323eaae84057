//! Finds accesses that overlap a DMA transfer which has not been waited for: on the machine the bytes
//! may not have been written, or read, yet. Checked code reports each of its accesses; transfers are
//! nevertheless performed at once.

use device_sim::dma::{EventNumbers, Transfer};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::fmt;
use std::ops::Range;

/// A source location that accesses memory or starts a transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// The memory accessed, for example "argument `tile`".
    pub what: String,
    /// File name; empty if unknown.
    pub file: String,
    /// Line number from 1; 0 if unknown.
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

/// A finding. Sites are given by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// The destination of a transfer was read at the first site; the transfer was started at the
    /// second.
    ReadTooEarly(u64, u64),
    /// The source or destination of a transfer was written; sites as in `ReadTooEarly`.
    WrittenTooEarly(u64, u64),
    /// A group ended without waiting for the transfer started at this site.
    NeverWaitedFor(u64),
}

impl Finding {
    /// The sentence for the log.
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

/// Collects the findings of a launch.
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

/// The state of the group that a host thread runs.
#[derive(Default)]
struct CheckedGroup {
    pending: Vec<Pending>,
    events: EventNumbers,
    /// Source location of the next transfer.
    site: u64,
    found: BTreeSet<Finding>,
}

thread_local! {
    static GROUP: RefCell<CheckedGroup> = RefCell::default();
}

impl DmaChecker {
    /// Ends the group that ran on this thread.
    pub fn end_group(&self) {
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

    /// The findings, in the order of the sites.
    pub fn finish(self) -> Vec<Finding> {
        self.found.into_inner().into_iter().collect()
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Checks an access that code is about to make.
pub extern "C" fn access(address: *const u8, bytes: u64, writes: u64, site: u64) {
    GROUP.with_borrow_mut(|group| {
        let place = address.addr()..address.addr() + bytes as usize;
        for pending in &group.pending {
            let finding = if writes != 0
                && (overlap(&place, &pending.to) || overlap(&place, &pending.from))
            {
                Finding::WrittenTooEarly(site, pending.site)
            } else if writes == 0 && overlap(&place, &pending.to) {
                Finding::ReadTooEarly(site, pending.site)
            } else {
                continue;
            };
            group.found.insert(finding);
        }
    });
}

/// Sets the site of the next transfer.
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

/// Ends the transfers of an event, which code has waited for.
pub extern "C" fn checked_wait(event: *const c_void) {
    GROUP.with_borrow_mut(|group| group.pending.retain(|p| p.event != event.addr()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::checked_transfer;

    #[test]
    fn accesses_before_the_wait_are_found() {
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
        // Behind the destination; reads of the source are allowed.
        access(to.wrapping_add(32), 4, 0, 2);
        access(from, 4, 0, 3);
        access(from, 4, 1, 4);
        checked_wait(one);
        access(to, 4, 0, 5);
        transfer(8);
        checker.end_group();
        // The next group begins without pending transfers.
        access(to, 4, 0, 6);
        checker.end_group();
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
