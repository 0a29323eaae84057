//! Checks compiled into device code (`MOCL3_CHECK`). Each access is compared with the block of memory that its
//! pointer begins in, so that an access beyond a buffer is found where another buffer follows. If it is
//! not within, or the thread's state says so, code asks a function of the platform whether it may be made.
//! Uses of values that were never written are found by LLVM (`undefined`).
//! Threads execute atomic operations one after the other, as volatile accesses. Before
//! each call of a function that is not the image's own, such as one that starts a transfer, code notes the
//! place of the call.

mod loaded;
mod origins;
mod pass;
mod undefined;

pub use loaded::Checked;
pub use pass::{CheckSite, CheckTable, CheckedVariable, UndefinedKind};

use crate::ir::{Context, Module};
use crate::shim::Refused;

/// Inserts the checks, with those of values that were never written if `is_undefined_checked`. Assembly is checked when
/// it is executed.
pub fn insert(
    context: &Context,
    module: &Module<'_>,
    is_undefined_checked: bool,
) -> Result<CheckTable, Refused> {
    if is_undefined_checked {
        undefined::mark_variables(module);
    }
    let mut pass = pass::insert(context, module)?;
    if is_undefined_checked {
        undefined::insert(&mut pass, module);
    }
    Ok(pass.table)
}
