//! The memories that device threads use: AM and SM of each array, and what the arrays of a cluster
//! share.

pub mod array;
mod buffer_list;
pub mod shared;
