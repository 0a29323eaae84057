//! Code of an image for this host: compiled now, or read from the compile cache, and loaded.

use super::assembly::{self, Assembly, StoredAssembly};
use super::checks::{self, CheckTable, Checked};
use super::entry_points::{self, Entry};
use super::gsm::{self, GsmVariable};
use super::lane_mask;
use super::literal_addresses;
use super::scheduling_points;
use super::stack_frames;
use super::timing::{self, ImageCost};
use crate::cache::{Cache, CacheInput};
use crate::failure::BuildFailure;
use crate::guard::{self, Stopped};
use crate::ir::diagnostics::Errors;
use crate::ir::{self, Context};
use crate::jit::Visible;
use crate::jit::loader::Image;
use crate::jit::runtime_symbols::c_library;
use crate::jit::source_place::{self, SourcePlace};
use crate::kernel::specialisation::Timed;
use crate::pipeline::module_guard::LeakOnPanic;
use crate::process_end::Use;
use crate::shim::{self, FileType, Refused};
use crate::target::{self, HOST_CPU};
use inkwell::memory_buffer::MemoryBuffer;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ffi::c_void;

/// Functions without `optnone`, which files compiled with `-O0` have, are optimised as a whole.
const OPTIMISE: &str = "default<O3>";

/// Code raises exceptions of misaligned accesses. Checked code reports them instead.
const RAISE_MISALIGNED: &str = "function(alignment-checks)";

/// The subject of failures.
const LOADING: &str = "loading the image";

/// A function that code may call: its name and address.
pub type HostFunction = (&'static str, usize);

/// What code does besides what its program says.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum Added<'a> {
    /// Nothing.
    Nothing,
    /// It counts what it does, to be timed.
    Counts(&'a Timed),
    /// It checks its accesses.
    Checks {
        /// Whether it checks for values that were never written, too.
        undefined: bool,
    },
}

/// An image in native code, not loaded.
#[derive(Serialize, Deserialize)]
pub struct NativeCode {
    #[serde(with = "serde_bytes")]
    object: Vec<u8>,
    kernels: Vec<String>,
    /// Functions that are not its own.
    called: Vec<String>,
    gsm: Vec<GsmVariable>,
    assembly: StoredAssembly,
    /// Of timed code.
    cost: Option<ImageCost>,
    /// Of checked code.
    checks: Option<CheckTable>,
}

/// What native code depends on.
#[derive(Serialize)]
struct CodeInput<'a> {
    #[serde(with = "serde_bytes")]
    bitcode: &'a [u8],
    cpu: &'a str,
    features: &'a str,
    added: Added<'a>,
}

impl CacheInput for CodeInput<'_> {
    const KIND: &'static str = "device code";
    const VERSION: u32 = 17;
}

impl NativeCode {
    /// Compiles an image for this host, or takes the result from the compile cache.
    ///
    /// # Errors
    /// The image is no bitcode of this version of LLVM, or code generation failed.
    pub fn compile(bitcode: &[u8], added: Added<'_>) -> Result<Self, BuildFailure> {
        let _in_use = Use::begin()?;
        let compile = || match guard::run(|| compile(bitcode, added)) {
            Ok(code) => code.map_err(|Refused(reason)| BuildFailure::new(reason)),
            Err(stopped) => Err(failure(&stopped)),
        };
        let input = CodeInput {
            bitcode,
            cpu: &HOST_CPU.name,
            features: &HOST_CPU.features,
            added,
        };
        match Cache::get() {
            Some(cache) => cache.get_or_make(&input, |_| true, compile),
            None => compile(),
        }
    }

    /// Makes the code executable. It may call `functions`, and those of the C library that
    /// `c_library` lists.
    ///
    /// # Errors
    /// A function is missing, or the host has no memory for the code.
    pub fn load(self, functions: &[HostFunction]) -> Result<DeviceCode, BuildFailure> {
        let _in_use = Use::begin()?;
        let loaded = guard::run(|| load(&self, functions));
        loaded.unwrap_or_else(|stopped| Err(failure(&stopped)))
    }
}

fn failure(stopped: &Stopped) -> BuildFailure {
    BuildFailure::stopped(LOADING, stopped)
}

