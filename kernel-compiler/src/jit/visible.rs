//! Loaded code that debuggers and profilers see.

use super::gdb_interface::Registered;
use super::loader::Image;
use super::perf_map;
use super::symbol_file::Loaded;
use crate::debugger;
use host_exec::launch::CodeAddresses;

/// What debuggers know of loaded code, until it is dropped. The code must outlive it.
pub struct Visible {
    /// Where the code is.
    pub addresses: CodeAddresses,
    _registered: Option<Registered>,
}

impl Visible {
    /// Shows the code that `object` was loaded to. Its function `entry`, at `address`, is shown as
    /// `kernel`.
    pub fn new(object: &[u8], image: &Image, entry: &str, kernel: &str, address: u64) -> Self {
        let Some(loaded) = Loaded::parse(object) else {
            return Self {
                addresses: CodeAddresses::default(),
                _registered: None,
            };
        };
        Self {
            addresses: loaded.addresses(entry, address).unwrap_or_default(),
            _registered: Self::register(&loaded, image, entry, kernel, address),
        }
    }

    fn register(
        loaded: &Loaded<'_>,
        image: &Image,
        entry: &str,
        kernel: &str,
        address: u64,
    ) -> Option<Registered> {
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
