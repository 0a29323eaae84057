//! Linking: units become one program, and the builtin library is added.

mod builtin_library;
mod complete;
mod source_names;
mod units;

pub use complete::{SIMPLIFY, check_regions, complete};
pub use units::{LINKING, link, link_library};
