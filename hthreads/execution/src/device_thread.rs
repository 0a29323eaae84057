//! A thread as the functions that it calls see it, and what it asks of the scheduler.

use crate::arithmetic::Arithmetic;
use crate::assembly::{Activation, DataCache};
use crate::check::Checker;
use crate::dma::channels::Channels;
use crate::exception::Raised;
use crate::faults::{self, Call};
use crate::group::{Group, Member};
use crate::interrupts::Interrupts;
use crate::memory::shared::ClusterMemory;
use crate::progress::Progress;
use crate::scheduler::fingerprint;
use crate::stacks::Stacks;
use corosensei::Yielder;
use device_sim::machine::{Machine, SharedMemory};
use kernel_compiler::device_c::DeviceCode;
use std::cell::{Cell, RefCell, RefMut};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// What a thread asks of the scheduler, which answers with a number when it lets the thread continue.
#[derive(Clone, Copy, Debug)]
pub enum Request {
    /// To continue while no other thread of the cluster runs, until its next request.
    Alone,
    /// As `Alone`, to access a volatile variable.
    Access,
    /// To continue together with the others.
    Together,
    /// To continue when that many threads are at a barrier unit. If it is limited, an exception ends
    /// the wait after that number of cycles or, without simulated time, when no other thread can
    /// continue.
    Barrier {
        /// The unit.
        unit: u32,
        /// All threads.
        threads: usize,
        /// See above.
        limit: Option<u64>,
    },
    /// To continue with a lock.
    Lock {
        /// The lock.
        unit: u32,
        /// Whether to write.
        writes: bool,
    },
    /// To get a lock that is free: 1, or 0.
    TryLock {
        /// The lock.
        unit: u32,
        /// Whether to write.
        writes: bool,
    },
    /// To give a lock back.
    Unlock(u32),
    /// To continue later.
    Sleep(Duration),
    /// To know the cycle of simulated time.
    Clock,
    /// To know whether transfers of an event are in flight in simulated time: 1, or 0.
    IsPending(u32),
    /// To interrupt the host program with a number, without waiting for it.
    InterruptHost(u64),
    /// As that; the host library shows the number.
    TestInterrupt(u64),
    /// To continue when an interrupt has been taken.
    WaitForInterrupt,
    /// To continue the wait that an interrupt has interrupted.
    WaitOn,
    /// To be stopped by an exception.
    Raise(Raised),
    /// To be stopped.
    Halt,
}

/// The scheduler's end of a thread.
pub type Suspender = Yielder<u64, Request>;

/// Number of events of the performance monitor.
pub const EVENTS: usize = 26;

/// A thread.
pub struct DeviceThread {
    /// Its number in the group.
    pub number: u32,
    /// Its group.
    pub group: Arc<Group>,
    /// The launch of the group that it is part of.
    pub launch: u64,
    /// The addresses of its stack on the host.
    pub stack: Range<usize>,
    /// The part of it that the kernel uses while the thread is suspended.
    pub frames: Cell<(usize, usize)>,
    /// How often it has read the host's clock.
    pub clock_reads: Cell<u64>,
    /// A number for what it has written to volatile variables since its state was compared.
    pub written: Cell<u64>,
    /// Whether it has to note its calls at its next request.
    pub notes_calls: Cell<bool>,
    /// The machine's stacks.
    pub stacks: Stacks,
    /// Its DMA channels.
    pub channels: RefCell<Channels>,
    /// SVR0 to SVR15.
    pub exchange: Cell<[u64; 16]>,
    /// Whether it copies what a transfer moves.
    pub is_transferring: Cell<bool>,
    /// Whether it accesses memory for code in assembly.
    pub is_accessing: Cell<bool>,
    /// Functions in assembly that have not returned, the last one called last.
    pub activations: RefCell<Vec<Activation>>,
    /// What code in assembly has loaded.
    pub data_cache: RefCell<DataCache>,
    /// The calls that led to its exception, or to where it busy-waits.
    pub calls: RefCell<Vec<Call>>,
    /// Counts of the events at their starts, of those that are counted.
    pub events: Cell<[Option<u64>; EVENTS]>,
    /// Interrupts of the host.
    pub interrupts: Interrupts,
    /// Its exceptions of arithmetic.
    pub arithmetic: Arithmetic,
    /// VLR.
    pub lane_mask: Cell<u16>,
    /// HBSM of its cluster.
    pub hbsm: Arc<ClusterMemory>,
    /// The machine.
    pub machine: &'static Machine,
    /// The image.
    pub code: Arc<DeviceCode>,
    /// What it has done, in simulated time.
    pub progress: Option<RefCell<Progress>>,
    /// Its checks, if its code is checked.
    pub checker: Option<Checker>,
    /// Set when the thread starts.
    pub suspender: Cell<*const Suspender>,
}

