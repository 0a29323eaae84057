//! What the layer makes from the table of functions: `direct` calls the loader's, or those of the
//! next layer; `timed`, which programs call, does so at the rank's simulated time.

macro_rules! functions {
    ($(
        $(#[$attribute:meta])*
        $slot:literal $since:literal $status:ident $name:ident
        ( $($argument:ident : $type:ty),* ) -> $returns:ident;
    )*) => {
        /// The functions behind the layer.
        ///
        /// # Safety
        /// All: as the specification says.
        #[allow(dead_code, reason = "the table decides what there is")]
        pub mod direct {
            use crate::target;
            use super::types::*;
            $(functions!(@direct $status $returns $slot $name ($($argument: $type),*));)*
        }

        /// The functions that programs call.
        ///
        /// # Safety
        /// All: as the specification says.
        #[allow(dead_code, reason = "functions without a slot are found by name")]
        pub mod timed {
            use crate::calls;
            use super::{direct, types::*};
            $(functions!(@timed $status $returns $name ($($argument: $type),*));)*
        }

        /// Places in the dispatch table; -1 is none.
        #[allow(non_upper_case_globals, dead_code, reason = "named as the functions")]
        pub mod slot {
            $(pub const $name: i32 = $slot;)*
        }

        /// The functions that programs call, with their places in the dispatch table.
        pub const TIMED: &[(i32, Address)] = &[
            $(($slot, functions!(@address $status $name)),)*
        ];
    };
    (@address implemented $name:ident) => { Address(timed::$name as *const ()) };
    (@address absent $name:ident) => { Address(std::ptr::null()) };

    (@$kind:ident absent $($row:tt)*) => {};
    (@direct implemented status $slot:literal $name:ident ($($argument:ident : $type:ty),*)) => {
        functions!(@function $slot $name ($($argument: $type),*) -> cl_int);
    };
    (@direct implemented object $slot:literal $name:ident ($($argument:ident : $type:ty),*)) => {
        functions!(
            @function $slot $name ($($argument: $type,)* errcode_ret: Out<cl_int>) -> *mut c_void
        );
    };
    (@direct implemented address $slot:literal $name:ident ($($argument:ident : $type:ty),*)) => {
        functions!(@function $slot $name ($($argument: $type),*) -> *mut c_void);
    };
    (@function $slot:literal $name:ident ($($argument:ident : $type:ty),*) -> $result:ty) => {
        pub unsafe fn $name($($argument: $type),*) -> $result {
            // SAFETY: the function that the table has in this slot; the caller promises what
            // the specification requires of arguments.
            unsafe {
                let function: unsafe extern "C-unwind" fn($($type),*) -> $result =
                    std::mem::transmute(target::address($slot));
                function($($argument),*)
            }
        }
    };

    (@timed implemented status $name:ident ($($argument:ident : $type:ty),*)) => {
        functions!(@entry $name ($($argument: $type),*) -> cl_int);
    };
    (@timed implemented object $name:ident ($($argument:ident : $type:ty),*)) => {
        functions!(@entry $name ($($argument: $type,)* errcode_ret: Out<cl_int>) -> *mut c_void);
    };
    (@timed implemented address $name:ident ($($argument:ident : $type:ty),*)) => {
        functions!(@entry $name ($($argument: $type),*) -> *mut c_void);
    };
    (@entry $name:ident ($($argument:ident : $type:ty),*) -> $result:ty) => {
        pub unsafe extern "C-unwind" fn $name($($argument: $type),*) -> $result {
            // SAFETY: as the caller promises.
            calls::call(|| unsafe { direct::$name($($argument),*) })
        }
    };
}

/// The types that the table names.
#[allow(unused_imports, reason = "the table decides what is used")]
pub mod types {
    pub use cl_sys::*;
    pub use std::ffi::{c_char, c_void};

    /// What a function reads.
    pub type In<T> = *const T;
    /// What a function writes.
    pub type Out<T> = *mut T;
    /// `pfn_notify` of `clCreateContext`.
    pub type ContextCallback =
        unsafe extern "C-unwind" fn(*const c_char, *const c_void, usize, *mut c_void);
    /// `pfn_notify` of `clBuildProgram`, `clCompileProgram` and `clLinkProgram`.
    pub type ProgramCallback = unsafe extern "C-unwind" fn(cl_program, *mut c_void);
    /// `pfn_notify` of `clSetEventCallback`.
    pub type EventCallback = unsafe extern "C-unwind" fn(cl_event, cl_int, *mut c_void);
    /// `pfn_notify` of `clSetMemObjectDestructorCallback`.
    pub type MemObjectCallback = unsafe extern "C-unwind" fn(cl_mem, *mut c_void);
    /// `user_func` of `clEnqueueNativeKernel`.
    pub type NativeKernel = unsafe extern "C-unwind" fn(*mut c_void);
}

/// The table's functions.
#[allow(
    non_snake_case,
    missing_docs,
    reason = "the specification names and describes them"
)]
#[allow(
    clippy::too_many_arguments,
    clippy::missing_safety_doc,
    reason = "as it says"
)]
mod table {
    use super::types;
    use crate::target::Address;

    include!("../../icd/src/abi/functions.in");
}

pub use table::{TIMED, direct, slot, timed};
