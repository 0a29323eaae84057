//! Values for kernels' arguments.

use std::ffi::c_void;
use std::ptr::null;

/// A value for a kernel's argument.
pub trait Argument {
    /// Size in bytes and address for `clSetKernelArg`; the address may be null.
    fn value(&self) -> (usize, *const c_void);
}

/// Size and address of a value.
pub fn place_of<V>(value: &V) -> (usize, *const c_void) {
    (size_of::<V>(), std::ptr::from_ref(value).cast())
}

macro_rules! by_value {
    ($($t:ty),*) => {$(
        impl Argument for $t {
            fn value(&self) -> (usize, *const c_void) {
                place_of(self)
            }
        }
    )*};
}
by_value!(i32, u32, f32, f64);

/// Local memory, in bytes.
pub struct Local(usize);

impl Local {
    /// Local memory for `count` elements.
    pub fn new<T>(elements: usize) -> Self {
        Self(elements * size_of::<T>())
    }
}

impl Argument for Local {
    fn value(&self) -> (usize, *const c_void) {
        (self.0, null())
    }
}
