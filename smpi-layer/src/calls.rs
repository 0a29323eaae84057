//! Calls of ranks: at SimGrid's time, and taking as long as the node's clock advances.

use crate::callbacks;
use crate::rank::Rank;

/// Performs a call; for a rank at simulated time.
pub fn call<R>(function: impl FnOnce() -> R) -> R {
    match Rank::current() {
        Some(rank) => of_rank(rank, function),
        None => function(),
    }
}

/// Performs a call of the rank.
pub fn of_rank<R>(rank: Rank, function: impl FnOnce() -> R) -> R {
    rank.synchronise();
    callbacks::call_due(rank);
    let result = function();
    rank.spend();
    callbacks::call_due(rank);
    result
}
