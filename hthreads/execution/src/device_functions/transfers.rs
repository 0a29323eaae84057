//! DMA transfers.

use crate::check::Checking;
use crate::device_thread::{DeviceThread, Request, current};
use crate::dma::channels::Channels;
use crate::dma::transfer::{self, Side};
use crate::exception::{Exception, Raised};
use crate::progress::{Moved, event};

/// Modes of transfers in handles.
const POINT_TO_POINT: u32 = 0;
const BROADCAST: u32 = 1;
const SEGMENT: u32 = 2;
const GATHER: u32 = 3;

/// Which channel a transfer uses.
#[derive(Clone, Copy)]
enum Channel {
    /// The first idle one.
    Idle,
    /// That one.
    Chosen(u32),
}

impl DeviceThread {
    /// Takes a channel for a transfer; its handle. From the low bits: channel (5), core (5), block
    /// (1), mode (2).
    fn begin(&self, channel: Channel, mode: u32) -> u32 {
        let taken = {
            let mut channels = self.channels.borrow_mut();
            match channel {
                Channel::Idle => channels.take_idle().ok_or(Exception::NO_IDLE_CHANNEL),
                Channel::Chosen(number) if !Channels::exists(number) => Err(Exception::PARAMETER),
                Channel::Chosen(number) => match channels.take(number) {
                    true => Ok(number),
                    false => Err(Exception::CHANNEL_BUSY),
                },
            }
        };
        match taken {
            Ok(number) => number | self.member().core << 5 | mode << 11,
            Err(exception) => self.raise(Raised::new(exception)),
        }
    }

    fn end(&self, handle: u32) {
        self.wait_in_time(handle);
        if self.progress().is_some_and(|progress| progress.is_full()) {
            self.ask(Request::Together);
        }
        self.channels.borrow_mut().release(handle & 31);
        self.end_checked(handle);
    }

    /// Notes for the checks that a transfer has been waited for.
    fn end_checked(&self, handle: u32) {
        if let Some(checker) = &self.checker {
            checker.end_transfer(handle & 31);
        }
    }

    /// Notes a transfer for simulated time.
    fn note(&self, handle: u32, source: &Side, destination: &Side) {
        if let Some(mut progress) = self.progress() {
            let in_core = [source, destination].map(|side| side.is_in_core(self));
            let memory = |side: &Side| self.shared_memory(side.start.addr());
            let (memory, second) = match in_core {
                [false, false] => (memory(source), Some(memory(destination))),
                [false, true] => (memory(source), None),
                [true, _] => (memory(destination), None),
            };
            progress.transfer(&Moved {
                channel: handle & 31,
                rows: source.rows.max(destination.rows),
                bytes: source.bytes(),
                to_core: in_core[1],
                memory,
                second,
            });
        }
    }

    /// Lets the thread wait for a transfer in simulated time.
    fn wait_in_time(&self, handle: u32) {
        if let Some(mut progress) = self.progress() {
            progress.wait(handle & 31);
        }
    }

    /// Stops the thread if the engine refuses a transfer.
    fn check(&self, source: &Side, destination: &Side, parts: u32) {
        if let Err(raised) = transfer::check(self, source, destination, parts) {
            self.raise(raised);
        }
    }

    /// Whether the checks of the thread, if there are any, let a transfer start, which lasts after the call if
    /// `is_asynchronous`.
    fn may_transfer(
        &self,
        handle: u32,
        source: &Side,
        destination: &Side,
        is_asynchronous: bool,
    ) -> bool {
        Checking::of(self).is_none_or(|checking| {
            checking.may_transfer(handle & 31, source, destination, is_asynchronous)
        })
    }

    /// Copies what is known of definedness, as a transfer has copied bytes.
    fn transfer_shadow(&self, source: &Side, first: u64, destination: &Side) {
        if let Some(checking) = Checking::of(self) {
            checking.transfer_shadow(source, first, destination);
        }
    }

