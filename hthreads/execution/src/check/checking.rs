//! The checks of a thread, while it runs.

use super::block::{Block, Nowhere};
use super::buffers::Buffers;
use super::checker::Checker;
use super::lookup;
use super::message::{Accessed, By, Context, Fault, Found};
use super::output;
use super::pending::{Pending, Rows};
use crate::device_thread::DeviceThread;
use crate::dma::transfer::{ELEMENT, Side};
use findings::Finding;
use kernel_compiler::device_c::{CheckTable, SourcePlace};

/// A part of memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Its address.
    pub start: u64,
    /// Its size.
    pub bytes: u64,
}

/// A thread with its checks.
#[derive(Clone, Copy)]
pub struct Checking<'t> {
    thread: &'t DeviceThread,
    checker: &'t Checker,
}

impl<'t> Checking<'t> {
    /// The checks of a thread, if it is checked.
    pub fn of(thread: &'t DeviceThread) -> Option<Self> {
        let checker = thread.checker.as_ref()?;
        Some(Self { thread, checker })
    }

    /// The block that an address is in.
    pub fn extent(&self, address: usize) -> Option<Extent> {
        let block = lookup::find(self.thread, &self.checker.launch.ddr, address).ok()?;
        Some(Extent {
            start: block.start as u64,
            bytes: block.bytes as u64,
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

    /// Reports an access that conflicts with a transfer.
    pub fn look_for_transfers(&self, site: u64, (address, bytes): (usize, usize)) {
        let may_conflict = {
            let pending = self.checker.pending.borrow();
            pending.iter().any(|one| one.is_near(address, bytes))
        };
        if may_conflict && let Some(accessed) = Accessed::at(self.thread, site, (address, bytes)) {
            self.report_conflicts(&accessed, &Rows::bytes(address, bytes));
        }
    }

    /// What is wrong with the place of an access.
    fn fault(
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
            }
        }
        if is_right && is_asynchronous && self.checker.launch.checks.dma {
            self.checker.pending.borrow_mut().push(Pending {
                channel,
                site: self.checker.call.get(),
                source: source.as_rows(),
                destination: destination.as_rows(),
            });
            self.checker.count_pending();
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
        fault.is_none()
    }

    fn report_conflicts(&self, accessed: &Accessed, rows: &Rows) {
        let pending = self.checker.pending.borrow();
        for transfer in pending.iter() {
            if let Some(conflict) = transfer.conflict(rows, accessed.writes) {
                self.report(accessed, Found::TooEarly(transfer.site, conflict));
            }
        }
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
        self.checker.buffers.borrow_mut().give_back(block, site);
    }

    /// An exception stops the thread, at a place if that is known.
    pub fn stop(&self, message: String, at: Option<&SourcePlace>) {
        let none = CheckTable::default();
        let buffers = self.checker.buffers.borrow();
        let context = self.context(self.table().unwrap_or(&none), &buffers);
        output::report(vec![context.exception(message, at)]);
        self.report_counts();
    }

    /// The thread has ended.
    pub fn end(&self) {
        for transfer in self.checker.pending.take() {
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

    fn report_counts(&self) {
        let again = self.checker.found.take().into_values();
        let again: Vec<Finding> = again.filter(|finding| finding.count > 0).collect();
        output::report(again);
    }

    fn report(&self, accessed: &Accessed, found: Found) {
        let transfer = match found {
            Found::TooEarly(site, _) => Some(site),
            _ => None,
        };
        let key = (accessed.site, found.kind(), accessed.writes, transfer);
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
        }
    }

    fn table(&self) -> Option<&CheckTable> {
        self.thread.code.checks().map(|checked| &checked.table)
    }
}
