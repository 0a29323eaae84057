//! Storage on the host that backs buffers and scratchpads.

use crate::mapping::Mapping;
use crate::small_blocks::{Block, LARGEST};

/// Zeroed storage on the host, backed lazily and separate from the heap of the C library.
#[derive(Debug)]
pub struct Storage(Origin);

#[derive(Debug)]
enum Origin {
    Block(Block),
    Mapped(Mapping),
}

impl Storage {
    /// `bytes` (at least one) of storage aligned to `alignment`, a power of two up to a page.
    /// None if the host has no more memory.
    pub fn new(bytes: usize, alignment: usize) -> Option<Self> {
        if bytes < LARGEST
            && let Some(block) = Block::new(bytes, alignment)
        {
            return Some(Self(Origin::Block(block)));
        }
        Mapping::new(bytes).map(|mapping| Self(Origin::Mapped(mapping)))
    }

    /// Address of the first byte.
    pub fn start(&self) -> *mut u8 {
        let start = match &self.0 {
            Origin::Block(block) => block.start(),
            Origin::Mapped(mapping) => mapping.start(),
        };
        start.as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_zero_aligned_and_whole() {
        for bytes in [1, 100, LARGEST - 1, LARGEST, LARGEST + 1, (10 << 20) + 3] {
            let storage = Storage::new(bytes, 128).unwrap();
            assert_eq!(storage.start() as usize % 128, 0);
            // SAFETY: the storage holds that many bytes.
            let bytes = unsafe { std::slice::from_raw_parts_mut(storage.start(), bytes) };
            assert!(bytes.iter().all(|&byte| byte == 0));
            bytes.fill(7);
        }
    }

    #[test]
    fn large_storage_is_backed_only_when_touched() {
        let storage = Storage::new(8 << 30, 128).unwrap();
        // SAFETY: within the storage.
        unsafe { storage.start().add(7 << 30).write(1) };
    }

    #[test]
    fn storage_beyond_the_address_space_is_refused() {
        assert!(Storage::new(usize::MAX - 10, 128).is_none());
        assert!(Storage::new(1 << 60, 128).is_none());
    }
}
