//! A slab allocator for small storage, separate from the heap of the C library.
//!
//! Kernels may write beyond the ends of a buffer. There they meet another buffer of about the same
//! size, or unused memory, but never a block of the program's heap, where the damage would show
//! much later and elsewhere. Around a block of a page or more there are guard pages.
//!
//! Blocks have one of 40 sizes, from 128 bytes to 256 KiB in steps of at most a quarter. Blocks of
//! one size lie in slabs, which hold 1 MiB of them and are mapped separately; slab metadata lie
//! elsewhere. A freed block is reused once an eighth of its slab's blocks have been freed after it. A
//! slab is unmapped when all its blocks are free, unless it is the next to allocate from and at most a
//! quarter of it, or four blocks, have been used.

use crate::guard_pages::PAGE;
use crate::mapping::{MARGIN, Mapping};
use crate::process_lifecycle;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::ptr::NonNull;

/// Minimum block size, bytes.
const SMALLEST: usize = 128;

/// Block sizes up to this one, bytes, are multiples of `SMALLEST`; above, there are `STEPS` sizes
/// from each power of two to the next.
const EVEN_UP_TO: usize = SMALLEST * STEPS;
const STEPS: usize = 4;

/// Maximum block size, bytes.
pub const LARGEST: usize = 256 << 10;

/// Number of block sizes.
const SIZES: usize = STEPS + STEPS * (LARGEST / EVEN_UP_TO).ilog2() as usize;

/// Size of a slab's blocks, bytes.
const SLAB: usize = 1 << 20;

/// The block size of index `number`, bytes.
const fn size(number: usize) -> usize {
    if number < STEPS {
        return SMALLEST * (number + 1);
    }
    let (doublings, step) = ((number - STEPS) / STEPS, (number - STEPS) % STEPS + 1);
    (EVEN_UP_TO + SMALLEST * step) << doublings
}

/// Guarded bytes between blocks of a page or more.
const GUARD: usize = 4 * PAGE;

/// From a block to the next one of its slab, bytes: with margins and a guard between blocks of a
/// page or more.
const fn stride(number: usize) -> usize {
    if size(number) < PAGE {
        return size(number);
    }
    size(number).next_multiple_of(PAGE) + 2 * MARGIN + GUARD
}

/// The index of the smallest size that holds `bytes` and is a multiple of `alignment`, a power of
/// two.
fn number_of(bytes: usize, alignment: usize) -> Option<usize> {
    let first = if bytes <= EVEN_UP_TO {
        bytes.max(1).div_ceil(SMALLEST) - 1
    } else {
        let doublings = ((bytes - 1) / EVEN_UP_TO).ilog2() as usize;
        let beyond = (bytes - (EVEN_UP_TO << doublings)).div_ceil(SMALLEST << doublings);
        STEPS + STEPS * doublings + beyond - 1
    };
    (first..SIZES).find(|number| size(*number).is_multiple_of(alignment))
}

// SAFETY: it owns plain bytes; the host program orders the commands that access them.
unsafe impl Send for Block {}
// SAFETY: its own methods only return the address.
unsafe impl Sync for Block {}

static SLABS: [Mutex<Slabs>; SIZES] = [const { Mutex::new(Slabs::new()) }; SIZES];

/// A block; freed when dropped.
#[derive(Debug)]
pub struct Block {
    start: NonNull<u8>,
    size: u8,
    slab: u32,
    place: u16,
}

/// The slabs of one size.
struct Slabs {
    /// The slabs, indexed by their numbers; None for an unmapped slab.
    slabs: Vec<Option<Slab>>,
    /// Numbers of unmapped slabs.
    vacant: Vec<u32>,
    /// Slabs with blocks to allocate; the last one is used first.
    open: Vec<u32>,
}

struct Slab {
    mapping: Mapping,
    /// Number of blocks in use.
    used: u16,
    /// Number of blocks that have ever been used; later blocks hold zeros.
    touched: u16,
    /// Indices of free blocks that have been used, in the order in which they were freed.
    free: VecDeque<u16>,
    /// Whether it is in `Slabs::open`.
    is_open: bool,
}

impl Slab {
    /// Maps a slab for blocks of size number `number`. None if the host has no more memory.
    fn new(number: usize) -> Option<Self> {
        Some(Self {
            mapping: Mapping::new(usize::from(blocks(number)) * stride(number))?,
            used: 0,
            touched: 0,
            free: VecDeque::new(),
            is_open: true,
        })
    }

    /// The address of a block, which ends where its last page does.
    fn block(&self, place: u16, number: usize) -> NonNull<u8> {
        let before = match size(number) {
            small if small < PAGE => 0,
            size => size.next_multiple_of(PAGE) - size,
        };
        // SAFETY: the place is within the slab.
        unsafe {
            let start = self.mapping.start();
            start.add(usize::from(place) * stride(number) + before)
        }
    }

