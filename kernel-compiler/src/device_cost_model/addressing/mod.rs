//! Where accesses go: the memory, and the object in it.

pub mod address;
pub mod device_functions;
pub mod objects;
mod sources;
pub mod space;
