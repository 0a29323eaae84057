//! Buffers in a memory of an array. As the machine's own library does, each request takes the first gap
//! that is large enough, and exactly the bytes that it requests.

/// A buffer: its first byte, and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Buffer {
    start: u32,
    bytes: u32,
}

/// The buffers of a memory, by address.
#[derive(Debug)]
pub struct BufferList {
    start: u32,
    end: u32,
    most: usize,
    buffers: Vec<Buffer>,
}

impl BufferList {
    /// Space from `start` to `end` for at most `most` buffers.
    pub fn new(start: u32, end: u32, most: usize) -> Self {
        Self {
            start,
            end,
            most,
            buffers: Vec::new(),
        }
    }

    /// Takes a buffer; its first byte. `None` if there is no space or it would be one too many.
    pub fn take(&mut self, bytes: u32) -> Option<u32> {
        if bytes == 0 || self.buffers.len() >= self.most {
            return None;
        }
        let mut start = self.start;
        let mut place = 0;
        for buffer in &self.buffers {
            if buffer.start - start >= bytes {
                break;
            }
            start = buffer.start + buffer.bytes;
            place += 1;
        }
        if self.end - start < bytes && place == self.buffers.len() {
            return None;
        }
        self.buffers.insert(place, Buffer { start, bytes });
        Some(start)
    }

    /// Gives a buffer back; false if none starts there.
    pub fn give_back(&mut self, start: u32) -> bool {
        let place = self.buffers.iter().position(|buffer| buffer.start == start);
        place.map(|place| self.buffers.remove(place)).is_some()
    }

    /// The sizes of the buffers, by address.
    pub fn sizes(&self) -> impl Iterator<Item = u32> {
        self.buffers.iter().map(|buffer| buffer.bytes)
    }

    /// The buffer that a byte is in: its first byte, and its size.
    pub fn find(&self, byte: u32) -> Option<(u32, u32)> {
        let mut buffers = self.buffers.iter();
        let found = buffers.find(|one| byte >= one.start && byte - one.start < one.bytes);
        found.map(|buffer| (buffer.start, buffer.bytes))
    }

    /// Bytes that no buffer has.
    pub fn free_space(&self) -> u32 {
        let taken: u32 = self.buffers.iter().map(|buffer| buffer.bytes).sum();
        self.end - self.start - taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_gap_is_taken_without_rounding() {
        let mut list = BufferList::new(1024, 1124, 8);
        assert_eq!(list.take(10), Some(1024));
        assert_eq!(list.take(30), Some(1034));
        assert_eq!(list.take(60), Some(1064));
        assert_eq!(list.take(1), None);
        assert_eq!(list.free_space(), 0);
        assert!(list.give_back(1034));
        assert!(!list.give_back(1035));
        assert_eq!(list.find(1034), None);
        assert_eq!(list.find(1033), Some((1024, 10)));
        assert_eq!(list.take(31), None);
        assert_eq!(list.take(29), Some(1034));
        assert_eq!(list.take(1), Some(1063));
        assert!(list.give_back(1024));
        assert_eq!(list.free_space(), 10);
        assert_eq!(list.take(5), Some(1024));
    }

    #[test]
    fn there_is_a_most_number_of_buffers_and_none_without_bytes() {
        let mut list = BufferList::new(0, 100, 2);
        assert_eq!(list.take(0), None);
        assert_eq!(list.take(1), Some(0));
        assert_eq!(list.take(1), Some(1));
        assert_eq!(list.take(1), None);
        assert!(list.give_back(0));
        assert_eq!(list.take(1), Some(0));
    }
}
