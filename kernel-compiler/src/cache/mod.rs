//! The compile cache: what was compiled once, by this process or another, is read from
//! disk. It holds the front end's output, linked programs and native code.
//!
//! A key is a hash of everything that the result depends on, so that an entry never has
//! to be invalidated: the least recently used entries are removed first. Whatever is
//! wrong with the cache, the program does not notice but by the time it takes.

mod bypass;
mod entry;
mod folder;
pub mod in_process;
mod key;
pub mod observed_files;
mod settings;
mod store;
mod toolchain_id;

pub use bypass::bypass;
pub use key::CacheInput;
#[cfg(test)]
pub use key::tests::check_distinct;
pub use store::Cache;
