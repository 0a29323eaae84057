//! The host program's pointers, as arguments of entry points.
//!
//! `In` and `Out` have the layout of C pointers, and only C makes them: they are parameters of
//! the entry points (`entry_point`). The specification obliges the caller of an entry point to
//! pass pointers that are null or point to the number of elements that the call says. All
//! `unsafe` blocks here rely on it. Elements are read and written unaligned, because some host
//! programs pass unaligned pointers.

use cl_sys::{cl_image_desc, cl_image_format};
use std::ffi::{CStr, c_char, c_void};
use std::fmt;

/// A pointer to what the host program hands over; may be null.
#[repr(transparent)]
pub struct In<T>(*const T);

/// A pointer to where the host program wants a result; may be null.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for In<T> {}
impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Out<T> {}

impl<T> fmt::Debug for In<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
impl<T> fmt::Debug for Out<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<T> In<T> {
    /// What is left out.
    pub const fn null() -> Self {
        Self(std::ptr::null())
    }

    /// Whether it points to nothing.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Where it points, as a number.
    pub fn address(self) -> usize {
        self.0.addr()
    }
}

impl<T: Copy> In<T> {
    /// The first `count` elements; none if null.
    pub fn elements(self, count: usize) -> impl Iterator<Item = T> {
        let count = if self.is_null() { 0 } else { count };
        // SAFETY: not null, and the caller of the entry point vouches for `count` elements.
        (0..count).map(move |index| unsafe { self.0.add(index).read_unaligned() })
    }

    /// The three elements of an origin or a region; none if null.
    pub fn triple(self) -> Option<[T; 3]> {
        let mut elements = self.elements(3);
        Some([elements.next()?, elements.next()?, elements.next()?])
    }
}

macro_rules! structures {
    ($($type:ty),*) => {$(
        impl In<$type> {
            /// The structure; `None` if null.
            pub fn structure(self) -> Option<$type> {
                if self.is_null() {
                    return None;
                }
                // SAFETY: not null, and the caller of the entry point vouches for it; it
                // holds numbers and pointers only, so a copy is as good.
                Some(unsafe { self.0.read_unaligned() })
            }
        }
    )*};
}
structures!(cl_image_format, cl_image_desc);

/// The bytes at `start`; `None` if null or more than an object can have.
///
/// # Safety
/// If not null, `start` points to `count` bytes that outlive `'a`.
unsafe fn bytes<'a>(start: *const u8, count: usize) -> Option<&'a [u8]> {
    if start.is_null() || isize::try_from(count).is_err() {
        return None;
    }
    // SAFETY: not null, not too long, and as the caller vouches.
    Some(unsafe { std::slice::from_raw_parts(start, count) })
}

impl In<c_char> {
    /// A text that ends with NUL, without it; `None` if null.
    pub fn text(&self) -> Option<&[u8]> {
        if self.is_null() {
            return None;
        }
        // SAFETY: not null, and the caller of the entry point vouches for the final NUL.
        Some(unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }

    /// A text of `length` characters; `None` if null.
    pub fn text_of_length(&self, length: usize) -> Option<&[u8]> {
        // SAFETY: the caller of the entry point vouches for `length` characters.
        unsafe { bytes(self.0.cast(), length) }
    }
}

impl In<u8> {
    /// The first `count` bytes; `None` if null or more than an object can have.
    pub fn bytes(&self, count: usize) -> Option<&[u8]> {
        // SAFETY: the caller of the entry point vouches for `count` bytes.
        unsafe { bytes(self.0, count) }
    }
}

impl In<c_void> {
    /// The first `count` bytes; `None` if null or more than an object can have.
    pub fn bytes(&self, count: usize) -> Option<&[u8]> {
        // SAFETY: the caller of the entry point vouches for `count` bytes.
        unsafe { bytes(self.0.cast(), count) }
    }

    /// The same address as a pointer to `T`.
    pub fn cast<T>(self) -> In<T> {
        In(self.0.cast())
    }
}

impl<T> Out<T> {
    /// What the host program does not want.
    #[cfg(test)]
    pub const fn null() -> Self {
        Self(std::ptr::null_mut())
    }

    /// Whether the host program does not want the result.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Writes element 0, unless null.
    pub fn set(self, value: T) {
        self.set_element(0, value);
    }

    /// Writes element `index`, unless null.
    pub fn set_element(self, index: usize, value: T) {
        if !self.is_null() {
            // SAFETY: not null, and the caller of the entry point vouches for the elements.
            unsafe { self.0.add(index).write_unaligned(value) }
        }
    }

    /// Writes elements from 0 on, unless null.
    pub fn set_elements(self, values: impl IntoIterator<Item = T>) {
        for (index, value) in values.into_iter().enumerate() {
            self.set_element(index, value);
        }
    }
}

impl Out<c_void> {
    /// Copies bytes there, unless null.
    pub fn set_bytes(self, bytes: &[u8]) {
        if !self.is_null() {
            // SAFETY: not null, and the caller of the entry point vouches for the space.
            unsafe { std::ptr::copy(bytes.as_ptr(), self.0.cast(), bytes.len()) }
        }
    }

    /// The array of pointers that the host program has put there (`CL_PROGRAM_BINARIES`).
    pub fn pointers(self, count: usize) -> impl Iterator<Item = Out<c_void>> {
        In::<Out<c_void>>(self.0.cast_const().cast()).elements(count)
    }
}
