//! Steps that enqueue commands.

pub mod image_transfers;
pub mod native;
pub mod rectangles;
pub mod submission;
pub mod transfers;
