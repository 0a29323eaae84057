//! The functions of C, made from tables. A row has the names of both precisions, the generic function that
//! computes the call, and its parameters, where T is `float` or `double`.

macro_rules! exports {
    (@function $name:ident $routine:path, ($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, reason = "those of CBLAS")]
        unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            $crate::errors::guarded(stringify!($name), || {
                // SAFETY: the program promises that arrays have the elements that their sizes imply.
                unsafe { $routine($($argument),*) }
            })
        }
    };
    ($(
        $single:ident $double:ident = $routine:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;
    )*) => {
        mod single {
            #[allow(unused_imports, reason = "the table decides what is used")]
            use super::*;
            type T = f32;
            $(exports!(@function $single super::$routine::<T>, ($($argument: $type),*) $(-> $result)?);)*
        }

        mod double {
            #[allow(unused_imports, reason = "the table decides what is used")]
            use super::*;
            type T = f64;
            $(exports!(@function $double super::$routine::<T>, ($($argument: $type),*) $(-> $result)?);)*
        }
    };
}

/// Routines that are one launch each: their kernels, names, parameters, and bodies. A body checks the
/// arguments, in the reference's order, and has the kernel's operands, or none if there is nothing to do.
macro_rules! launches {
    ($(
        $kernel:literal $single:ident $double:ident = $routine:ident(
            $($argument:ident: $type:ty),* $(,)?
        ) $body:block
    )*) => {
        exports! { $($single $double = $routine($($argument: $type),*);)* }

        $(
            /// # Safety
            /// As the routine of CBLAS: arrays have the elements that their sizes and increments imply.
            #[allow(clippy::too_many_arguments, reason = "those of CBLAS")]
            unsafe fn $routine<T: $crate::real::Real>(
                $($argument: $type),*
            ) -> Result<(), $crate::errors::Failure> {
                let operands = || -> Result<Option<_>, $crate::errors::Failure> { $body };
                match operands()? {
                    // SAFETY: as the caller promises.
                    Some(operands) => unsafe { $crate::call::run::<T>($kernel, &operands) },
                    None => Ok(()),
                }
            }
        )*
    };
}
