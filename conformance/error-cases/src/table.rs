//! The form of a table of error cases.

use crate::session::Session;
use cl_sys::cl_int;
use std::sync::Arc;

/// One wrong call, the code that it must return, and how it is made.
#[derive(Clone)]
pub struct ErrorCase {
    /// The function.
    pub function: &'static str,
    /// The code that the specification names; `CL_SUCCESS` for the call before it is changed.
    pub code: cl_int,
    /// The code's name.
    pub code_name: &'static str,
    /// What is wrong with the call, words joined by `_`.
    pub condition: &'static str,
    provoke: Arc<dyn Fn(&Session) -> cl_int + Send + Sync>,
}

impl ErrorCase {
    /// Makes the call; returns the function's code.
    pub fn provoke(&self, session: &Session) -> cl_int {
        (self.provoke)(session)
    }
}

/// A fault that calls of several functions have in common.
pub struct Fault<T: 'static> {
    /// The code that the specification names.
    pub code: cl_int,
    /// The code's name.
    pub code_name: &'static str,
    /// What is wrong, words joined by `_`.
    pub condition: &'static str,
    /// The arguments.
    pub call: fn(&Session) -> T,
}

/// The cases of each command with each fault; `call` makes a call with its arguments.
pub fn each<T, C: Copy + Send + Sync + 'static>(
    commands: &[(&'static str, C)],
    faults: &'static [Fault<T>],
    call: fn(C, T) -> cl_int,
) -> Vec<ErrorCase> {
    let case = |&(function, command): &(&'static str, C), fault: &'static Fault<T>| ErrorCase {
        function,
        code: fault.code,
        code_name: fault.code_name,
        condition: fault.condition,
        provoke: Arc::new(move |session| call(command, (fault.call)(session))),
    };
    let commands = commands.iter();
    commands
        .flat_map(|command| faults.iter().map(move |fault| case(command, fault)))
        .collect()
}

/// The cases of a table.
pub fn entries(table: &'static [Entry]) -> Vec<ErrorCase> {
    let case = |entry: &'static Entry| ErrorCase {
        function: entry.function,
        code: entry.code,
        code_name: entry.code_name,
        condition: entry.condition,
        provoke: Arc::new(entry.provoke),
    };
    table.iter().map(case).collect()
}

/// One wrong call: a row of a table.
pub struct Entry {
    /// The function.
    pub function: &'static str,
    /// The code that the specification names.
    pub code: cl_int,
    /// The code's name.
    pub code_name: &'static str,
    /// What is wrong with the call, words joined by `_`.
    pub condition: &'static str,
    /// Makes the call; returns the function's code.
    pub provoke: fn(&Session) -> cl_int,
}

/// A table of entries by function and code. Each body makes a call and ends with the code that the
/// function returned.
///
/// ```text
/// table! {
///     clReleaseContext {
///         CL_INVALID_CONTEXT {
///             null: |_session| unsafe { clReleaseContext(null_mut()) },
///         }
///     }
/// }
/// ```
macro_rules! table {
    ($($function:ident {
        $($code:ident { $($condition:ident : |$session:pat_param| $body:expr),+ $(,)? })+
    })+) => {
        &[$($($(Entry {
            function: stringify!($function),
            code: $code,
            code_name: stringify!($code),
            condition: stringify!($condition),
            provoke: |$session| $body,
        },)+)+)+]
    };
}

/// A table of faults by code.
macro_rules! faults {
    ($($code:ident { $($condition:ident : |$session:pat_param| $body:expr),+ $(,)? })+) => {
        &[$($(Fault {
            code: $code,
            code_name: stringify!($code),
            condition: stringify!($condition),
            call: |$session| $body,
        },)+)+]
    };
}

pub(crate) use {faults, table};
