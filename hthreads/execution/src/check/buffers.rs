//! The buffers of a thread, and where it took and freed them.

use super::block::Block;
use std::collections::BTreeMap;

/// The places at which a thread took buffers, and gave some back.
#[derive(Debug, Default)]
pub struct Buffers {
    /// The site of the call, by address.
    taken: BTreeMap<usize, u64>,
    freed: Vec<(Block, u64)>,
}

impl Buffers {
    /// A buffer is taken by the call at a site.
    pub fn take(&mut self, start: usize, site: u64) {
        self.taken.insert(start, site);
        self.freed.retain(|(block, _)| !block.has(start, 1));
    }

    /// A buffer is given back.
    pub fn give_back(&mut self, block: Block, site: u64) {
        self.taken.remove(&block.start);
        self.freed.push((block, site));
    }

    /// The site of the call that took the buffer that starts at an address.
    pub fn taken_at(&self, start: usize) -> Option<u64> {
        self.taken.get(&start).copied()
    }

    /// The site of the call that freed the buffer at an address.
    pub fn freed_at(&self, address: usize) -> Option<u64> {
        let mut freed = self.freed.iter().rev();
        let found = freed.find(|(block, _)| block.has(address, 1));
        found.map(|(_, site)| *site)
    }
}
