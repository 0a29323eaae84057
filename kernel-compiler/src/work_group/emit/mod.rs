//! Writes the work-group function: each region in loops over the work-items, then the branch to the
//! next region.

mod accesses;
mod arguments;
mod debugger;
mod emitter;
mod function;
mod index_space;
mod live_slots;
mod loops;
mod private_memory;
mod separated_regions;
mod separation;
mod work_item;

pub use function::{Parts, emit};
