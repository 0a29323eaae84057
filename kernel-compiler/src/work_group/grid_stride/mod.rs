//! Grid-stride loops: `for (i = get_global_id(0); i < n; i += get_global_size(0))`, and the same
//! with local ids and sizes. If each work-item ran its whole loop before the next one starts,
//! consecutive accesses would be a grid apart, and each would miss the caches. The loop over the
//! iterations is interchanged with those over the work-items, which then access consecutive
//! elements.
//!
//! Trip counts differ between work-items by one. The loop is split: the iterations that all
//! work-items execute become a loop of the group ([`interchange`]), and the original loop executes
//! the remainder.

mod body;
mod counter;
mod hoisting;
mod interchange;
mod profitability;
mod queries;
mod recognition;
mod surroundings;

pub use interchange::run;
