//! Sorting, counting and other primitives of data-parallel programs.

pub mod bitonic_sort;
pub mod hash_table;
pub mod histogram;
pub mod kmeans;
pub mod odd_even_sort;
pub mod radix_sort;
pub mod reduction;
pub mod scan;
pub mod work_queue;
