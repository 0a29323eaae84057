//! Regions of memory.

/// Consecutive regions of a process, which share none with those of other processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Regions {
    begin: u32,
    end: u32,
}

impl Regions {
    /// `count` regions of a process; those beyond its last one do not exist.
    pub fn new(process: u8, first: u16, count: u8) -> Self {
        let begin = u32::from(first);
        let end = (begin + u32::from(count)).min(1 << 16);
        let base = u32::from(process) << 16;
        Self {
            begin: base + begin,
            end: base + end,
        }
    }

    /// Their number.
    pub fn count(self) -> u32 {
        self.end - self.begin
    }

    /// Whether some are the same.
    pub fn overlap(self, other: Self) -> bool {
        self.begin.max(other.begin) < self.end.min(other.end)
    }

    /// Whether all of `other` are among them.
    pub fn contain(self, other: Self) -> bool {
        self.begin <= other.begin && other.end <= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::Regions;

    #[test]
    fn regions_overlap_in_their_process_only() {
        let regions = Regions::new(1, 10, 5);
        for (process, first, count, is_same) in [
            (1, 14, 1, true),
            (1, 15, 1, false),
            (1, 9, 1, false),
            (1, 9, 2, true),
            (1, 12, 0, false),
            (0, 10, 5, false),
        ] {
            let other = Regions::new(process, first, count);
            assert_eq!(regions.overlap(other), is_same, "{other:?}");
            assert_eq!(other.overlap(regions), is_same, "{other:?}");
        }
        assert!(regions.contain(Regions::new(1, 12, 3)));
        assert!(!regions.contain(Regions::new(1, 12, 4)));
        let last = Regions::new(2, u16::MAX, 255);
        assert_eq!(last.count(), 1);
        assert!(!last.overlap(Regions::new(3, 0, 1)));
    }
}
