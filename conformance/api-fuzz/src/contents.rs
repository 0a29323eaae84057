//! The known contents of memory objects, byte by byte.

use crate::ids::Id;
use std::collections::BTreeSet;
use std::ops::Range;

/// The bytes of a buffer or image.
#[derive(Debug)]
pub struct Contents {
    bytes: Vec<u8>,
    known: Vec<bool>,
    /// Queues with pending commands on the object.
    pub users: BTreeSet<Id>,
}

impl Contents {
    /// Contents with these bytes, or unknown contents.
    pub fn new(size: usize, bytes: Option<Vec<u8>>) -> Self {
        Self {
            known: vec![bytes.is_some(); size],
            bytes: bytes.unwrap_or_else(|| vec![0; size]),
            users: BTreeSet::new(),
        }
    }

    /// Writes bytes; `None` makes the range unknown.
    pub fn write(&mut self, range: Range<usize>, bytes: Option<&[u8]>) {
        self.known[range.clone()].fill(bytes.is_some());
        if let Some(bytes) = bytes {
            self.bytes[range].copy_from_slice(bytes);
        }
    }

    /// Makes all contents unknown.
    pub fn forget(&mut self) {
        self.known.fill(false);
    }

    /// The bytes of a range, and whether each is known.
    pub fn get(&self, range: Range<usize>) -> (Vec<u8>, Vec<bool>) {
        (
            self.bytes[range.clone()].to_vec(),
            self.known[range].to_vec(),
        )
    }

    /// Writes a range that `get` returned.
    pub fn put(&mut self, start: usize, (bytes, known): &(Vec<u8>, Vec<bool>)) {
        let range = start..start + bytes.len();
        self.bytes[range.clone()].copy_from_slice(bytes);
        self.known[range].copy_from_slice(known);
    }
}

/// A description of the first known byte that differs.
pub fn difference((expected, known): &(Vec<u8>, Vec<bool>), got: &[u8]) -> Option<String> {
    let wrong = (0..got.len()).find(|&index| known[index] && got[index] != expected[index])?;
    Some(format!(
        "byte {wrong} of {} is {:#04x} instead of {:#04x}",
        got.len(),
        got[wrong],
        expected[wrong]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_bytes_differ() {
        let mut contents = Contents::new(4, Some(vec![1, 2, 3, 4]));
        contents.write(1..3, None);
        assert_eq!(difference(&contents.get(0..4), &[1, 9, 9, 4]), None);
        let text = difference(&contents.get(0..4), &[1, 9, 9, 5]).unwrap();
        assert_eq!(text, "byte 3 of 4 is 0x05 instead of 0x04");
        contents.write(2..3, Some(&[7]));
        let part = contents.get(1..3);
        contents.put(2, &part);
        assert_eq!(difference(&contents.get(0..4), &[1, 0, 0, 7]), None);
        contents.forget();
        assert_eq!(difference(&contents.get(0..4), &[0; 4]), None);
    }
}