    /// Guards what is between the margins of a block and the next one.
    fn guard(&mut self, place: u16, number: usize) {
        if size(number) < PAGE {
            return;
        }
        // SAFETY: no block has these pages, which are within the slab.
        unsafe {
            let start = self.block(place, number).add(size(number) + MARGIN);
            self.mapping.guard(start, GUARD);
        }
    }
}

impl Block {
    /// A zeroed block of at least `bytes`, aligned to `alignment`, a power of two. None if the
    /// host has no more memory, or there are no such blocks.
    pub fn new(bytes: usize, alignment: usize) -> Option<Self> {
        // In a child of `fork` the lock may be held by a thread that does not exist there.
        if process_lifecycle::forked() {
            return None;
        }
        let number = number_of(bytes, alignment)?;
        let (mut block, used_before) = SLABS[number].lock().take(number)?;
        if size(number) >= PAGE {
            // The last bytes of the block: accesses beyond the end meet the guard early.
            let rest = size(number) - bytes;
            // SAFETY: the address is within the block.
            block.start = unsafe { block.start.add(rest - rest % alignment) };
        }
        if used_before {
            // SAFETY: the block is at least as large and has no other owner.
            unsafe { block.start.write_bytes(0, bytes) };
        }
        Some(block)
    }

    /// Address of the first byte.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if process_lifecycle::forked() {
            return;
        }
        let number = usize::from(self.size);
        let unmapped = SLABS[number]
            .lock()
            .give_back(number, self.slab, self.place);
        drop(unmapped);
    }
}

/// Blocks of a slab, of size number `number`.
const fn blocks(number: usize) -> u16 {
    (SLAB / size(number)) as u16
}

/// Free blocks that a slab keeps back.
const fn kept_back(number: usize) -> usize {
    let eighth = blocks(number) as usize / 8;
    if eighth == 0 { 1 } else { eighth }
}

impl Slabs {
    const fn new() -> Self {
        Self {
            slabs: Vec::new(),
            vacant: Vec::new(),
            open: Vec::new(),
        }
    }

    /// A block, and whether it has been used before.
    fn take(&mut self, number: usize) -> Option<(Block, bool)> {
        loop {
            let slab = match self.open.last() {
                Some(slab) => *slab,
                None => match self.add(number) {
                    Some(slab) => slab,
                    None => return self.take_kept_back(number),
                },
            };
            if let Some(taken) = self.take_from(slab, number, kept_back(number)) {
                return Some(taken);
            }
            self.open.pop();
            self.slab(slab).is_open = false;
        }
    }

    /// A block of a slab that keeps back this number of freed blocks.
    fn take_from(&mut self, slab: u32, number: usize, kept_back: usize) -> Option<(Block, bool)> {
        let from = self.slab(slab);
        let (place, used_before) = if from.free.len() > kept_back {
            (from.free.pop_front()?, true)
        } else if from.touched < blocks(number) {
            from.touched += 1;
            from.guard(from.touched - 1, number);
            (from.touched - 1, false)
        } else {
            return None;
        };
        from.used += 1;
        let start = from.block(place, number);
        let block = Block {
            start,
            size: number as u8,
            slab,
            place,
        };
        Some((block, used_before))
    }

    /// The host has no memory for another slab.
    fn take_kept_back(&mut self, number: usize) -> Option<(Block, bool)> {
        let has_free =
            |slab: &Option<Slab>| slab.as_ref().is_some_and(|slab| !slab.free.is_empty());
        let slab = self.slabs.iter().position(has_free)?;
        self.take_from(slab as u32, number, 0)
    }

    fn slab(&mut self, slab: u32) -> &mut Slab {
        self.slabs[slab as usize]
            .as_mut()
            .expect("a slab with blocks in use, or open, is there")
    }

    /// Maps another slab, which is open then.
    fn add(&mut self, number: usize) -> Option<u32> {
        let slab = Some(Slab::new(number)?);
        let place = match self.vacant.pop() {
            Some(place) => {
                self.slabs[place as usize] = slab;
                place
            }
            None => {
                self.slabs.push(slab);
                (self.slabs.len() - 1) as u32
            }
        };
        self.open.push(place);
        Some(place)
    }

