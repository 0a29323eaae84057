//! Memories after a launch, compared with those after OpenCL's.

use std::fmt::Write;
use std::ops::Range;

/// Bytes of an address.
const ADDRESS_BYTES: usize = 8;

/// Where Linux places the memory of a process on x86-64: above its programs' lowest addresses, below the kernel's.
const ADDRESSES: Range<u64> = 0x5500_0000_0000..0x8000_0000_0000;

/// A memory after several launches.
pub struct Results<'a> {
    /// OpenCL's.
    pub expected: &'a [u8],
    /// OpenCL's by other code.
    pub other_code: &'a [u8],
    /// The machine's.
    pub found: &'a [u8],
    /// Two of the machine's, which differ in what conversions to integers give for numbers that these do not have.
    pub conversions: Option<(&'a [u8], &'a [u8])>,
}

/// How a memory differs.
#[derive(Debug, PartialEq, Eq)]
pub enum Difference {
    /// Only where OpenCL leaves results open.
    Open,
    /// Elsewhere, too: how.
    Wrong(String),
}

impl Results<'_> {
    /// How the memory of this number differs; none if it is equal.
    pub fn difference(&self, number: usize) -> Option<Difference> {
        let size = self.expected.len();
        let differs = |at: &usize| self.expected[*at] != self.found[*at];
        let (open, wrong): (Vec<usize>, Vec<usize>) =
            (0..size).filter(differs).partition(|at| self.is_open(*at));
        let Some(first) = wrong.first() else {
            return (!open.is_empty()).then_some(Difference::Open);
        };
        let word = first / 4 * 4..size.min(first / 4 * 4 + 4);
        let text = |bytes: &[u8]| {
            bytes.iter().fold(String::new(), |mut text, byte| {
                // Writing to a string does not fail.
                let _ = write!(text, " {byte:02x}");
                text
            })
        };
        Some(Difference::Wrong(format!(
            "memory {number}, {} of {size} bytes, the first at {first}:{} instead of{}",
            wrong.len(),
            text(&self.found[word.clone()]),
            text(&self.expected[word])
        )))
    }

    /// Whether OpenCL leaves a byte open.
    fn is_open(&self, at: usize) -> bool {
        let conversions = self.conversions;
        self.expected[at] != self.other_code[at]
            || conversions.is_some_and(|(one, other)| one[at] != other[at])
            || self.is_in_address(at)
    }

    /// Whether a byte is one of an address, which is another one in each of OpenCL's launches.
    fn is_in_address(&self, at: usize) -> bool {
        let start = at / ADDRESS_BYTES * ADDRESS_BYTES;
        let word = |bytes: &[u8]| {
            let bytes = bytes.get(start..start + ADDRESS_BYTES)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let words = [self.expected, self.other_code, self.found].map(word);
        words[0] != words[1]
            && words
                .iter()
                .all(|word| word.is_some_and(|word| ADDRESSES.contains(&word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(expected: &[u8], other: &[u8], found: &[u8]) -> Option<Difference> {
        let results = Results {
            expected,
            other_code: other,
            found,
            conversions: None,
        };
        results.difference(3)
    }

    #[test]
    fn bytes_that_opencl_leaves_open_are_not_compared() {
        assert_eq!(difference(&[1, 2], &[1, 2], &[1, 2]), None);
        assert_eq!(difference(&[1, 2], &[1, 3], &[1, 2]), None);
        let open = difference(&[1, 2], &[1, 3], &[1, 4]);
        assert_eq!(open, Some(Difference::Open));
        let wrong = difference(
            &[0, 0, 0, 0, 1, 2],
            &[0, 0, 0, 0, 1, 3],
            &[0, 0, 0, 0, 5, 4],
        );
        let how = "memory 3, 1 of 6 bytes, the first at 4: 05 04 instead of 01 02";
        assert_eq!(wrong, Some(Difference::Wrong(how.to_owned())));
    }

    #[test]
    fn bytes_that_depend_on_conversions_out_of_range_are_open() {
        let mut results = Results {
            expected: &[0x80, 7],
            other_code: &[0x80, 7],
            found: &[0x7f, 7],
            conversions: Some((&[0x7f, 7], &[0x7f, 7])),
        };
        assert!(matches!(results.difference(0), Some(Difference::Wrong(_))));
        results.conversions = Some((&[0, 7], &[0xff, 7]));
        assert_eq!(results.difference(0), Some(Difference::Open));
    }

    #[test]
    fn addresses_are_open() {
        let [one, two, three] =
            [0x7f12_3456_7000_u64, 0x7f12_9956_7000, 0x7f12_3477_7000].map(u64::to_le_bytes);
        assert_eq!(difference(&one, &two, &three), Some(Difference::Open));
        let number = 5_u64.to_le_bytes();
        for (other, found) in [(&one, &three), (&two, &number)] {
            let wrong = difference(&one, other, found);
            assert!(matches!(wrong, Some(Difference::Wrong(_))), "{wrong:?}");
        }
    }
}