    /// Copies; a fault meanwhile is one of the transfer.
    fn transferring<R>(&self, copy: impl FnOnce() -> R) -> R {
        self.is_transferring.set(true);
        let result = copy();
        self.is_transferring.set(false);
        result
    }

    /// # Safety
    /// Rows outside the core can be read at the source and written at the destination.
    unsafe fn copy(&self, channel: Channel, source: &Side, destination: &Side) -> u32 {
        let handle = self.begin(channel, POINT_TO_POINT);
        self.check(source, destination, 1);
        if self.may_transfer(handle, source, destination, true) {
            // SAFETY: rows in the core are within its memories; the caller vouches for the others.
            self.transferring(|| unsafe { transfer::copy(source, 0, destination) });
            self.transfer_shadow(source, 0, destination);
        }
        self.note(handle, source, destination);
        handle
    }

    /// # Safety
    /// As `copy`.
    unsafe fn copy_row(&self, source: *mut u8, destination: *mut u8, bytes: u32) -> u32 {
        let (source, destination) = (Side::row(source, bytes), Side::row(destination, bytes));
        // SAFETY: as the caller promises.
        unsafe { self.copy(Channel::Idle, &source, &destination) }
    }

    /// All threads of the group meet at a barrier unit.
    fn meet_all(&self, unit: u32) {
        self.meet(unit, self.group.size as usize, None);
    }

    /// A place in AM or SM of this core, in those of another one.
    fn in_core(&self, place: *mut u8, member: usize) -> *mut u8 {
        let (own, other) = (&self.member().memory, &self.group.members[member].memory);
        for (own, other) in [(&own.am, &other.am), (&own.sm, &other.sm)] {
            if own.bytes_from(place.addr()).is_some() {
                let offset = place.addr() - own.start();
                return std::ptr::with_exposed_provenance_mut(other.start() + offset);
            }
        }
        place
    }

    /// Each thread of the group calls; the one on core `issuer` transfers to the place of
    /// `destination` in each core, while the others wait at the barrier unit.
    ///
    /// # Safety
    /// As `copy`.
    unsafe fn broadcast(
        &self,
        channel: Channel,
        source: &Side,
        destination: &Side,
        issuer: u32,
        unit: u32,
    ) -> u32 {
        let handle = self.begin(channel, BROADCAST);
        self.meet_all(unit);
        if self.member().core == issuer {
            self.check(source, destination, 1);
            let receivers = match self.may_transfer(handle, source, destination, false) {
                true => self.group.members.len(),
                false => 0,
            };
            for member in 0..receivers {
                let there = destination.at(self.in_core(destination.start, member));
                // SAFETY: as in `copy`; the memories of all arrays are alike.
                self.transferring(|| unsafe { transfer::copy(source, 0, &there) });
                self.transfer_shadow(source, 0, &there);
            }
            self.note(handle, source, destination);
            self.wait_in_time(handle);
        }
        self.meet_all(unit);
        handle
    }

    /// Each thread of the group calls; the one on core `cores.0` divides the source among
    /// `cores.1` cores, from itself on in steps of `cores.2`. `destination` is the part of one core.
    ///
    /// # Safety
    /// As `copy`.
    unsafe fn segment(
        &self,
        channel: Channel,
        source: &Side,
        destination: &Side,
        cores: (u32, u32, u32),
        unit: u32,
    ) -> u32 {
        let handle = self.begin(channel, SEGMENT);
        let (first, count, step) = cores;
        self.meet_all(unit);
        if self.member().core == first {
            if let Err(raised) = transfer::check_parts(source, count, step) {
                self.raise(raised);
            }
            self.check(source, destination, count);
            let parts = match self.may_transfer(handle, source, destination, false) {
                true => count,
                false => 0,
            };
            for part in 0..parts {
                let core = first + part * step;
                let mut members = self.group.members.iter();
                let Some(member) = members.position(|member| member.core == core) else {
                    continue;
                };
                let there = destination.at(self.in_core(destination.start, member));
                let from = u64::from(part) * destination.bytes();
                // SAFETY: as in `copy`; the memories of all arrays are alike.
                self.transferring(|| unsafe { transfer::copy(source, from, &there) });
                self.transfer_shadow(source, from, &there);
            }
            self.note(handle, source, destination);
            self.wait_in_time(handle);
        }
        self.meet_all(unit);
        handle
    }

