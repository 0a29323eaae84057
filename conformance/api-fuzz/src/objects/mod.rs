//! Steps that create, modify, query and release objects.

pub mod buffers;
pub mod contexts;
pub mod devices;
pub mod events;
pub mod images;
pub mod kernel_table;
pub mod kernels;
pub mod lifetimes;
pub mod programs;
pub mod queries;
pub mod samplers;
pub mod sub_devices;
