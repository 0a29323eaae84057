//! The C side of the functions: `extern "C"` functions that trace the call, keep panics
//! in, and turn a `Result` into return value and `errcode_ret`.

use cl_sys::{CL_OUT_OF_RESOURCES, CL_SUCCESS, cl_int};
use runtime::error::{Code, Error, Result};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// The address of an entry point.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Address(pub *const ());

// SAFETY: the address of a function, never written through.
unsafe impl Sync for Address {}
// SAFETY: as above.
unsafe impl Send for Address {}

/// Whether the platform has a function of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Does what the specification says.
    Implemented,
    /// Not part of OpenCL 1.2 nor of an extension that is reported: `CL_INVALID_OPERATION`.
    Absent,
}

/// A row of the table of functions.
pub struct Function {
    /// Place in the dispatch table.
    pub slot: Option<usize>,
    /// Name in C.
    pub name: &'static str,
    /// OpenCL version or extension that brought it.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "only the coverage page shows it")
    )]
    pub since: &'static str,
    /// How far it is.
    pub status: Status,
    /// Names and types of its parameters, as the table has them; without `errcode_ret`.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests read it here"))]
    pub parameters: &'static [(&'static str, &'static str)],
    /// The entry point.
    pub address: Address,
}

#[cfg(test)]
impl Function {
    /// Whether OpenCL 1.2 and the extensions that are reported do without it.
    pub fn is_absent(&self) -> bool {
        self.status == Status::Absent
    }
}

/// The Rust side of a function: its arguments are the fields of `Self`.
pub trait Call {
    /// `Result<()>` for `status` rows, something that becomes `Created` for `object`
    /// rows, a pointer for `address` rows.
    type Output;
    /// Does it.
    fn call(self) -> Self::Output;
}

/// What a function that creates something gives back: mostly one of the two, but
/// `clLinkProgram` can fail and still create a program.
pub struct Created {
    /// The pointer to return.
    pub pointer: *mut c_void,
    /// What goes to `errcode_ret`.
    pub result: Result<()>,
}

impl From<Result<*mut c_void>> for Created {
    fn from(result: Result<*mut c_void>) -> Self {
        match result {
            Ok(pointer) => Self {
                pointer,
                result: Ok(()),
            },
            Err(error) => Self {
                pointer: null_mut(),
                result: Err(error),
            },
        }
    }
}

/// The error code of a result; the sentence goes to the log, the error to `report`.
fn code_of(name: &str, report: impl FnOnce(&Error), result: Result<()>) -> cl_int {
    match result {
        Ok(()) => CL_SUCCESS,
        Err(error) => {
            log::debug!("{name}: {error}");
            report(&error);
            error.code as cl_int
        }
    }
}

/// Runs `call`; a panic becomes `None` and a line in the log.
fn contained<T>(name: &str, call: impl FnOnce() -> T) -> Option<T> {
    // What a panic leaves half done is behind locks that do not poison; the next call
    // finds it as the panic left it, which is better than ending the host program.
    catch_unwind(AssertUnwindSafe(call))
        .inspect_err(|panic| {
            let message = panic
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("no message");
            log::error!("{name}: internal error, please report it: {message}");
        })
        .ok()
}

/// A `status` row.
pub fn status(
    name: &str,
    report: impl FnOnce(&Error),
    call: impl FnOnce() -> Result<()>,
) -> cl_int {
    contained(name, || code_of(name, report, call())).unwrap_or(CL_OUT_OF_RESOURCES)
}

/// An `object` row: what to return, and what goes to `errcode_ret`.
pub fn object<C: Into<Created>>(
    name: &str,
    report: impl FnOnce(&Error),
    call: impl FnOnce() -> C,
) -> (*mut c_void, cl_int) {
    contained(name, || {
        let created = call().into();
        (created.pointer, code_of(name, report, created.result))
    })
    .unwrap_or((null_mut(), CL_OUT_OF_RESOURCES))
}

/// An `address` row.
pub fn address(name: &str, call: impl FnOnce() -> *mut c_void) -> *mut c_void {
    contained(name, call).unwrap_or(null_mut())
}

/// The error of a function that the platform does not implement.
pub fn refusal(name: &str) -> Error {
    Error::new(
        Code::InvalidOperation,
        format!("{name} is not supported by this platform"),
    )
}

