//! Which bytes of buffers have been written (`uninitialised`). Buffers in AM, SM and HBSM and blocks of the heap keep that
//! values are undefined; all other memory counts as written, and is always defined in the shadow.

use super::block::{Block, Memory, Nowhere};
use super::checking::Checking;
use super::lookup;
use super::message::{Accessed, By, Found};
use super::shadow;
use crate::dma::transfer::{self, Side};

/// Where an undefined value comes from and goes to.
#[derive(Clone, Copy, Debug)]
pub struct UndefinedValue {
    /// An address in the buffer, or 0.
    pub origin: usize,
    /// The address that it is stored at, or 0.
    pub destination: usize,
}

impl Checking<'_> {
    fn is_definedness_checked(&self) -> bool {
        self.checker.launch.checks.uninitialised
    }

    fn block(&self, address: usize) -> Result<Block, Nowhere> {
        lookup::find(self.thread, &self.checker.launch.ddr, address)
    }

    /// The thread has taken a buffer or a block, in which nothing has been written.
    pub fn undefine_block(&self, start: usize) {
        if self.is_definedness_checked()
            && let Ok(block) = self.block(start)
        {
            shadow::undefine(block.start, block.bytes);
        }
    }

    /// Whether memory at an address keeps that values are undefined which code stores there: padding is computed with what
    /// is next to it.
    pub fn keeps(&self, address: usize) -> bool {
        self.memory(address).is_some_and(Memory::can_be_undefined)
    }

    fn memory(&self, address: usize) -> Option<Memory> {
        self.block(address).ok().map(|block| block.memory)
    }

    /// Bytes at an address get the shadow at another place, or are written if that is null.
    ///
    /// # Safety
    /// The shadow can be read.
    pub unsafe fn move_shadow(&self, address: usize, from: *const u8, bytes: usize) {
        match from.is_null() || !self.keeps(address) {
            true => shadow::define(address, bytes),
            // SAFETY: as the caller promises.
            false => unsafe { shadow::copy(address, from, bytes) },
        }
    }

    /// A function that is not the image's own may write the block at an address.
    pub fn define_block(&self, address: usize) {
        if let Ok(block) = self.block(address)
            && block.memory.can_be_undefined()
        {
            shadow::define(block.start, block.bytes);
        }
    }

    /// Assembly writes bytes.
    pub fn define(&self, address: usize, bytes: usize) {
        if self.is_definedness_checked() {
            shadow::define(address, bytes);
        }
    }

    /// Reports a use of a value that was never written, if it is one: what is not for the host program may be padding.
    pub fn use_undefined(&self, site: u64, value: UndefinedValue) {
        if value.destination == 0 || self.memory(value.destination) == Some(Memory::Ddr) {
            let origin = self.block(value.origin).ok();
            let origin = origin.filter(|block| block.memory.can_be_undefined());
            self.report_undefined(site, origin);
        }
    }

    fn can_be_undefined(&self, address: usize) -> bool {
        match self.block(address) {
            Ok(block) => block.memory.can_be_undefined(),
            Err(Nowhere::OtherCore(..)) => true,
            Err(_) => false,
        }
    }

    /// A transfer has copied to a destination, from a byte of the source on.
    pub fn transfer_shadow(&self, source: &Side, first: u64, destination: &Side) {
        if !self.is_definedness_checked() {
            return;
        }
        let from = self.can_be_undefined(source.start.addr());
        let to = self.can_be_undefined(destination.start.addr());
        match (from, to) {
            (false, false) => (),
            (false, true) => self.define_rows(destination),
            (true, true) => {
                let shadows =
                    [source, destination].map(|side| Some(side.at(shadow::of(side.start.addr())?)));
                if let [Some(source), Some(destination)] = shadows {
                    // SAFETY: shadows of rows that the transfer has copied.
                    unsafe { transfer::copy(&source, first, &destination) };
                }
            }
            (true, false) => self.report_unwritten(source),
        }
    }

    /// The rows of a destination have been written.
    pub fn define_rows(&self, destination: &Side) {
        if self.is_definedness_checked() {
            for (start, bytes) in destination.as_rows().each() {
                shadow::define(start, bytes);
            }
        }
    }

    /// Reports a transfer of bytes none of which has been written. Parts of rows, and some of the rows, may be padding.
    fn report_unwritten(&self, source: &Side) {
        let rows = source.as_rows();
        if rows
            .each()
            .all(|(start, bytes)| shadow::is_undefined(start, bytes))
        {
            let accessed = Accessed {
                site: self.checker.call.get(),
                address: source.start.addr(),
                bytes: source.bytes() as usize,
                writes: false,
                by: By::Transfer,
                alignment: 1,
            };
            let block = self.block(source.start.addr()).ok();
            self.report(&accessed, Found::Unwritten(block));
        }
    }
}

impl Memory {
    /// Whether bytes there can be undefined.
    fn can_be_undefined(self) -> bool {
        matches!(self, Self::Am | Self::Sm | Self::Hbsm | Self::Heap)
    }
}
