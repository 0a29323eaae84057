//! Loaded code that debuggers and profilers see.

use super::gdb_interface::Registered;
use super::loader::Image;
use super::perf_map;
use super::symbol_file::Loaded;
use crate::debugger;

/// What debuggers know of loaded code, until it is dropped. The code must outlive it.
pub struct Visible(#[expect(dead_code, reason = "dropping it is its use")] Option<Registered>);

impl Visible {
    /// Shows the code that `object` was loaded to. Its function `entry`, at `address`, is shown as
    /// `kernel`.
    pub fn new(object: &[u8], image: &Image, entry: &str, kernel: &str, address: u64) -> Self {
        Self(Self::register(object, image, entry, kernel, address))
    }

    fn register(
        object: &[u8],
        image: &Image,
        entry: &str,
        kernel: &str,
        address: u64,
    ) -> Option<Registered> {
        let loaded = Loaded::parse(object)?;
        let base = loaded.base(entry, address)?;
        if perf_map::is_on() {
            for function in loaded.functions(entry) {
                let is_entry = function.name == entry;
                let name = if is_entry { kernel } else { function.name };
                perf_map::add(name, base + function.offset, function.size);
            }
        }
        let file = if debugger::is_on() && loaded.has_debug_information() {
            loaded.with_addresses(|name| image.address(name).ok())
        } else {
            loaded.symbols_only(entry, kernel, base)?
        };
        Some(Registered::new(file.into()))
    }
}
