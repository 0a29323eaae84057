//! The checks of a thread, while it runs.

use super::block::{Block, Nowhere};
use super::buffers::Buffers;
use super::checker::Checker;
use super::lookup;
use super::message::{Accessed, By, Context, Fault, Found, Race};
use super::output;
use super::pending::{Pending, Rows};
use super::races::{Races, SyncObject};
use super::segment::Conflict;
use crate::device_thread::DeviceThread;
use crate::dma::transfer::{ELEMENT, Side};
use findings::Finding;
use kernel_compiler::device_c::{CheckTable, SHARED_BLOCK, SourcePlace};
use std::sync::Arc;

/// A part of memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Its address.
    pub start: u64,
    /// Its size, with `SHARED_BLOCK` if other threads may access it.
    pub bytes: u64,
}

/// A thread with its checks.
#[derive(Clone, Copy)]
pub struct Checking<'t> {
    pub(super) thread: &'t DeviceThread,
    pub(super) checker: &'t Checker,
}

impl<'t> Checking<'t> {
    /// The checks of a thread, if it is checked.
    pub fn of(thread: &'t DeviceThread) -> Option<Self> {
        let checker = thread.checker.as_ref()?;
        Some(Self { thread, checker })
    }

    /// The number of the thread in its group.
    pub fn number(&self) -> usize {
        self.thread.number as usize
    }

    /// The block that an address is in.
    pub fn extent(&self, address: usize) -> Option<Extent> {
        let block = lookup::find(self.thread, &self.checker.launch.ddr, address).ok()?;
        Some(Extent {
            start: block.start as u64,
            bytes: block.bytes as u64 | (u64::from(self.is_shared(address)) * SHARED_BLOCK),
        })
    }

    /// Whether an access is within the memory that it may touch. `origin` is where its pointer begins, with the
    /// size of the variable there, or 0.
    pub fn is_in_memory(
        &self,
        site: u64,
        (address, bytes): (usize, usize),
        origin: (usize, usize),
    ) -> bool {
        if bytes == 0 || !self.checker.launch.checks.memory {
            return true;
        }
        let Some(accessed) = Accessed::at(self.thread, site, (address, bytes)) else {
            return true;
        };
        let fault = match self.fault((address, bytes), origin) {
            None if !address.is_multiple_of(accessed.alignment) => {
                Some(Fault::Misaligned(accessed.alignment as u64))
            }
            fault => fault,
        };
        if let Some(fault) = fault {
            self.report(&accessed, Found::Fault(fault));
        }
        fault.is_none()
    }

    /// Notes an access that is made, and reports it if it conflicts with a transfer.
    pub fn note(&self, site: u64, (address, bytes): (usize, usize)) {
        let number = site as usize;
        if self.checker.races.is_some()
            && self.is_shared(address)
            && let Some(at) = self.table().and_then(|table| table.sites.get(number))
        {
            if at.synchronises {
                self.synchronise_with_assembly(address, bytes);
            } else {
                let mut segment = self.checker.segment.borrow_mut();
                segment.add(address, bytes, at.access.writes, site);
            }
        }
        if self.may_conflict(address, bytes)
            && let Some(accessed) = Accessed::at(self.thread, site, (address, bytes))
        {
            self.report_conflicts(&accessed, &Rows::bytes(address, bytes));
        }
    }

    /// Whether bytes may be those of a transfer that has not been waited for.
    pub(super) fn may_conflict(&self, address: usize, bytes: usize) -> bool {
        let pending = self.checker.pending.borrow();
        pending.iter().any(|one| one.is_near(address, bytes))
    }

    /// What is wrong with the place of an access.
    pub(super) fn fault(
        &self,
        (address, bytes): (usize, usize),
        (origin, variable_bytes): (usize, usize),
    ) -> Option<Fault> {
        let block = match variable_bytes {
            0 => lookup::find(self.thread, &self.checker.launch.ddr, origin),
            bytes => Ok(Block {
                start: origin,
                bytes,
                memory: lookup::memory_of_variable(self.thread, origin),
                variable: None,
            }),
        };
        match block {
            Ok(block) if block.has(address, bytes) => None,
            Ok(block) => Some(Fault::Outside(block)),
            Err(Nowhere::Unknown) if origin == 0 => Some(Fault::Null),
            // A pointer may begin outside of the block that it leads into.
            Err(nowhere) => match lookup::find(self.thread, &self.checker.launch.ddr, address) {
                Ok(block) if block.has(address, bytes) => None,
                Ok(block) => Some(Fault::Outside(block)),
                Err(_) => Some(Fault::Nowhere(nowhere)),
            },
        }
    }

