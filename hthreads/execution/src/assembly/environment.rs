//! What assembled code accesses and calls, as the thread that executes it.

use super::convention;
use crate::check::{AssemblyAccess, AssemblyAccesses, Checking};
use crate::device_functions::of_thread;
use crate::device_thread::{DeviceThread, Request};
use crate::faults::interruption;
use device_assembly::execution::{Access, Environment, Fault, Registers, Side};
use kernel_compiler::device_c::MAX_ARGUMENTS;
use kernel_compiler::device_c::assembly::{Assembly, MOST_ARGUMENTS};

/// Loads of memory outside the array after which other threads may run: code may wait for what they write, without
/// a call in its loop.
const MOST_LOADS: u32 = 1 << 10;

/// A thread that executes assembled code.
pub struct ThreadEnvironment<'t> {
    pub(super) thread: &'t DeviceThread,
    assembly: &'t Assembly,
    /// Addresses of AM, of SM, and of the stack of code from C.
    am: (u64, u64),
    sm: (u64, u64),
    stack: (u64, u64),
    is_timed: bool,
    /// The packet that is executed.
    at: (usize, u32),
    /// The packet with the branch that is taken.
    branched: (usize, u32),
    loads: u32,
    /// Its checks, if it is checked.
    checks: Option<AssemblyAccesses<'t>>,
    /// Whether no other thread runs until the next access of the scalar unit has been made.
    is_alone: bool,
}

fn is_in(range: (u64, u64), address: u64, bytes: u64) -> bool {
    address >= range.0 && address <= range.1.saturating_sub(bytes)
}

impl<'t> ThreadEnvironment<'t> {
    /// A thread that begins at a packet.
    pub fn new(thread: &'t DeviceThread, at: (usize, u32)) -> Self {
        let memory = &thread.member().memory;
        let range = |memory: &crate::memory::array::Scratchpad| {
            (memory.start() as u64, memory.end() as u64)
        };
        Self {
            thread,
            assembly: thread.code.assembly(),
            am: range(&memory.am),
            sm: range(&memory.sm),
            stack: (thread.stack.start as u64, thread.stack.end as u64),
            is_timed: thread.progress.is_some(),
            at,
            branched: at,
            loads: 0,
            checks: Checking::of(thread).map(AssemblyAccesses::new),
            is_alone: false,
        }
    }

    /// Gives code the registers that the thread has in C as well.
    pub fn enter(&self, registers: &mut Registers) {
        registers.set_lane_mask(self.thread.lane_mask.get());
        registers.exchange = self.thread.exchange.get();
    }

    /// Gives them back.
    pub fn leave(&self, registers: &Registers) {
        self.thread.lane_mask.set(registers.lane_mask());
        self.thread.exchange.set(registers.exchange);
    }

    /// Notes for call stacks where code has caused a fault.
    pub fn note_fault(&self, fault: Fault) {
        self.note(match fault {
            Fault::NoCode(_) => self.branched,
            _ => self.at,
        });
    }

    fn note(&self, at: (usize, u32)) {
        if let Some(last) = self.thread.activations.borrow_mut().last_mut() {
            last.at = at;
        }
    }

    /// Counts in simulated time.
    fn count(&self, counter: Option<u32>, times: u64) {
        if let (Some(counter), Some(progress)) = (counter, &self.thread.progress) {
            progress.borrow().count(counter, times);
        }
    }

    /// Counts a load from memory outside the array, before which other threads may run.
    fn count_load(&mut self) {
        self.loads += 1;
        if self.loads == MOST_LOADS {
            self.loads = 0;
            self.thread.ask(Request::Alone);
            self.thread.ask(Request::Together);
        }
    }

    /// Loads from memory outside the array.
    fn load_outside(&mut self, at: (usize, u32), address: u64) {
        // Checked loads have been counted: no other thread may run between the check and the load.
        if self.checks.is_none() {
            self.count_load();
        }
        if !self.is_timed {
            return;
        }
        let counters = self.assembly.counters(at);
        self.count(counters.and_then(|one| one.loaded), 1);
        if self.thread.data_cache.borrow_mut().misses(address) {
            let memory = self.thread.shared_memory(address as usize);
            self.count(counters.and_then(|one| one.missed(memory)), 1);
        }
    }

    /// Whether an access is outside the array.
    fn is_outside(&self, address: u64, bytes: u64) -> bool {
        ![self.sm, self.am, self.stack]
            .into_iter()
            .any(|range| is_in(range, address, bytes))
    }

    /// Calls `access`; a fault meanwhile is one of the thread.
    fn accessing<R>(&self, access: impl FnOnce() -> R) -> R {
        self.thread.is_accessing.set(true);
        let result = access();
        self.thread.is_accessing.set(false);
        result
    }

    /// Lets other threads run again if an access had to be made alone.
    fn end_access(&mut self) {
        if std::mem::take(&mut self.is_alone) {
            self.thread.ask(Request::Together);
        }
    }

    /// Where words of AM are. Vectors that are variables of functions in C are in AM on the machine, on the stack here.
    fn words(&self, address: u64, bytes: u64) -> Result<*mut u8, Fault> {
        let address = of_thread(self.thread, address);
        match is_in(self.am, address, bytes) || is_in(self.stack, address, bytes) {
            true => Ok(std::ptr::with_exposed_provenance_mut(address as usize)),
            false => Err(Fault::OutOfRange(Side::Vector, address)),
        }
    }
}