    /// # Safety
    /// `index` has an offset for each 8 bytes; they lead to bytes that can be read.
    unsafe fn gather(
        &self,
        channel: Channel,
        base: *mut u8,
        index: *const i32,
        bytes: u64,
        destination: &Side,
    ) -> u32 {
        let handle = self.begin(channel, GATHER);
        if let Err(raised) = transfer::check_gather(self, base, bytes, destination) {
            self.raise(raised);
        }
        let first = &Side::row(base, transfer::ELEMENT as u32);
        let checking = Checking::of(self);
        if self.may_transfer(handle, first, destination, true) {
            let may_read =
                |address| checking.is_none_or(|one| one.may_gather(address, base.addr()));
            // SAFETY: as the caller promises; the destination is within a memory of the core.
            let gather = || unsafe { transfer::gather(base, index, bytes, destination, may_read) };
            self.transferring(gather);
            if let Some(checking) = checking {
                checking.define_rows(destination);
            }
        }
        // Each element is a row of its own.
        let elements = Side {
            start: base,
            rows: bytes / transfer::ELEMENT as u64,
            row_bytes: transfer::ELEMENT as u32,
            gap: 0,
        };
        self.note(handle, &elements, destination);
        handle
    }
}

/// Both sides of a transfer, as its arguments give them.
macro_rules! side {
    ($start:ident, $rows:ident, $bytes:ident, $gap:ident) => {
        &Side {
            start: $start,
            rows: $rows,
            row_bytes: $bytes,
            gap: $gap,
        }
    };
}

/// Copies of a row, which wait or not.
macro_rules! rows {
    ($($wait:ident, $start:ident;)*) => {
        $(
            /// # Safety
            /// Memory outside the core can be read or written.
            pub unsafe extern "C" fn $wait(from: *mut u8, to: *mut u8, bytes: u32) -> i32 {
                let thread = current();
                // SAFETY: as the caller promises.
                let handle = unsafe { thread.copy_row(from, to, bytes) };
                thread.end(handle);
                bytes as i32
            }

            /// # Safety
            /// Memory outside the core can be read or written.
            pub unsafe extern "C" fn $start(from: *mut u8, to: *mut u8, bytes: u32) -> u32 {
                // SAFETY: as the caller promises.
                unsafe { current().copy_row(from, to, bytes) }
            }
        )*
    };
}

rows! {
    vector_load, vector_load_async;
    vector_store, vector_store_async;
    scalar_load, scalar_load_async;
    scalar_store, scalar_store_async;
}

/// Functions with the arguments of both sides and others: each is safe to call if the rows outside the
/// core can be read at the source and written at the destination.
macro_rules! transfers {
    ($(fn $name:ident($($argument:ident: $ty:ty),*)
        |$thread:ident, $source:ident, $destination:ident| $body:expr)*) => {
        $(
            /// # Safety
            /// Memory outside the core can be read or written.
            #[allow(clippy::too_many_arguments, reason = "the machine's interface")]
            pub unsafe extern "C" fn $name(
                src: *mut u8, src_rows: u64, src_bytes: u32, src_gap: i32,
                dst: *mut u8, dst_rows: u64, dst_bytes: u32, dst_gap: i32,
                $($argument: $ty),*
            ) -> u32 {
                let $thread = current();
                let $source = side!(src, src_rows, src_bytes, src_gap);
                let $destination = side!(dst, dst_rows, dst_bytes, dst_gap);
                // SAFETY: as the caller promises.
                unsafe { $body }
            }
        )*
    };
}