    /// Whether a transfer may start, which lasts after the call if `is_asynchronous`. `destination` is what it
    /// writes in memories that this thread may access.
    pub fn may_transfer(
        &self,
        channel: u32,
        source: &Side,
        destination: &Side,
        is_asynchronous: bool,
    ) -> bool {
        let mut is_right = true;
        for (side, writes) in [(source, false), (destination, true)] {
            let (address, extent) = side.extent();
            let accessed = Accessed {
                site: self.checker.call.get(),
                address,
                bytes: extent,
                writes,
                by: By::Transfer,
                alignment: 1,
            };
            if self.checker.launch.checks.memory {
                let start = (side.start.addr(), 0);
                if let Some(fault) = self.fault((address, extent), start) {
                    self.report(&accessed, Found::Fault(fault));
                    is_right = false;
                }
            }
            if is_right {
                self.report_conflicts(&accessed, &side.as_rows());
                self.note_rows(accessed.site, &side.as_rows(), writes);
            }
        }
        let checks = self.checker.launch.checks;
        if is_right && is_asynchronous && (checks.dma || checks.races) {
            self.checker.pending.borrow_mut().push(Pending {
                channel,
                site: self.checker.call.get(),
                source: source.as_rows(),
                destination: destination.as_rows(),
            });
            self.checker.update_reasons();
        }
        is_right
    }

    /// Whether a transfer may gather the element at an address, from around `origin`.
    pub fn may_gather(&self, address: usize, origin: usize) -> bool {
        let accessed = Accessed {
            site: self.checker.call.get(),
            address,
            bytes: ELEMENT,
            writes: false,
            by: By::Transfer,
            alignment: 1,
        };
        let fault = self.fault((address, ELEMENT), (origin, 0));
        let fault = fault.filter(|_| self.checker.launch.checks.memory);
        if let Some(fault) = fault {
            self.report(&accessed, Found::Fault(fault));
        }
        self.note_rows(accessed.site, &Rows::bytes(address, ELEMENT), false);
        fault.is_none()
    }

    /// Notes an access of a transfer.
    fn note_rows(&self, site: u64, rows: &Rows, writes: bool) {
        if self.checker.races.is_none() {
            return;
        }
        let mut segment = self.checker.segment.borrow_mut();
        for (start, bytes) in rows.each().filter(|(start, _)| self.is_shared(*start)) {
            segment.add(start, bytes, writes, site);
        }
    }

    /// Whether other threads may access the memory of an address, and it is not this thread's stack.
    pub(super) fn is_shared(&self, address: usize) -> bool {
        let thread = self.thread;
        !thread.stack.contains(&address)
            && lookup::memory_of(&thread.member().memory, address).is_none()
    }

    /// The thread synchronises, in an order that does not depend on the host: reports races of what it has
    /// accessed, and lets `act` order what follows.
    pub fn synchronise(&self, act: impl FnOnce(&mut Races, usize)) {
        let Some(races) = &self.checker.races else {
            return;
        };
        let found = {
            let mut races = races.lock();
            let found = races.end_segment(self.number(), self.checker.segment.take());
            act(&mut races, self.number());
            found
        };
        // Transfers continue.
        for transfer in self.checker.pending.borrow().iter() {
            self.note_rows(transfer.site, &transfer.source, false);
            self.note_rows(transfer.site, &transfer.destination, true);
        }
        for (other, conflict) in found {
            self.report_race(other, conflict);
        }
    }

    /// The thread does what threads do one after the other.
    pub fn take_turn(&self) {
        self.synchronise(|races, thread| {
            races.acquire(thread, SyncObject::Serial);
            races.release(thread, SyncObject::Serial);
        });
    }

    /// Whether threads are of one launch whose races are looked for.
    pub fn shares_races(&self, other: &Self) -> bool {
        let own = self.checker.races.as_ref();
        own.zip(other.checker.races.as_ref())
            .is_some_and(|(own, other)| Arc::ptr_eq(own, other))
    }

    /// The thread frees a block of the C library's heap, which no thread may take before the launch ends if
    /// races are looked for.
    pub fn free_later(&self, block: *mut libc::c_void) -> bool {
        self.checker.end_epoch();
        let races = self.checker.races.as_ref();
        races.is_some_and(|races| {
            races.lock().free_later(block);
            true
        })
    }

