//! The argument block that compiled kernels read.

use smallvec::SmallVec;

/// A vector register's worth of the block, which compiled code loads aligned.
#[repr(align(128))]
#[derive(Clone)]
struct AlignedLine([u8; 128]);

/// Blocks up to this many lines are copied to the stack for alignment, larger ones to the heap.
const STACK_LINES: usize = 2;

/// A kernel's argument block, unaligned.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ArgumentBlock(SmallVec<[u8; 128]>);

impl ArgumentBlock {
    /// A block of `bytes` zeros.
    pub fn new(bytes: usize) -> Self {
        Self(SmallVec::from_elem(0, bytes))
    }

    /// Writes an argument at its offset.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.0[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// The bytes of an argument.
    pub fn bytes(&self, offset: usize, size: usize) -> &[u8] {
        &self.0[offset..offset + size]
    }

    /// The pointer at an offset; 0 if the block ends before.
    pub fn pointer(&self, offset: usize) -> usize {
        let bytes = self.0.get(offset..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| usize::from_ne_bytes(*bytes))
    }

    /// The 32 bits at an offset; 0 if the block ends before.
    pub fn word(&self, offset: usize) -> u32 {
        let bytes = self.0.get(offset..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u32::from_ne_bytes(*bytes))
    }

    /// Calls `body` with an aligned copy of the block, zero-padded to a whole line.
    pub fn aligned<R>(&self, body: impl FnOnce(&[u8]) -> R) -> R {
        let count = self.0.len().div_ceil(size_of::<AlignedLine>());
        let mut on_stack = [const { AlignedLine([0; 128]) }; STACK_LINES];
        let mut on_heap = Vec::new();
        let lines = if count <= STACK_LINES {
            &mut on_stack[..]
        } else {
            on_heap.resize(count, AlignedLine([0; 128]));
            &mut on_heap[..]
        };
        for (line, bytes) in lines
            .iter_mut()
            .zip(self.0.chunks(size_of::<AlignedLine>()))
        {
            line.0[..bytes.len()].copy_from_slice(bytes);
        }
        // SAFETY: the lines are contiguous and initialised.
        body(unsafe {
            std::slice::from_raw_parts(lines.as_ptr().cast::<u8>(), size_of_val(&*lines))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_blocks_are_complete() {
        for bytes in [0, 1, 24, 127, 128, 129, 256, 257, 1000, 1024] {
            let mut block = ArgumentBlock::new(bytes);
            let contents: Vec<u8> = (0..bytes).map(|index| index as u8 | 1).collect();
            for (offset, argument) in (0..).step_by(7).zip(contents.chunks(7)) {
                block.write(offset, argument);
            }
            block.aligned(|aligned| {
                assert!(aligned.as_ptr().cast::<AlignedLine>().is_aligned());
                assert_eq!(aligned[..bytes], contents);
                assert!(aligned.len() >= 128 && aligned[bytes..].iter().all(|byte| *byte == 0));
            });
        }
    }
}
