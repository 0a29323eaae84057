//! Mutated input, and the platform's reaction.

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// The platform's reaction to an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Accepted,
    Refused,
    /// A build or a launch failed because the compiler crashed; the process continues.
    CompilerCrashed,
}

/// Inputs of one kind, in the process that passes them to the platform.
pub trait Input {
    /// Makes the input of the seed, writes it to the folder, where it remains if the process dies,
    /// and passes it to the platform.
    ///
    /// # Errors
    /// The platform's reaction is wrong.
    fn run(&mut self, seed: u64) -> Result<Verdict>;
}