    /// Frees a block; returns its slab if that is no longer needed, to be unmapped.
    fn give_back(&mut self, number: usize, slab: u32, place: u16) -> Option<Slab> {
        let kept_back = kept_back(number);
        let from = self.slab(slab);
        from.used -= 1;
        from.free.push_back(place);
        if from.used == 0 {
            let little_used = usize::from(from.touched) <= 2 * kept_back + 2;
            let next = self.open.last().is_none_or(|open| *open == slab);
            if !(next && little_used) {
                self.open.retain(|open| *open != slab);
                self.vacant.push(slab);
                return self.slabs[slab as usize].take();
            }
        }
        let from = self.slab(slab);
        if !from.is_open && from.free.len() > kept_back {
            from.is_open = true;
            self.open.push(slab);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard_pages::tests::is_guarded;

    #[test]
    fn sizes_grow_by_a_quarter_at_most_and_hold_what_they_are_for() {
        assert_eq!(size(SIZES - 1), LARGEST);
        for number in 1..SIZES {
            let (smaller, larger) = (size(number - 1), size(number));
            assert!(smaller < larger && (number <= STEPS || larger * 4 <= smaller * 5));
            assert_eq!(number_of(smaller + 1, 128), Some(number));
            assert_eq!(number_of(larger, 128), Some(number));
        }
        for alignment in (0..=12).map(|power| 1 << power) {
            for bytes in [1, 127, 128, 129, 5000, 100_000, LARGEST] {
                let size = size(number_of(bytes, alignment).unwrap());
                assert!(size >= bytes && size.is_multiple_of(alignment));
            }
        }
        assert_eq!(number_of(LARGEST + 1, 128), None);
    }

    #[test]
    fn blocks_are_zero_aligned_and_apart() {
        for bytes in [1, 128, 300, 4096, 70_000, LARGEST] {
            for alignment in [1, 128, 4096] {
                for _ in 0..3 {
                    let blocks: Vec<_> = (0..50)
                        .map(|_| Block::new(bytes, alignment).unwrap())
                        .collect();
                    for (number, block) in blocks.iter().enumerate() {
                        assert_eq!(block.start().addr().get() % alignment, 0);
                        // SAFETY: the block has these bytes.
                        let contents = unsafe {
                            std::slice::from_raw_parts_mut(block.start().as_ptr(), bytes)
                        };
                        assert!(contents.iter().all(|byte| *byte == 0));
                        contents.fill(number as u8 + 1);
                    }
                    for (number, block) in blocks.iter().enumerate() {
                        // SAFETY: as above.
                        let last = unsafe { block.start().add(bytes - 1).read() };
                        assert_eq!(usize::from(last), number + 1);
                    }
                }
            }
        }
    }

    #[test]
    fn a_freed_block_is_not_used_again_at_once() {
        // Sizes that no other test uses.
        for bytes in [180_000, 20_000, 200 * 128] {
            let kept_back = kept_back(number_of(bytes, 128).unwrap());
            let mut before = VecDeque::new();
            for _ in 0..5 * kept_back {
                let address = Block::new(bytes, 128).unwrap().start().addr();
                assert!(!before.contains(&address), "{bytes}");
                before.push_back(address);
                if before.len() > kept_back {
                    before.pop_front();
                }
            }
        }
    }

    #[test]
    fn blocks_of_a_page_or_more_are_guarded() {
        for bytes in [4096, 4097, 5000, 70_000, LARGEST] {
            let size = bytes.next_multiple_of(128);
            let unused = super::size(number_of(bytes, 128).unwrap()) - size;
            let blocks: Vec<_> = (0..9).map(|_| Block::new(bytes, 128).unwrap()).collect();
            for block in &blocks {
                let start = block.start().addr().get();
                for (address, guarded) in [
                    (start - 1, false),
                    (start - unused - MARGIN - PAGE, true),
                    (start + size + MARGIN - 1, false),
                    (start + size + MARGIN, true),
                    (start + size + MARGIN + GUARD - 1, true),
                ] {
                    assert_eq!(is_guarded(address), guarded, "{bytes}");
                }
            }
        }
    }

    #[test]
    fn slabs_go_back_to_the_system() {
        // A size that no other test uses.
        let bytes = 50_000;
        let number = number_of(bytes, 128).unwrap();
        let mapped = || SLABS[number].lock().slabs.iter().flatten().count();
        let mut blocks: Vec<_> = (0..1000).map(|_| Block::new(bytes, 128).unwrap()).collect();
        assert!(mapped() >= 50);
        // In another order than they were made.
        for number in 0..blocks.len() {
            blocks.swap(number, number * 7919 % 1000);
        }
        drop(blocks);
        assert!(mapped() <= 1, "{}", mapped());
        let state = SLABS[number].lock();
        let open: Vec<_> = state.open.clone();
        assert!(open.len() <= 1);
        assert_eq!(state.vacant.len() + open.len(), state.slabs.len());
    }

    #[test]
    fn threads_get_different_blocks() {
        std::thread::scope(|scope| {
            for thread in 0..8u8 {
                scope.spawn(move || {
                    for round in 0..2000 {
                        let bytes = 1000 + round % 7 * 300;
                        let block = Block::new(bytes, 128).unwrap();
                        // SAFETY: the block has these bytes.
                        unsafe {
                            block.start().write_bytes(thread, bytes);
                            std::thread::yield_now();
                            assert_eq!(block.start().read(), thread);
                            assert_eq!(block.start().add(bytes - 1).read(), thread);
                        }
                    }
                });
            }
        });
    }
}
