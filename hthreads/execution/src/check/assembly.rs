//! Accesses of code in assembly. Its pointers have no origin, so that only the block counts that an address is in.

use super::block::{Block, Memory};
use super::checking::Checking;
use super::lookup;
use super::message::{Accessed, By, Found};
use super::pending::Rows;

/// Blocks that are kept: a loop accesses few.
const RECENT: usize = 4;

/// The checks of the accesses of a call of assembly.
pub struct AssemblyAccesses<'t> {
    checking: Checking<'t>,
    /// Blocks that were found last, until memory is freed.
    recent: [Option<Block>; RECENT],
    next: usize,
    epoch: u64,
}

/// An access by an instruction.
#[derive(Clone, Copy, Debug)]
pub struct AssemblyAccess {
    /// The number of the instruction.
    pub site: u64,
    /// The first byte.
    pub address: usize,
    /// The number of bytes.
    pub bytes: usize,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is relative to the register of a stack.
    pub is_of_stack: bool,
}

impl AssemblyAccess {
    fn accessed(&self) -> Accessed {
        Accessed {
            site: self.site,
            address: self.address,
            bytes: self.bytes,
            writes: self.writes,
            by: By::Code,
            alignment: 1,
        }
    }
}

impl<'t> AssemblyAccesses<'t> {
    /// Those of a thread that is checked.
    pub fn new(checking: Checking<'t>) -> Self {
        Self {
            checking,
            recent: [None; RECENT],
            next: 0,
            epoch: checking.checker.epoch(),
        }
    }

    /// Whether an access is within a block that is known.
    pub fn is_known(&mut self, address: usize, bytes: usize) -> bool {
        let epoch = self.checking.checker.epoch();
        if epoch != self.epoch {
            self.epoch = epoch;
            self.recent = [None; RECENT];
        }
        let mut recent = self.recent.iter().flatten();
        !self.checking.checker.launch.checks.memory || recent.any(|one| one.has(address, bytes))
    }

    /// Whether an access may be made that is not within a known block.
    pub fn may(&mut self, access: &AssemblyAccess) -> bool {
        let (address, bytes) = (access.address, access.bytes);
        let Checking { thread, checker } = self.checking;
        if let Ok(block) = lookup::find(thread, &checker.launch.ddr, address)
            && block.has(address, bytes)
        {
            // The stack of assembly grows and shrinks.
            if block.memory != Memory::Stack {
                self.recent[self.next % RECENT] = Some(block);
                self.next += 1;
            }
            return true;
        }
        // Code may store below the end of the stack before it moves that.
        if access.is_of_stack && lookup::memory_of(&thread.member().memory, address).is_some() {
            return true;
        }
        let fault = self.checking.fault((address, bytes), (address, 0));
        if let Some(fault) = fault {
            self.checking
                .report(&access.accessed(), Found::Fault(fault));
        }
        fault.is_none()
    }

    /// Notes an access that is made, and reports it if it conflicts with a transfer. If C accesses the same memory by
    /// volatile or atomic accesses, `alone` is called, which lets no other thread run until the access is made.
    pub fn note(&self, access: &AssemblyAccess, alone: impl FnOnce()) {
        let (address, bytes) = (access.address, access.bytes);
        let Checking { thread, checker } = self.checking;
        if access.writes {
            self.checking.define(address, bytes);
        }
        if let Some(races) = &checker.races
            && self.checking.is_shared(address)
        {
            let is_volatile = {
                let mut races = races.lock();
                if access.writes {
                    races.store(thread.number as usize, address, bytes);
                }
                races.is_volatile(address, bytes)
            };
            if is_volatile {
                alone();
                self.checking.take_turn();
            } else {
                let mut segment = checker.segment.borrow_mut();
                segment.add(address, bytes, access.writes, access.site);
            }
        }
        if self.checking.may_conflict(address, bytes) {
            let rows = Rows::bytes(address, bytes);
            self.checking.report_conflicts(&access.accessed(), &rows);
        }
    }
}

impl Checking<'_> {
    /// The thread makes a volatile or atomic access in C, which orders what assembly does with the same memory.
    pub(super) fn synchronise_with_assembly(&self, address: usize, bytes: usize) {
        if !self.thread.code.assembly().codes().is_empty()
            && let Some(races) = &self.checker.races
        {
            let mut races = races.lock();
            races.synchronise_at(self.number(), address, bytes);
        }
    }
}
