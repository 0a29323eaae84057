//! Faults of device code: an access of memory that is not there, a trap, or a division by zero raises an
//! exception of the thread, and the host program continues. Only device code, functions of the C library
//! that it calls, and transfers are concerned; other faults have the effect that they have without this.

mod call_stack;
mod handler;
pub mod interruption;
mod own_code;
mod redirection;

pub use call_stack::{Call, calls};

use std::sync::Once;

/// Installs the handler, once in the process.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        own_code::prepare();
        handler::install();
    });
}
