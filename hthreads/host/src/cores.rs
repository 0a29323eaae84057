//! Which cores of a cluster a group is made of.

use crate::error::Error;

/// Cores for a group.
#[derive(Clone, Copy)]
pub enum Cores {
    /// A number of idle ones, the lowest numbers first.
    Idle(i32),
    /// Those of a mask.
    Masked(u32),
}

impl Cores {
    /// The cores of a new group, and the number of threads that it has for the program. The cluster `id` has
    /// `count` cores, of which those of the mask `taken` are in groups.
    ///
    /// # Errors
    /// There are none, or they are in groups.
    pub fn choose(self, id: i32, count: u32, taken: u32) -> Result<(Vec<u32>, u32), Error> {
        let is_idle = |core: &u32| taken & (1 << core) == 0;
        match self {
            Self::Idle(threads) => {
                let size = u32::try_from(threads).unwrap_or(0);
                if size == 0 {
                    return Err(Error::NoThreads);
                }
                let idle = (0..count).filter(is_idle);
                let chosen: Vec<u32> = idle.take(size as usize).collect();
                match chosen.is_empty() {
                    true => Err(Error::NoIdleCores(threads, id)),
                    false => Ok((chosen, size)),
                }
            }
            Self::Masked(mask) => {
                let mask = mask & ((1 << count) - 1);
                if mask == 0 {
                    return Err(Error::NoThreads);
                }
                if mask & taken != 0 {
                    return Err(Error::Busy(mask & taken, id));
                }
                let chosen = (0..count).filter(|core| mask & (1 << core) != 0);
                Ok((chosen.collect(), mask.count_ones()))
            }
        }
    }
}