// Fetching rows in step with other cores changes the time only, and so does a priority.
transfers! {
    fn dma_p2p(_in_step: bool, _cores: u32)
        |thread, source, destination| thread.copy(Channel::Idle, source, destination)
    fn raw_dma_p2p(_in_step: bool, _cores: u32, _priority: i32, channel: i32)
        |thread, source, destination|
        thread.copy(Channel::Chosen(channel as u32), source, destination)
    fn dma_p2p_opt(_in_step: bool, _cores: u32, channel: i32)
        |thread, source, destination|
        thread.copy(Channel::Chosen(channel as u32), source, destination) & 31
    fn dma_broadcast(core: u32, barrier: u32)
        |thread, source, destination|
        thread.broadcast(Channel::Idle, source, destination, core, barrier)
    fn raw_dma_broadcast(core: u32, barrier: u32, _cores: i32, _priority: i32, channel: i32)
        |thread, source, destination|
        thread.broadcast(Channel::Chosen(channel as u32), source, destination, core, barrier)
    fn dma_segment(first: u32, count: u32, step: u32, barrier: u32)
        |thread, source, destination|
        thread.segment(Channel::Idle, source, destination, (first, count, step), barrier)
    fn raw_dma_segment(
        first: u32, count: u32, step: u32, barrier: u32, _priority: i32, channel: i32
    ) |thread, source, destination| {
        let channel = Channel::Chosen(channel as u32);
        thread.segment(channel, source, destination, (first, count, step), barrier)
    }
}

/// Functions that gather.
macro_rules! gathers {
    ($(fn $name:ident($($argument:ident: $ty:ty),*) |$handle:ident| $channel:expr => $result:expr;)*) => {
        $(
            /// # Safety
            /// The offsets lead to bytes that can be read.
            #[allow(clippy::too_many_arguments, reason = "the machine's interface")]
            pub unsafe extern "C" fn $name(
                base: *mut u8, index: *const i32, rows: u64, bytes: u32, _gap: i32,
                dst: *mut u8, dst_rows: u64, dst_bytes: u32, dst_gap: i32,
                $($argument: $ty),*
            ) -> u32 {
                let destination = side!(dst, dst_rows, dst_bytes, dst_gap);
                let all = rows.saturating_mul(u64::from(bytes));
                let channel = $channel;
                // SAFETY: as the caller promises.
                let $handle = unsafe { current().gather(channel, base, index, all, destination) };
                $result
            }
        )*
    };
}

gathers! {
    fn dma_sg() |handle| Channel::Idle => handle;
    fn raw_dma_sg(_priority: i32, channel: i32) |handle|
        Channel::Chosen(channel as u32) => handle;
    fn dma_sg_opt(channel: i32) |handle| Channel::Chosen(channel as u32) => handle & 31;
}

pub extern "C" fn dma_wait(handle: u32) {
    current().end(handle);
}

pub extern "C" fn raw_dma_wait(handle: i32) {
    current().end(handle as u32);
}

pub extern "C" fn dma_wait_p2p(channel: u32) {
    current().end(channel);
}

pub extern "C" fn dma_wait_sg(channel: u32) {
    current().end(channel);
}

// A transfer has copied when the call that starts it returns, but lasts in simulated time.
pub extern "C" fn dma_query(handle: u32) -> i32 {
    let thread = current();
    if thread.progress.is_none() {
        thread.end_checked(handle);
        return 1;
    }
    i32::from(thread.ask(Request::IsPending(event(handle & 31))) == 0)
}

pub extern "C" fn dma_clear() {
    let thread = current();
    thread.channels.borrow_mut().clear();
    if let Some(checker) = &thread.checker {
        checker.clear_transfers();
    }
}

// Priorities change the time only.
pub extern "C" fn set_prir(_channels: u64) {}
