//! Blocks of the C library's heap that checked code has taken.

use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Blocks by address, with their sizes.
static BLOCKS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// The block that an address is in: its address and size.
pub fn find(address: usize) -> Option<(usize, usize)> {
    let blocks = BLOCKS.lock();
    let (start, bytes) = blocks.range(..=address).next_back()?;
    (address - start < *bytes).then_some((*start, *bytes))
}

/// Adds a block.
pub fn add(start: usize, bytes: usize) {
    BLOCKS.lock().insert(start, bytes);
}

/// Removes the block that starts at an address; its size.
pub fn remove(start: usize) -> Option<usize> {
    BLOCKS.lock().remove(&start)
}
