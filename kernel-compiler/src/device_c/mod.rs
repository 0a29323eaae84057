//! Device C, the language of hthreads programs (docs/hthreads.md): C whose `lvector` types are the
//! machine's vectors. Files are compiled to bitcode for no CPU in particular (`front_end`), linked
//! (`link`), and compiled to code for this host when an image is loaded (`code`).
//!
//! Knows nothing of threads: the functions that the code calls are given when it is loaded.

pub mod assembly;
mod checks;
mod code;
mod entry_points;
mod front_end;
mod gsm;
mod lane_mask;
mod link;
mod literal_addresses;
mod scheduling_points;
mod stack_frames;
mod symbols;
mod text;
mod timing;
mod words;

pub use crate::device_cost_model::device_functions as priced_functions;
pub use crate::intrinsics::{
    CHECK_ACCESS, CHECK_CALL, END_VOLATILE, RACES_CHECKED, SHARED_BLOCK, TRANSFERS_PENDING,
    VOLATILE, VOLATILE_WRITE,
};
pub use crate::jit::source_place::SourcePlace;
pub use crate::kernel::specialisation::{Timed, TimedPurpose};
pub use checks::{CheckSite, CheckTable, Checked, CheckedVariable, UndefinedKind};
pub use code::{Added, DeviceCode, HostFunction, NativeCode};
pub use entry_points::{Entry, MAX_ARGUMENTS};
pub use front_end::{IMPLICIT_HEADER, Source, Written, compile, preprocess};
pub use gsm::GsmVariable;
pub use link::link;
pub use literal_addresses::MachineAddress;
pub use symbols::symbols;
pub use text::{from_text, is_marked, marked_text, text};
pub use timing::{COUNTERS, ImageCost};

use crate::jit::runtime_symbols;

/// The names of the C library's functions that code may call although no library of the device
/// defines them.
pub fn c_library() -> Vec<&'static str> {
    let functions = runtime_symbols::c_library().into_iter();
    functions.map(|(name, _)| name).collect()
}
