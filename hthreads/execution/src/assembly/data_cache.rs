//! The level 1 data cache of a control core, for the time that loads of the scalar unit take: which lines of
//! memory outside it has. Only assembled code uses it; code from C has costs by block.

use device_sim::machine::Machine;

/// The lines, each in the one place that its address selects. How the machine's cache chooses places is not
/// published.
#[derive(Debug)]
pub struct DataCache {
    line_bytes: u64,
    /// The number of the line in each place.
    lines: Vec<u64>,
}

/// No line has this number.
const NONE: u64 = u64::MAX;

impl DataCache {
    /// An empty cache.
    pub fn new(machine: &Machine) -> Self {
        let cache = &machine.memory.l1d;
        let line_bytes = cache.line.value.max(1);
        Self {
            line_bytes,
            lines: vec![NONE; (cache.size.value / line_bytes) as usize],
        }
    }

    /// Whether a load has to get the line of an address, which the cache has afterwards.
    pub fn misses(&mut self, address: u64) -> bool {
        let number = address / self.line_bytes;
        let Some(place) = number.checked_rem(self.lines.len() as u64) else {
            return true;
        };
        std::mem::replace(&mut self.lines[place as usize], number) != number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_loaded_once() {
        let mut cache = DataCache::new(&Machine::mt3000());
        let line = cache.line_bytes;
        let missed: Vec<bool> = [0, 8, line, line - 8]
            .map(|address| cache.misses(address))
            .into();
        assert_eq!(missed, [true, false, true, false]);
        let size = line * cache.lines.len() as u64;
        assert!(cache.misses(size) && cache.misses(0));
    }
}
