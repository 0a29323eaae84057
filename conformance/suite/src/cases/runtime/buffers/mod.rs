//! Buffers: reads, writes, copies, fills, sub-buffers, and destructor callbacks.

mod destructors;
mod fill;
mod large;
mod on_devices;
mod parts;
mod transfers;

pub use destructors::destructor_callbacks;
pub use fill::fill;
pub use large::{LARGE, beyond_32_bits};
pub use on_devices::{migration, ping_pong};
pub use parts::parts;
pub use transfers::transfers;

const MIX: &str = "kernel void scramble(global uint *numbers, const uint operand)\n\
    { numbers[get_global_id(0)] = numbers[get_global_id(0)] * 3 + operand; }\n";
