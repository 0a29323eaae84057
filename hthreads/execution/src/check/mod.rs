//! Checks of device code (`MOCL3_CHECK`): what its accesses and transfers may touch (`memory`), whether a
//! transfer that has not been waited for touches it, too (`pending`), and whether another thread does without
//! order (`races`). Code calls these functions before
//! each access (`kernel_compiler::device_c`).

mod assembly;
mod block;
mod buffers;
mod checker;
mod checking;
mod definedness;
pub mod heap;
mod lookup;
mod message;
mod output;
mod pending;
mod races;
mod segment;
pub mod shadow;

pub use assembly::{AssemblyAccess, AssemblyAccesses};
pub use checker::{Checker, State};
pub use checking::{Checking, Extent};
pub use definedness::UndefinedValue;
pub use output::report;
pub use pending::Rows;
pub use races::{Races, SyncObject};

use crate::memory::shared::ClusterMemory;
use environment::CHECK;
use std::sync::Arc;

/// What is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// That accesses are within buffers and variables, and aligned.
    pub memory: bool,
    /// That transfers have been waited for.
    pub dma: bool,
    /// That threads do not access the same memory without an order. Includes `memory`.
    pub races: bool,
    /// That values of variables and buffers have been written. Includes `memory`.
    pub uninitialised: bool,
    /// Calls of the host library, and what a program does not free.
    pub api: bool,
}

/// What a launch of checked code needs.
#[derive(Clone, Debug)]
pub struct CheckedLaunch {
    /// The kernel.
    pub kernel: Arc<str>,
    /// The memory that `hthread_malloc` takes blocks from.
    pub ddr: Arc<ClusterMemory>,
    /// What is checked.
    pub checks: Checks,
}

impl Checks {
    /// Those that `MOCL3_CHECK` lists, and the names of others that it lists.
    ///
    /// # Errors
    /// A sentence: a word is no check.
    pub fn from_environment() -> Result<(Self, Vec<&'static str>), String> {
        let value = CHECK.get().unwrap_or_default();
        let value = value.to_string_lossy();
        let listed = findings::listed(&value);
        let listed = listed.map_err(|word| findings::unknown_check(&value, word))?;
        Ok(Self::of(&listed))
    }

    fn of(listed: &[&'static str]) -> (Self, Vec<&'static str>) {
        let mut checks = Self::default();
        let mut others = Vec::new();
        for name in listed {
            match *name {
                "memory" => checks.memory = true,
                "dma" => checks.dma = true,
                "races" => {
                    checks.memory = true;
                    checks.races = true;
                }
                "uninitialised" => {
                    checks.memory = true;
                    checks.uninitialised = true;
                }
                "api" => checks.api = true,
                "all" => {
                    checks = Self {
                        memory: true,
                        dma: true,
                        races: true,
                        uninitialised: true,
                        api: true,
                    };
                }
                other => others.push(other),
            }
        }
        (checks, others)
    }

    /// Whether accesses are checked.
    pub fn are_in_code(self) -> bool {
        self.memory || self.dma || self.races
    }

    /// Whether anything is checked.
    pub fn is_any(self) -> bool {
        self != Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_checks_are_named() {
        let memory = Checks {
            memory: true,
            ..Checks::default()
        };
        assert_eq!(
            Checks::of(&["memory", "barriers"]),
            (memory, vec!["barriers"])
        );
        assert_eq!(Checks::of(&[]), (Checks::default(), vec![]));
        assert!(Checks::of(&["all"]).0.dma);
        assert!(Checks::of(&["races"]).0.memory);
        let (uninitialised, others) = Checks::of(&["uninitialised"]);
        assert!(uninitialised.memory && uninitialised.uninitialised && others.is_empty());
    }
}