thread_local! {
    static CURRENT: Cell<*const DeviceThread> = const { Cell::new(std::ptr::null()) };
}

/// Lets `thread` be that which runs on this host thread.
pub fn set_current(thread: *const DeviceThread) {
    CURRENT.set(thread);
}

/// The thread that runs on this host thread, if one does. For signal handlers.
pub fn running<'t>() -> Option<&'t DeviceThread> {
    // SAFETY: set while a thread runs, which outlives its own functions.
    unsafe { CURRENT.get().as_ref() }
}

/// The thread that runs. Functions that device code calls get it once: after a suspension they may
/// run on another host thread, whose variable the compiler might read at the address of the first.
#[inline(never)]
pub fn current<'t>() -> &'t DeviceThread {
    // SAFETY: device code runs in threads only, and the scheduler sets the variable before it lets
    // one continue; a thread outlives its own functions.
    unsafe { &*CURRENT.get() }
}

impl Request {
    /// Whether a thread may request nothing else while it busy-waits.
    pub fn is_poll(self) -> bool {
        matches!(self, Self::Access | Self::Together | Self::TryLock { .. })
    }
}

impl DeviceThread {
    /// Its array.
    pub fn member(&self) -> &Member {
        &self.group.members[self.number as usize]
    }

    /// The record of what it does, if it has simulated time.
    pub fn progress(&self) -> Option<RefMut<'_, Progress>> {
        self.progress.as_ref().map(RefCell::borrow_mut)
    }

    /// The memory outside the core that an address is in.
    pub fn shared_memory(&self, address: usize) -> SharedMemory {
        let in_gsm =
            |(start, bytes): &(u64, u64)| (*start..start + bytes).contains(&(address as u64));
        if self.code.gsm().iter().any(in_gsm) {
            SharedMemory::Gsm
        } else if self.hbsm.contains(address) {
            SharedMemory::Hbsm
        } else {
            SharedMemory::Ddr
        }
    }

    /// Waits until the scheduler answers, and takes interrupts that have arrived.
    pub fn ask(&self, request: Request) -> u64 {
        let mut answer = self.suspend(request);
        while self.interrupts.take_interrupted_wait() {
            self.take_interrupts();
            answer = self.suspend(Request::WaitOn);
        }
        // Nothing else happens while a thread runs alone.
        if !matches!(request, Request::Alone | Request::Access) {
            self.take_interrupts();
        }
        answer
    }

    /// Calls the handler for each interrupt that has arrived.
    pub fn take_interrupts(&self) {
        while self.interrupts.handle() {}
    }

    /// Waits until the scheduler answers.
    fn suspend(&self, request: Request) -> u64 {
        if self.notes_calls.take() {
            *self.calls.borrow_mut() = faults::calls(&self.activations.borrow());
        }
        let here = (&raw const request).addr();
        self.frames.set((here, self.frames.get().1));
        // SAFETY: the thread runs, so that it has started; the suspender is on its stack.
        unsafe { &*self.suspender.get() }.suspend(request)
    }

    /// Stops for ever.
    pub fn halt(&self) -> ! {
        loop {
            self.ask(Request::Halt);
        }
    }

    /// Does something while no other thread of the cluster runs, in an order that does not depend on
    /// the host.
    pub fn alone<R>(&self, act: impl FnOnce() -> R) -> R {
        self.ask(Request::Alone);
        let result = act();
        self.ask(Request::Together);
        result
    }

    /// Notes that it writes bits to a volatile variable.
    pub fn note_write(&self, bits: u64) {
        self.written
            .update(|before| fingerprint(std::iter::once(bits), before));
    }

    /// Stops for ever.
    pub fn raise(&self, raised: Raised) -> ! {
        *self.calls.borrow_mut() = faults::calls(&self.activations.borrow());
        loop {
            self.ask(Request::Raise(raised));
        }
    }
}
