//! Memory objects of more than 2 and 4 GiB. Storage is backed only where it is touched, so the tests
//! touch a few places: around the limits of signed and unsigned 32-bit numbers, and at the end.

mod buffers;
mod commands;
mod kernels;
