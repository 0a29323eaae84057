//! The end of the process while clang or LLVM is in use.
//!
//! `exit` runs handlers and the destructors of static objects in the reverse order of their
//! registration, while other threads keep running. clang and LLVM make many of their static objects in
//! the first compilation, so `exit` would destroy them under a compilation that still runs. Two
//! things prevent that:
//!
//! - Each use of clang or LLVM holds a [`Use`]. A handler of `atexit`, registered before the
//!   first use, refuses new ones and waits until all have ended (`state`).
//! - A destructor that clang or LLVM registers later, and that `exit` therefore runs earlier, does
//!   the same first (`registrations`).
//!
//! `_exit` and `quick_exit` run no destructors and need none of this.

mod registrations;
mod state;
mod uses;

pub use state::is_closed;
pub use uses::{CallsHost, Use};
