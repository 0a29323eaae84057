//! What work-groups load of the buffers that a kernel only reads: how many bytes, and how many different
//! ones. Some groups of each launch record it, so that advice can tell what local memory would hold.

use rustc_hash::FxHashMap;

/// Bytes that are recorded as one.
const WORD: usize = 4;

/// Words of a page.
const PAGE_WORDS: usize = 1024;

/// Most different bytes of an argument that are recorded of a group. Local memory is smaller.
const MAX_DIFFERENT: u64 = 4 << 20;

/// Number of groups of a launch that record what they load.
const RECORDED: u64 = 3;

/// What a group loads of an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of all loads.
    pub loaded: u64,
    /// Different bytes.
    pub different: u64,
    /// Sequences of adjacent bytes.
    pub rows: u64,
}

/// Records what the groups of a launch load. Timed code has a pointer to it.
#[derive(Debug)]
pub struct FootprintRecorder {
    /// Of the group that is being run, by argument.
    group: Vec<Loaded>,
    /// Of all groups, by argument; none if some group loaded more different bytes than are recorded.
    sums: Vec<Option<Footprint>>,
    /// Number of groups.
    groups: u64,
}

/// What a group has loaded of an argument.
#[derive(Debug, Default)]
struct Loaded {
    bytes: u64,
    /// A bit for each word, by page.
    pages: FxHashMap<usize, [u64; PAGE_WORDS / 64]>,
}

/// Whether group number `group` of `groups` records what it loads: the first one, the last one and one
/// between.
pub fn is_recorded(group: u64, groups: u64) -> bool {
    let place = |number: u64| (groups - 1) * number / (RECORDED - 1);
    (0..RECORDED).any(|number| place(number) == group)
}

impl FootprintRecorder {
    /// A recorder for code that loads from that number of arguments.
    pub fn new(arguments: usize) -> Self {
        Self {
            group: (0..arguments).map(|_| Loaded::default()).collect(),
            sums: vec![Some(Footprint::default()); arguments],
            groups: 0,
        }
    }

    /// Records that the group loads `bytes` bytes of an argument. Numbers of arguments that it does not
    /// have are ignored.
    pub fn load(&mut self, argument: usize, address: usize, bytes: usize) {
        let Some(loaded) = self.group.get_mut(argument) else {
            return;
        };
        loaded.bytes += bytes as u64;
        if bytes == 0 || loaded.is_exceeded() {
            return;
        }
        for word in address / WORD..=(address + bytes - 1) / WORD {
            let page = loaded.pages.entry(word / PAGE_WORDS).or_default();
            let bit = word % PAGE_WORDS;
            page[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// The group has ended.
    pub fn end_group(&mut self) {
        self.groups += 1;
        for (loaded, sum) in self.group.iter_mut().zip(&mut self.sums) {
            *sum = total(*sum, loaded.footprint());
            *loaded = Loaded::default();
        }
    }

    /// Adds what another recorder of the launch has recorded.
    pub fn add(&mut self, other: &Self) {
        self.groups += other.groups;
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum = total(*sum, *other);
        }
    }

    /// The mean footprints of the groups, by argument, rounded up; none of what is more than local memory
    /// can hold.
    pub fn means(&self) -> Vec<Option<Footprint>> {
        let mean = |sum: u64| sum.div_ceil(self.groups.max(1));
        let means = self.sums.iter().map(|sum| {
            let sum = (*sum)?;
            Some(Footprint {
                loaded: mean(sum.loaded),
                different: mean(sum.different),
                rows: mean(sum.rows),
            })
        });
        means.collect()
    }
}

/// The sum of two footprints, if both are known.
fn total(one: Option<Footprint>, other: Option<Footprint>) -> Option<Footprint> {
    let (one, other) = (one?, other?);
    Some(Footprint {
        loaded: one.loaded + other.loaded,
        different: one.different + other.different,
        rows: one.rows + other.rows,
    })
}

impl Loaded {
    fn is_exceeded(&self) -> bool {
        (self.pages.len() * PAGE_WORDS * WORD) as u64 > MAX_DIFFERENT
    }

    /// None if not all different bytes are recorded.
    fn footprint(&self) -> Option<Footprint> {
        if self.is_exceeded() {
            return None;
        }
        let mut footprint = Footprint {
            loaded: self.bytes,
            ..Footprint::default()
        };
        for (page, words) in &self.pages {
            let before = page.checked_sub(1).and_then(|page| self.pages.get(&page));
            let mut is_after_loaded = before.is_some_and(|words| words[words.len() - 1] >> 63 == 1);
            for word in words {
                let firsts = word & !(word << 1 | u64::from(is_after_loaded));
                footprint.rows += u64::from(firsts.count_ones());
                footprint.different += u64::from(word.count_ones()) * WORD as u64;
                is_after_loaded = word >> 63 == 1;
            }
        }
        Some(footprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_bytes_and_rows_are_counted_by_group() {
        let mut recorder = FootprintRecorder::new(2);
        for _ in 0..2 {
            // Twice the same 256 bytes over the border of a page, then 8 bytes elsewhere.
            for _ in 0..2 {
                for word in 0..64 {
                    recorder.load(0, 4096 - 128 + 4 * word, 4);
                }
            }
            recorder.load(0, 100_000, 8);
            recorder.load(1, 64, 128);
            recorder.load(2, 64, 128);
            recorder.end_group();
        }
        let mut other = FootprintRecorder::new(2);
        other.load(1, 0, 4);
        other.end_group();
        recorder.add(&other);
        let of = |loaded, different, rows| {
            Some(Footprint {
                loaded,
                different,
                rows,
            })
        };
        let expected = [
            of((2 * 520u64).div_ceil(3), (2 * 264u64).div_ceil(3), 2),
            of(260u64.div_ceil(3), 260u64.div_ceil(3), 1),
        ];
        assert_eq!(recorder.means(), expected);
    }

    #[test]
    fn what_no_local_memory_holds_is_not_recorded() {
        let mut recorder = FootprintRecorder::new(2);
        for place in 0..100_000 {
            recorder.load(0, 4096 * place, 4);
        }
        recorder.load(1, 0, 4);
        assert!(recorder.group[0].pages.len() < 2000);
        recorder.end_group();
        let [first, second] = recorder.means()[..] else {
            panic!("{recorder:?}");
        };
        assert_eq!(first, None);
        assert!(second.is_some());
    }

    #[test]
    fn the_first_a_middle_and_the_last_group_record() {
        let recorded = |groups: u64| {
            let all = 0..groups;
            all.filter(|group| is_recorded(*group, groups))
                .collect::<Vec<_>>()
        };
        assert_eq!(recorded(1), [0]);
        assert_eq!(recorded(2), [0, 1]);
        assert_eq!(recorded(100), [0, 49, 99]);
    }
}