    fn report_race(&self, other: usize, conflict: Conflict) {
        let threads = [self.thread.number, other as u32];
        // The first one that writes.
        let first = usize::from(!conflict.accesses[0].writes);
        let access = conflict.accesses[first];
        let accessed = Accessed {
            site: access.site,
            address: conflict.address,
            bytes: conflict.bytes,
            writes: access.writes,
            by: By::Code,
            alignment: 1,
        };
        let race = Race {
            thread: threads[first],
            other_thread: threads[1 - first],
            other: conflict.accesses[1 - first],
        };
        self.report(&accessed, Found::Race(race));
    }

    pub(super) fn report_conflicts(&self, accessed: &Accessed, rows: &Rows) {
        if !self.checker.launch.checks.dma {
            return;
        }
        let pending = self.checker.pending.borrow();
        for transfer in pending.iter() {
            if let Some(conflict) = transfer.conflict(rows, accessed.writes) {
                self.report(accessed, Found::TooEarly(transfer.site, conflict));
            }
        }
    }

    /// The thread has taken a buffer.
    pub fn take_buffer(&self, start: usize) {
        let site = self.checker.call.get();
        self.checker.buffers.borrow_mut().take(start, site);
    }

    /// The thread gives a buffer back.
    pub fn give_back_buffer(&self, start: usize) {
        self.checker.end_epoch();
        let Ok(block) = lookup::find(self.thread, &self.checker.launch.ddr, start) else {
            return;
        };
        let site = self.checker.call.get();
        let freed = Accessed {
            site,
            address: block.start,
            bytes: block.bytes,
            writes: true,
            by: By::Free,
            alignment: 1,
        };
        self.report_conflicts(&freed, &Rows::bytes(block.start, block.bytes));
        self.define(block.start, block.bytes);
        self.checker.buffers.borrow_mut().give_back(block, site);
    }

    /// An exception stops the thread, at a place if that is known.
    pub fn stop(&self, message: String, at: Option<&SourcePlace>) {
        self.synchronise(Races::end);
        let none = CheckTable::default();
        let buffers = self.checker.buffers.borrow();
        let context = self.context(self.table().unwrap_or(&none), &buffers);
        output::report(vec![context.exception(message, at)]);
        self.report_counts();
    }

    /// The thread has ended.
    pub fn end(&self) {
        self.synchronise(Races::end);
        let pending = self.checker.pending.take().into_iter();
        for transfer in pending.filter(|_| self.checker.launch.checks.dma) {
            let accessed = Accessed {
                site: transfer.site,
                address: 0,
                bytes: 0,
                writes: true,
                by: By::Transfer,
                alignment: 1,
            };
            self.report(&accessed, Found::NeverWaitedFor);
        }
        self.report_counts();
    }

    /// Reports a use of a value that was never written, of a buffer if that is known.
    pub(super) fn report_undefined(&self, site: u64, origin: Option<Block>) {
        let used = Accessed {
            site,
            address: 0,
            bytes: 0,
            writes: false,
            by: By::Code,
            alignment: 1,
        };
        self.report(&used, Found::Undefined(origin));
    }

    fn report_counts(&self) {
        let again = self.checker.found.take().into_values();
        let again: Vec<Finding> = again.filter(|finding| finding.count > 0).collect();
        output::report(again);
    }

    pub(super) fn report(&self, accessed: &Accessed, found: Found) {
        let other = match found {
            Found::TooEarly(site, _) => Some(site),
            Found::Race(race) => Some(race.other.site),
            _ => None,
        };
        let key = (accessed.site, found.kind(), accessed.writes, other);
        let mut all = self.checker.found.borrow_mut();
        if let Some(known) = all.get_mut(&key) {
            known.count += 1;
            return;
        }
        let Some(table) = self.table() else {
            return;
        };
        let buffers = self.checker.buffers.borrow();
        let context = self.context(table, &buffers);
        let finding = context.finding(accessed, found);
        output::report(vec![finding.clone()]);
        all.insert(
            key,
            Finding {
                count: 0,
                ..finding
            },
        );
    }

    fn context<'a>(&'a self, table: &'a CheckTable, buffers: &'a Buffers) -> Context<'a> {
        Context {
            thread: self.thread,
            kernel: &self.checker.launch.kernel,
            table,
            buffers,
            ddr: &self.checker.launch.ddr,
        }
    }

    fn table(&self) -> Option<&CheckTable> {
        self.thread.code.checks().map(|checked| &checked.table)
    }
}
