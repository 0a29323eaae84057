//! Memory in chunks, each a base and a bound.

use std::collections::BTreeMap;

/// Contiguous memory of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub base: u64,
    /// Bytes, a multiple of the page size.
    pub bound: u64,
}

/// A memory that is allocated in chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunks {
    page: u64,
    /// The bytes of each free part by its base; no two are adjacent.
    free: BTreeMap<u64, u64>,
}

impl Chunks {
    /// A free memory of `size` bytes, of which whole pages are used.
    pub fn new(size: u64, page: u64) -> Self {
        let whole = size / page * page;
        Self {
            page,
            free: BTreeMap::from_iter((whole > 0).then_some((0, whole))),
        }
    }

    /// Allocates the first free part that is large enough.
    pub fn allocate(&mut self, bytes: u64) -> Option<Chunk> {
        let bound = bytes.checked_next_multiple_of(self.page)?;
        if bound == 0 {
            return Some(Chunk { base: 0, bound });
        }
        let mut parts = self.free.iter();
        let (&base, &size) = parts.find(|(_, size)| **size >= bound)?;
        self.free.remove(&base);
        if size > bound {
            self.free.insert(base + bound, size - bound);
        }
        Some(Chunk { base, bound })
    }

    /// Frees a chunk.
    pub fn release(&mut self, chunk: Chunk) {
        let Chunk {
            mut base,
            mut bound,
        } = chunk;
        if bound == 0 {
            return;
        }
        if let Some((&before, &size)) = self.free.range(..base).next_back()
            && before + size == base
        {
            self.free.remove(&before);
            (base, bound) = (before, size + bound);
        }
        if let Some(size) = self.free.remove(&(base + bound)) {
            bound += size;
        }
        self.free.insert(base, bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_pages_of_the_first_part_that_is_large_enough() {
        let mut memory = Chunks::new(10 * 4096 + 1, 4096);
        let chunk = |base: u64, pages: u64| Chunk {
            base: base * 4096,
            bound: pages * 4096,
        };
        let first = memory.allocate(4097).unwrap();
        assert_eq!(first, chunk(0, 2));
        let second = memory.allocate(4096).unwrap();
        assert_eq!(second, chunk(2, 1));
        assert_eq!(memory.allocate(7 * 4096), Some(chunk(3, 7)));
        assert_eq!(memory.allocate(1), None);
        assert_eq!(memory.allocate(0), Some(chunk(0, 0)));
        assert_eq!(memory.allocate(u64::MAX), None);
        memory.release(first);
        assert_eq!(memory.allocate(3 * 4096), None, "two pages are free");
        memory.release(second);
        assert_eq!(memory.allocate(3 * 4096), Some(chunk(0, 3)));
    }

    #[test]
    fn freed_chunks_become_one_part_again() {
        let whole = Chunks::new(1 << 20, 4096);
        let mut random = fastrand::Rng::with_seed(3);
        let mut memory = whole.clone();
        let mut used: Vec<Chunk> = Vec::new();
        for _ in 0..10_000 {
            if random.bool()
                && let Some(new) = memory.allocate(random.u64(1..100_000))
            {
                let overlaps = |old: &&Chunk| {
                    old.base < new.base + new.bound && new.base < old.base + old.bound
                };
                assert_eq!(used.iter().find(overlaps), None);
                assert!(new.base + new.bound <= 1 << 20);
                used.push(new);
            } else if !used.is_empty() {
                memory.release(used.swap_remove(random.usize(..used.len())));
            }
        }
        for chunk in used {
            memory.release(chunk);
        }
        assert_eq!(memory, whole);
    }
}
