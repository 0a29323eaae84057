//! Loaded code that debuggers and profilers see.

use super::gdb_interface::Registered;
use super::jitdump::{self, DumpedFunction};
use super::line_rows;
use super::loader::Image;
use super::perf_map;
use super::symbol_file::{Function, Loaded};
use crate::debugger;
use host_exec::launch::CodeAddresses;

/// What debuggers know of loaded code, until it is dropped. The code must outlive it.
pub struct Visible {
    /// Where the code is.
    pub addresses: CodeAddresses,
    _registered: Option<Registered>,
}

/// Code that has just been loaded.
#[derive(Clone, Copy)]
struct LoadedCode<'a> {
    object: &'a [u8],
    loaded: &'a Loaded<'a>,
    /// Its first function, shown as `kernel`.
    entry: &'a str,
    kernel: &'a str,
    /// Where its section begins.
    base: u64,
}

impl Visible {
    /// Shows the code that `object` was loaded to. Its function `entry`, at `address`, is shown as
    /// `kernel`. To be called guarded.
    pub fn new(object: &[u8], image: &Image, entry: &str, kernel: &str, address: u64) -> Self {
        let mut visible = Self {
            addresses: CodeAddresses::default(),
            _registered: None,
        };
        let Some(loaded) = Loaded::parse(object) else {
            return visible;
        };
        visible.addresses = loaded.addresses(entry, address).unwrap_or_default();
        if let Some(base) = loaded.base(entry, address) {
            let code = LoadedCode {
                object,
                loaded: &loaded,
                entry,
                kernel,
                base,
            };
            code.show_to_profilers();
            visible._registered = code.register(image);
        }
        visible
    }
}

impl LoadedCode<'_> {
    fn show_to_profilers(self) {
        let functions = self.loaded.functions(self.entry);
        let name = |function: &Function<'_>| match function.name == self.entry {
            true => self.kernel.to_owned(),
            false => function.name.to_owned(),
        };
        if perf_map::is_on() {
            for function in &functions {
                let address = self.base + function.offset;
                perf_map::add(&name(function), address, function.size);
            }
        }
        if jitdump::folder().is_some() {
            let lines = line_rows::read(self.object, self.entry);
            let dumped = functions.iter().map(|function| {
                let end = function.offset + function.size;
                let first = lines.partition_point(|row| row.offset < function.offset);
                let after = lines.partition_point(|row| row.offset < end);
                DumpedFunction {
                    name: name(function),
                    address: self.base + function.offset,
                    // SAFETY: the function has been loaded there, and nothing writes its code.
                    code: unsafe {
                        std::slice::from_raw_parts(
                            std::ptr::with_exposed_provenance(
                                (self.base + function.offset) as usize,
                            ),
                            function.size as usize,
                        )
                    },
                    lines: &lines[first..after],
                    section: self.base,
                }
            });
            jitdump::add(&dumped.collect::<Vec<_>>());
        }
    }

    fn register(self, image: &Image) -> Option<Registered> {
        let Self { loaded, .. } = self;
        let file = if debugger::shows_lines() && loaded.has_debug_information() {
            loaded.with_addresses(|name| image.address(name).ok())
        } else {
            loaded.symbols_only(self.entry, self.kernel, self.base)?
        };
        Some(Registered::new(file.into()))
    }
}