/// Makes everything that follows from the table of functions: see `functions.in`.
macro_rules! functions {
    ($(
        $(#[$attribute:meta])*
        $slot:literal $since:literal $status:ident $name:ident
        ( $($argument:ident : $type:ty),* ) -> $returns:ident;
    )*) => {
        /// The arguments of each implemented function.
        #[allow(non_camel_case_types, reason = "named as in the specification")]
        pub mod call {
            #[allow(unused_imports, reason = "the table decides what is used")]
            use {crate::abi::callback::*, crate::abi::host_memory::*, cl_sys::*, std::ffi::c_void};
            $(crate::abi::entry_point::arguments!($status $name ($($argument: $type),*));)*
        }

        /// The entry points.
        #[allow(non_snake_case, reason = "named as in the specification")]
        mod entry_points {
            #[allow(unused_imports, reason = "the table decides what is used")]
            use {
                super::call, crate::abi::callback::*, crate::abi::entry_point::{self, Call},
                crate::abi::host_memory::*, crate::check, crate::trace::{self, Returned}, cl_sys::*,
                std::ffi::c_void,
            };
            $(crate::abi::entry_point::entry_point!(
                [$(#[$attribute])*] $status $returns $name ($($argument: $type),*)
            );)*
        }

        /// All functions, in the order of their slots.
        pub static FUNCTIONS: &[crate::abi::entry_point::Function] = &[$(
            crate::abi::entry_point::Function {
                slot: crate::abi::entry_point::slot($slot),
                name: stringify!($name),
                since: $since,
                status: crate::abi::entry_point::status_of!($status),
                parameters: &[$((stringify!($argument), stringify!($type))),*],
                address: crate::abi::entry_point::Address(entry_points::$name as *const ()),
            },
        )*];
    };
}

/// The place in the dispatch table that a row names; -1 is none.
pub const fn slot(place: i32) -> Option<usize> {
    if place < 0 {
        None
    } else {
        Some(place as usize)
    }
}

macro_rules! status_of {
    (implemented) => {
        crate::abi::entry_point::Status::Implemented
    };
    (absent) => {
        crate::abi::entry_point::Status::Absent
    };
}

macro_rules! arguments {
    (implemented $name:ident ($($argument:ident : $type:ty),*)) => {
        pub struct $name { $(pub $argument: $type),* }
    };
    (absent $name:ident ($($argument:ident : $type:ty),*)) => {};
}

/// A call begins: the line of the trace, if there is one.
macro_rules! begin {
    ($name:ident ($($argument:ident : $type:ty),*)) => {
        trace::begin(
            stringify!($name),
            &[$((stringify!($argument), stringify!($type))),*],
            || [$(trace::word(&$argument)),*],
        )
    };
}

/// Passes the error of a call to the check of calls.
macro_rules! report {
    ($name:ident ($($argument:ident : $type:ty),*)) => {
        |error: &runtime::error::Error| check::failed(
            stringify!($name),
            error,
            &[$((stringify!($type), trace::word(&$argument))),*],
        )
    };
}

/// `unsafe`, because C vouches for the pointers: see `host_memory`.
macro_rules! entry_point {
    ([$(#[$attribute:meta])*] implemented $returns:ident $name:ident ($($argument:ident : $type:ty),*)) => {
        crate::abi::entry_point::function!(
            [$(#[$attribute])*] $returns $name ($($argument: $type),*)
            call::$name { $($argument),* }.call()
        );
    };
    ([] absent status $name:ident $arguments:tt) => {
        crate::abi::entry_point::function!(
            [] status $name $arguments
            Err(entry_point::refusal(stringify!($name)))
        );
    };
    ([] absent object $name:ident $arguments:tt) => {
        crate::abi::entry_point::function!(
            [] object $name $arguments
            Err::<*mut c_void, _>(entry_point::refusal(stringify!($name)))
        );
    };
    ([] absent address $name:ident $arguments:tt) => {
        crate::abi::entry_point::function!([] address $name $arguments std::ptr::null_mut());
    };
    ([] absent nothing $name:ident $arguments:tt) => {
        crate::abi::entry_point::function!([] nothing $name $arguments ());
    };
}

/// The C function of a row; `$body` is what it does.
macro_rules! function {
    ([$(#[$attribute:meta])*] status $name:ident ($($argument:ident : $type:ty),*) $body:expr) => {
        $(#[$attribute])*
        pub unsafe extern "C" fn $name($($argument: $type),*) -> cl_int {
            let line = crate::abi::entry_point::begin!($name ($($argument: $type),*));
            let report = crate::abi::entry_point::report!($name ($($argument: $type),*));
            let code = entry_point::status(stringify!($name), report, || $body);
            trace::end(line, Returned::Status(code));
            code
        }
    };
    ([$(#[$attribute:meta])*] object $name:ident ($($argument:ident : $type:ty),*) $body:expr) => {
        $(#[$attribute])*
        pub unsafe extern "C" fn $name($($argument: $type,)* errcode_ret: Out<cl_int>) -> *mut c_void {
            let line = crate::abi::entry_point::begin!($name ($($argument: $type),*));
            let report = crate::abi::entry_point::report!($name ($($argument: $type),*));
            let (pointer, code) = entry_point::object(stringify!($name), report, || $body);
            errcode_ret.set(code);
            trace::end(line, Returned::Object(pointer, code));
            pointer
        }
    };
    ([$(#[$attribute:meta])*] address $name:ident ($($argument:ident : $type:ty),*) $body:expr) => {
        $(#[$attribute])*
        pub unsafe extern "C" fn $name($($argument: $type),*) -> *mut c_void {
            let line = crate::abi::entry_point::begin!($name ($($argument: $type),*));
            let pointer = entry_point::address(stringify!($name), || $body);
            trace::end(line, Returned::Address(pointer));
            pointer
        }
    };
    ([$(#[$attribute:meta])*] nothing $name:ident ($($argument:ident : $type:ty),*) $body:expr) => {
        $(#[$attribute])*
        pub unsafe extern "C" fn $name($($argument: $type),*) {
            let line = crate::abi::entry_point::begin!($name ($($argument: $type),*));
            $body;
            trace::end(line, Returned::Nothing);
        }
    };
}

pub(crate) use {arguments, begin, entry_point, function, functions, report, status_of};