/// To be called guarded.
fn compile(bitcode: &[u8], added: Added<'_>) -> Result<NativeCode, Refused> {
    let context = LeakOnPanic::new(Context::create());
    let errors = Errors::collect(&context);
    let module = LeakOnPanic::new(context.parse_bitcode(bitcode).map_err(Refused)?);
    let addresses = entry_points::addresses(module.handle());
    let gsm = gsm::place(&module);
    literal_addresses::insert(module.handle(), gsm::start(module.handle(), &gsm));
    lane_mask::insert(module.handle());
    scheduling_points::insert(module.handle());
    let (mut assembly, programs) = assembly::take_programs(module.handle())?;
    let functions = ir::functions(module.handle()).into_iter();
    let called = functions.filter(|one| one.is_declaration());
    let called = called.map(|one| one.name()).collect();
    for function in ir::functions(module.handle()) {
        function.remove_text_attributes();
    }
    let mut cost = None;
    let mut checks = None;
    match added {
        Added::Nothing => (),
        Added::Counts(timed) => {
            let gsm: Vec<&str> = gsm.iter().map(|one| one.symbol.as_str()).collect();
            cost = Some(timing::insert(&module, &gsm, &programs, timed)?);
        }
        Added::Checks { undefined } => {
            checks = Some(checks::insert(&context, &module, undefined)?);
        }
    }
    assembly::add_thunks(module.handle(), &mut assembly);
    let kernels = entry_points::add(module.handle(), &addresses);
    literal_addresses::define(module.handle(), gsm::start(module.handle(), &gsm));
    for function in ir::functions(module.handle()) {
        if !function.is_declaration() {
            function.set_text_attribute("target-cpu", &HOST_CPU.name);
            function.set_text_attribute("target-features", &HOST_CPU.features);
            function.remove_section();
            // Exceptions show the calls.
            function.keep_unwind_tables();
            function.set_text_attribute("disable-tail-calls", "true");
        }
    }
    module.verify().map_err(Refused)?;
    let machine = target::machine(true);
    shim::run_passes(&module, OPTIMISE, &machine)?;
    if checks.is_none() {
        shim::run_passes(&module, RAISE_MISALIGNED, &machine)?;
    }
    stack_frames::insert(module.handle());
    let object = shim::emit(&module, &machine, FileType::Object)?;
    match errors.first() {
        Some(error) => Err(Refused(error)),
        None => Ok(NativeCode {
            object: object.as_slice().to_vec(),
            kernels,
            called,
            gsm,
            assembly,
            cost,
            checks,
        }),
    }
}

/// To be called guarded.
fn load(code: &NativeCode, functions: &[HostFunction]) -> Result<DeviceCode, BuildFailure> {
    let object = MemoryBuffer::create_from_memory_range_copy(&code.object, "image");
    let is_given = |name: &str| functions.iter().any(|(given, _)| *given == name);
    let mut all = c_library();
    all.retain(|(name, _)| !is_given(name));
    let pointer = |address: usize| std::ptr::with_exposed_provenance::<c_void>(address);
    let given = functions.iter();
    all.extend(given.map(|(name, address)| (*name, pointer(*address))));
    let image = Image::load_with(object, &all)?;
    let mut entries = HashMap::new();
    for kernel in &code.kernels {
        let address = image.address(&entry_points::symbol(kernel))?;
        // SAFETY: the symbol is the kernel's entry, made with this very signature.
        let entry = unsafe { std::mem::transmute::<u64, Entry>(address) };
        entries.insert(kernel.clone(), entry);
    }
    let variables = code.gsm.iter();
    let gsm: Result<_, _> = variables
        .map(|variable| Ok((image.address(&variable.symbol)?, variable.bytes)))
        .collect();
    let symbol = code
        .kernels
        .first()
        .map(|kernel| entry_points::symbol(kernel));
    let symbol = symbol.unwrap_or_default();
    let address = image.address(&symbol).unwrap_or_default();
    let checks = code.checks.as_ref();
    let checks = checks
        .map(|table| Checked::load(table, &image))
        .transpose()?;
    let visible = Visible::new(&code.object, &image, &symbol, &symbol, address);
    let cost = code.cost.as_ref();
    let counters = cost.map(|cost| cost.assembly().to_vec());
    let assembly = Assembly::load(&code.assembly, &image, counters.unwrap_or_default())?;
    Ok(DeviceCode {
        entries,
        assembly,
        lines: Lines {
            object: code.object.clone(),
            symbol,
        },
        gsm: gsm?,
        called: code.called.clone(),
        cost: code.cost.clone(),
        checks,
        visible,
        _image: image,
    })
}

/// Where code comes from.
struct Lines {
    object: Vec<u8>,
    /// A function in the section that has all of them.
    symbol: String,
}

/// An image that is loaded. Its code and variables exist while it lives.
pub struct DeviceCode {
    entries: HashMap<String, Entry>,
    lines: Lines,
    gsm: Vec<(u64, u64)>,
    called: Vec<String>,
    assembly: Assembly,
    cost: Option<ImageCost>,
    checks: Option<Checked>,
    /// Dropped before the code.
    visible: Visible,
    _image: Image,
}

impl DeviceCode {
    /// The entry of a kernel.
    pub fn kernel(&self, name: &str) -> Option<Entry> {
        self.entries.get(name).copied()
    }

    /// Whether it calls a function that is not its own.
    pub fn calls(&self, function: &str) -> bool {
        self.called.iter().any(|called| called == function)
    }

    /// Whether an instruction is one of the image's functions.
    pub fn contains(&self, address: usize) -> bool {
        self.visible.addresses.contains(address)
    }

    /// The source places of an instruction and of the calls that are inlined there, from the innermost
    /// one on; none of files that were compiled without `-g`.
    pub fn places(&self, address: usize) -> Vec<SourcePlace> {
        let Lines { object, symbol } = &self.lines;
        match self.contains(address) {
            true => {
                let offset = address - self.visible.addresses.start;
                source_place::find_with_calls(object, symbol, offset as u64)
            }
            false => Vec::new(),
        }
    }

    /// The code in assembly.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The costs of timed code.
    pub fn cost(&self) -> Option<&ImageCost> {
        self.cost.as_ref()
    }

    /// What checked code checks.
    pub fn checks(&self) -> Option<&Checked> {
        self.checks.as_ref()
    }

    /// Addresses and sizes of the variables in GSM, and of the rest of it, in the order of the addresses.
    pub fn gsm(&self) -> &[(u64, u64)] {
        &self.gsm
    }
}
