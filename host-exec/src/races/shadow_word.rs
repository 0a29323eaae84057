//! A word of a shadow: the last write, or the last read, of a granule. Zero means none in this launch.

/// A field of a word.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its lowest bit.
    pub shift: u32,
    bits: u32,
}

impl Field {
    /// Its bits in a word.
    pub const fn mask(self) -> u64 {
        self.most() << self.shift
    }

    /// Its largest value.
    pub const fn most(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// Its value in a word.
    pub const fn extract(self, word: u64) -> u64 {
        (word >> self.shift) & self.most()
    }

    /// A value in its place, without what does not fit.
    pub const fn with(self, value: u64) -> u64 {
        (value & self.most()) << self.shift
    }
}

/// Several work-items of the group have read the granule in this phase.
pub const SEVERAL_ITEMS: u64 = 1;
/// Several groups have read the granule.
pub const SEVERAL_GROUPS: u64 = 1 << 1;
/// The access is atomic, or of a volatile object.
pub const ATOMIC: u64 = 1 << 2;
/// The work-item: its linear local id, or [`GROUP_ITEM`].
pub const ITEM: Field = Field { shift: 3, bits: 13 };
/// The number of the access in the source.
pub const SITE: Field = Field {
    shift: 16,
    bits: 12,
};
/// The number of fences of this memory that the work-item has passed.
pub const PHASE: Field = Field {
    shift: 28,
    bits: 20,
};
/// The group's linear id modulo [`GROUPS`], plus 1.
pub const GROUP: Field = Field {
    shift: 48,
    bits: 16,
};

/// Groups that words distinguish: a prime, since groups that write the same place are often a power
/// of two apart.
pub const GROUPS: u64 = 65_521;

/// The work-item of asynchronous copies, which the group makes together.
pub const GROUP_ITEM: u64 = ITEM.most();

/// Whether an access conflicts with an earlier one of the same granule, if one of them writes. All
/// groups have local memory of their own.
pub const fn conflict(before: u64, now: u64, is_local: bool) -> bool {
    if before == 0 || before & now & ATOMIC != 0 {
        return false;
    }
    let differs = before ^ now;
    let is_of_another_group = differs & GROUP.mask() != 0 || before & SEVERAL_GROUPS != 0;
    if is_of_another_group {
        return !is_local;
    }
    differs & PHASE.mask() == 0 && (differs & ITEM.mask() != 0 || before & SEVERAL_ITEMS != 0)
}

/// The word of the last write after another write. An atomic operation does not hide a plain write of
/// the same work-item, with which those of others conflict.
pub const fn after_write(before: u64, now: u64) -> u64 {
    let same = GROUP.mask() | PHASE.mask() | ITEM.mask();
    let is_own = before != 0 && (before ^ now) & same == 0;
    if is_own && now & ATOMIC != 0 && before & ATOMIC == 0 {
        return before;
    }
    now
}

/// The word of the last read after another read: what it has of earlier readers.
pub const fn after_read(before: u64, now: u64, is_local: bool) -> u64 {
    let without_atomics = before & !ATOMIC;
    if !conflict(without_atomics, now & !ATOMIC, is_local) {
        return now;
    }
    let several = match (before ^ now) & GROUP.mask() != 0 || before & SEVERAL_GROUPS != 0 {
        true => SEVERAL_GROUPS,
        false => SEVERAL_ITEMS,
    };
    (now & !ATOMIC) | (before & now & ATOMIC) | several
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(group: u64, phase: u64, item: u64) -> u64 {
        GROUP.with(group + 1) | PHASE.with(phase) | ITEM.with(item) | SITE.with(9)
    }

    #[test]
    fn fields_are_apart() {
        let masks = [ITEM, SITE, PHASE, GROUP].map(Field::mask);
        let flags = [SEVERAL_ITEMS, SEVERAL_GROUPS, ATOMIC];
        let sum = masks.iter().chain(&flags).fold(0u64, |sum, mask| {
            assert_eq!(sum & mask, 0);
            sum | mask
        });
        assert_eq!(sum, u64::MAX);
    }

    #[test]
    fn atomic_operations_do_not_hide_plain_writes() {
        let plain = word(1, 5, 3);
        assert_eq!(after_write(plain, plain | ATOMIC), plain);
        assert_eq!(after_write(plain | ATOMIC, plain), plain);
        for before in [0, word(1, 4, 3), word(1, 5, 2), word(2, 5, 3)] {
            assert_eq!(after_write(before, plain | ATOMIC), plain | ATOMIC);
        }
    }

    #[test]
    fn other_items_of_a_phase_and_other_groups_conflict() {
        for (before, global, local) in [
            (0, false, false),
            (word(1, 5, 3), false, false),
            (word(1, 5, 4), true, true),
            (word(1, 4, 4), false, false),
            (word(2, 5, 3), true, false),
            (word(1, 5, 3) | SEVERAL_ITEMS, true, true),
            (word(1, 4, 3) | SEVERAL_ITEMS, false, false),
            (word(1, 4, 3) | SEVERAL_GROUPS, true, false),
        ] {
            let now = word(1, 5, 3);
            assert_eq!(conflict(before, now, false), global, "{before:#x}");
            assert_eq!(conflict(before, now, true), local, "{before:#x}");
        }
        let atomic = |word| word | ATOMIC;
        let (before, now) = (word(2, 1, 1), word(1, 1, 2));
        assert!(!conflict(atomic(before), atomic(now), false));
        assert!(conflict(atomic(before), now, false) && conflict(before, atomic(now), false));
    }

    #[test]
    fn all_readers_are_known() {
        let read = |words: &[u64]| {
            let mut readers = words.iter().copied();
            let first = readers.next().unwrap();
            readers.fold(first, |before, now| after_read(before, now, false))
        };
        // The same item, and another one; in a phase before; another group.
        let now = word(1, 5, 3);
        assert!(!conflict(read(&[now, now]), now, false));
        assert!(conflict(read(&[word(1, 5, 4), now]), now, false));
        assert!(conflict(read(&[word(1, 5, 4), now, now]), now, false));
        assert!(!conflict(read(&[word(1, 4, 4), now]), now, false));
        assert!(conflict(read(&[word(2, 4, 3), now, now]), now, false));
    }
}
