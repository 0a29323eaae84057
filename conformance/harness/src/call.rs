//! Calls of OpenCL: each is counted, and the watchdog knows which a thread is in.
//!
//! Calls go to the system's loader. That pointers handed over point to what the call
//! needs for as long as it, or its command, needs it, is for the callers to see to: what
//! commands use is kept until they have ended (`model`, `activities`).

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts the calls at one place of the source.
pub struct Counter {
    name: &'static str,
    count: AtomicU64,
    listed: AtomicBool,
}

static COUNTERS: Mutex<Vec<&'static Counter>> = Mutex::new(Vec::new());

impl Counter {
    /// For calls of the function `name`.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            count: AtomicU64::new(0),
            listed: AtomicBool::new(false),
        }
    }

    /// The function's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One call more.
    pub fn count(&'static self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        if !self.listed.swap(true, Ordering::Relaxed) {
            COUNTERS.lock().push(self);
        }
    }
}

/// Calls until now, by function.
pub fn counts() -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for counter in COUNTERS.lock().iter() {
        *counts.entry(counter.name).or_default() += counter.count.load(Ordering::Relaxed);
    }
    counts
}

/// Calls until now.
pub fn total() -> u64 {
    counts().values().sum()
}

/// A code that is not `CL_SUCCESS`, and who returned it.
///
/// # Errors
/// Any other code.
pub fn check(function: &str, code: i32) -> anyhow::Result<()> {
    if code == cl_sys::CL_SUCCESS {
        return Ok(());
    }
    anyhow::bail!(
        "{function} returned {}",
        opencl3::error_codes::ClError(code)
    )
}

/// The code that a function returns.
#[macro_export]
macro_rules! code {
    ($function:ident ( $($argument:expr),* $(,)? )) => {{
        static COUNTER: $crate::call::Counter =
            $crate::call::Counter::new(stringify!($function));
        let _calling = $crate::watchdog::calling(&COUNTER);
        // SAFETY: see the module `call`.
        #[allow(unused_unsafe, reason = "closures that are unsafe already")]
        unsafe { cl_sys::$function($($argument),*) }
    }};
}

/// The function must succeed: `Result<()>`.
#[macro_export]
macro_rules! ok {
    ($function:ident ( $($argument:expr),* $(,)? )) => {
        $crate::call::check(
            stringify!($function),
            $crate::code!($function($($argument),*)),
        )
    };
}

/// The function, whose last argument `errcode_ret` is added, must create something:
/// `Result<*mut c_void>`.
#[macro_export]
macro_rules! made {
    ($function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut code = -12345;
        let object = $crate::code!($function($($argument,)* &raw mut code));
        $crate::call::check(stringify!($function), code).map(|()| object)
    }};
}

pub use {code, made, ok};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_function() {
        static FIRST: Counter = Counter::new("clSomething");
        static SECOND: Counter = Counter::new("clSomething");
        FIRST.count();
        FIRST.count();
        SECOND.count();
        assert_eq!(counts()["clSomething"], 3);
        assert!(total() >= 3);
    }

    #[test]
    fn a_failure_names_function_and_code() {
        let error = check("clFlush", -36).unwrap_err().to_string();
        assert_eq!(error, "clFlush returned CL_INVALID_COMMAND_QUEUE");
    }
}