impl Environment for ThreadEnvironment<'_> {
    fn is_checked(&self) -> bool {
        self.checks.is_some()
    }

    fn may_access(&mut self, access: &Access, registers: &Registers) -> bool {
        let address = of_thread(self.thread, access.address);
        // That is an exception.
        if access.side == Side::Vector && !is_in(self.am, address, access.bytes) {
            return true;
        }
        if !access.writes && self.is_outside(address, access.bytes) {
            self.note(access.at);
            self.count_load();
        }
        let Some(checks) = &mut self.checks else {
            return true;
        };
        let one = AssemblyAccess {
            site: self.assembly.site(access.at, access.instruction),
            address: address as usize,
            bytes: access.bytes as usize,
            writes: access.writes,
            is_of_stack: convention::is_stack(access.base),
        };
        if !checks.is_known(one.address, one.bytes) {
            if let Some(last) = self.thread.activations.borrow_mut().last_mut() {
                last.stacks = convention::stacks(registers);
            }
            if !checks.may(&one) {
                return false;
            }
        }
        let (thread, is_alone) = (self.thread, &mut self.is_alone);
        checks.note(&one, || {
            if !std::mem::replace(is_alone, true) {
                thread.ask(Request::Alone);
            }
        });
        true
    }

    fn load(&mut self, at: (usize, u32), address: u64, bytes: u64) -> Result<u64, Fault> {
        let address = of_thread(self.thread, address);
        if self.is_outside(address, bytes) {
            self.note(at);
            self.load_outside(at, address);
        }
        let from = std::ptr::with_exposed_provenance::<u8>(address as usize);
        let mut word = [0; 8];
        let bytes = (bytes as usize).min(8);
        // SAFETY: as for code from C, memory that is not there is a fault, which stops the thread.
        self.accessing(|| unsafe { from.copy_to(word.as_mut_ptr(), bytes) });
        self.end_access();
        Ok(u64::from_le_bytes(word))
    }

    fn store(
        &mut self,
        at: (usize, u32),
        address: u64,
        bytes: u64,
        value: u64,
    ) -> Result<(), Fault> {
        let address = of_thread(self.thread, address);
        if self.is_outside(address, bytes) {
            self.note(at);
        }
        let to = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        let bytes = (bytes as usize).min(8);
        // SAFETY: as for code from C, memory that is not there is a fault, which stops the thread.
        self.accessing(|| unsafe { to.copy_from(value.to_le_bytes().as_ptr(), bytes) });
        self.end_access();
        Ok(())
    }

    fn load_vector(&mut self, address: u64, words: &mut [u64]) -> Result<(), Fault> {
        let bytes = size_of_val(words);
        let from = self.words(address, bytes as u64)?;
        // SAFETY: the range is of AM, which exists while the thread does.
        unsafe { from.copy_to(words.as_mut_ptr().cast(), bytes) };
        Ok(())
    }

    fn store_vector(&mut self, address: u64, words: &[u64]) -> Result<(), Fault> {
        let bytes = size_of_val(words);
        let to = self.words(address, bytes as u64)?;
        // SAFETY: the range is of AM, which exists while the thread does.
        unsafe { to.copy_from(words.as_ptr().cast(), bytes) };
        Ok(())
    }

    fn store_half(&mut self, address: u64, half: u32) -> Result<(), Fault> {
        let to = self.words(address, 4)?;
        // SAFETY: the range is of AM, which exists while the thread does.
        unsafe { to.copy_from(half.to_le_bytes().as_ptr(), 4) };
        Ok(())
    }

    fn issue(&mut self, at: (usize, u32)) {
        self.at = at;
        if self.is_timed {
            let counters = self.assembly.counters(at);
            self.count(counters.map(|one| one.issued), 1);
        }
    }

    fn idle(&mut self, at: (usize, u32), cycles: u32) {
        if self.is_timed {
            let counters = self.assembly.counters(at);
            self.count(counters.and_then(|one| one.idle), cycles.into());
        }
    }

    fn branch(&mut self, at: (usize, u32)) {
        self.branched = at;
        if interruption::is_closing(self.thread.group.cluster()) {
            self.thread.halt();
        }
        if self.is_timed {
            let counters = self.assembly.counters(at);
            self.count(counters.and_then(|one| one.taken), 1);
        }
    }

    fn function(&self, address: u64) -> Option<(usize, u32)> {
        self.assembly.function(address)
    }

    fn call(&mut self, address: u64, registers: &mut Registers) -> Result<(), Fault> {
        let call = self.assembly.native(address);
        let call = call.ok_or(Fault::NoCode(address))?;
        if let Some(last) = self.thread.activations.borrow_mut().last_mut() {
            last.at = self.branched;
            last.stacks = convention::stacks(registers);
        }
        if let Some(checker) = &self.thread.checker {
            checker.call(self.assembly.site_of_branch(self.branched));
        }
        let mut arguments = [0; MAX_ARGUMENTS];
        arguments[..MOST_ARGUMENTS].copy_from_slice(&convention::arguments(registers));
        self.leave(registers);
        // SAFETY: the function reads no more than `MAX_ARGUMENTS` words.
        convention::set_result(registers, unsafe { call(arguments.as_ptr()) });
        self.enter(registers);
        Ok(())
    }

    fn barrier(&mut self, unit: u64) -> Result<(), Fault> {
        self.note(self.at);
        let threads = self.thread.group.size as usize;
        self.thread.meet(unit as u32, threads, None);
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Fault> {
        self.note(self.at);
        self.thread.ask(Request::WaitForInterrupt);
        Ok(())
    }

    fn interrupt(&mut self, _number: u64) -> Result<(), Fault> {
        Err(Fault::Invalid)
    }
}
