//! Answers to the `clGet…Info` queries.

use crate::abi::host_memory::Out;
use runtime::error::{Code, Error, Result};
use std::cell::Cell;
use std::ffi::c_void;

/// `param_value_size`, `param_value` and `param_value_size_ret` of a query.
pub struct Destination {
    size: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
}

impl Destination {
    /// From the arguments of the same names.
    pub fn new(size: usize, value: Out<c_void>, size_ret: Out<usize>) -> Self {
        Self {
            size,
            value,
            size_ret,
        }
    }

    /// Writes an answer, and its size.
    ///
    /// # Errors
    /// `InvalidValue`: a destination is given and it is too small.
    pub fn write(&self, value: impl InfoValue) -> Result<()> {
        value.with_bytes(|bytes| {
            self.check_size(bytes.len())?;
            self.value.set_bytes(bytes);
            self.size_ret.set(bytes.len());
            Ok(())
        })
    }

    /// Writes into the buffers whose addresses the host program has put into the
    /// destination, one for each of `values`; a null address is left out.
    ///
    /// # Errors
    /// `InvalidValue`: a destination is given and has too few addresses.
    pub fn write_to_pointers<B: AsRef<[u8]>>(&self, values: &[B]) -> Result<()> {
        let size = values.len() * size_of::<*mut u8>();
        self.check_size(size)?;
        for (pointer, value) in self.value.pointers(values.len()).zip(values) {
            pointer.set_bytes(value.as_ref());
        }
        self.size_ret.set(size);
        Ok(())
    }

    fn check_size(&self, needed: usize) -> Result<()> {
        if !self.value.is_null() && self.size < needed {
            return Err(Error::new(
                Code::InvalidValue,
                format!(
                    "param_value_size is {} but the answer has {needed} bytes",
                    self.size
                ),
            ));
        }
        LAST_ANSWER.set(needed);
        Ok(())
    }
}

thread_local! {
    static LAST_ANSWER: Cell<usize> = const { Cell::new(0) };
}

/// Bytes of the last answer that this thread has given; the trace shows no more.
pub fn last_answer_size() -> usize {
    LAST_ANSWER.get()
}

/// The error for a `param_name` that the query does not have.
pub fn unknown_query<T>(name: u32) -> Result<T> {
    Err(Error {
        is_unknown_query: true,
        ..Error::new(
            Code::InvalidValue,
            format!("param_name {name:#x} is not supported"),
        )
    })
}

/// A value that a query can answer with.
pub trait InfoValue {
    /// Its bytes as C sees them.
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R;
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl InfoValue for $type {
            fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
                use_bytes(&self.to_ne_bytes())
            }
        }
    )*};
}
numbers!(u8, u32, i32, u64, usize, isize);

/// `cl_bool`.
impl InfoValue for bool {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        u32::from(*self).with_bytes(use_bytes)
    }
}

/// A handle.
impl InfoValue for *mut c_void {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        self.addr().with_bytes(use_bytes)
    }
}

/// A text; NUL is added.
impl InfoValue for &str {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        let mut bytes = Vec::with_capacity(self.len() + 1);
        bytes.extend_from_slice(self.as_bytes());
        bytes.push(0);
        use_bytes(&bytes)
    }
}

/// A text; NUL is added.
impl InfoValue for String {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        self.as_str().with_bytes(use_bytes)
    }
}

/// An array.
impl<T: InfoValue> InfoValue for &[T] {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        let mut bytes = Vec::with_capacity(size_of_val(*self));
        for value in *self {
            value.with_bytes(|part| bytes.extend_from_slice(part));
        }
        use_bytes(&bytes)
    }
}

/// An array.
impl<T: InfoValue> InfoValue for Vec<T> {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        self.as_slice().with_bytes(use_bytes)
    }
}

/// An array.
impl<T: InfoValue, const N: usize> InfoValue for [T; N] {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        self.as_slice().with_bytes(use_bytes)
    }
}
