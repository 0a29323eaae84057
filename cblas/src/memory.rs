//! The memory of arrays. A kernel uses the program's memory in place, from an array's first element to its
//! last one. OpenCL leaves it undefined what happens if the memory of buffers overlaps, for example rows of a
//! matrix that are vectors, or blocks of one matrix. Of arrays that overlap, only the first is
//! therefore used in place; the elements of the others are copied together before the launch, and back
//! afterwards if they are written.

use crate::errors::DeviceError;
use std::ops::Range;
use std::ptr;

/// The elements of an array in the program's memory: columns of `rows` elements, each `stride` elements
/// behind the one before. A vector has one row.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    pub start: *mut u8,
    /// Bytes of an element.
    pub element: usize,
    pub rows: usize,
    pub columns: usize,
    pub stride: usize,
    pub is_written: bool,
}

/// An array during a launch.
pub struct Memory {
    array: Array,
    /// The elements in words, for their alignment, if they are copied.
    copy: Option<Vec<u64>>,
}

impl Array {
    /// Bytes from the first element to the last one; those that do not fit an address are no memory, which
    /// OpenCL reports.
    fn bytes(&self) -> usize {
        if self.rows == 0 || self.columns == 0 {
            return 0;
        }
        let last = self.stride.saturating_mul(self.columns - 1);
        last.saturating_add(self.rows).saturating_mul(self.element)
    }

    /// Bytes of the elements.
    fn dense_bytes(&self) -> usize {
        self.rows
            .saturating_mul(self.columns)
            .saturating_mul(self.element)
    }

    fn addresses(&self) -> Range<usize> {
        let start = self.start.addr();
        start..start.saturating_add(self.bytes())
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (own, other) = (self.addresses(), other.addresses());
        own.start < other.end && other.start < own.end
    }

    /// Copies the elements of each column between the program's memory and `dense`.
    ///
    /// # Safety
    /// Both have the elements.
    unsafe fn copy_columns(&self, dense: *mut u8, copy: impl Fn(*mut u8, *mut u8, usize)) {
        let size = self.rows * self.element;
        for column in 0..self.columns {
            // SAFETY: as the caller promises.
            let (here, there) = unsafe {
                let distance = column * self.stride * self.element;
                (self.start.add(distance), dense.add(column * size))
            };
            copy(here, there, size);
        }
    }
}

impl Memory {
    /// The memory of each array of a launch.
    ///
    /// # Errors
    /// There is no memory for copies.
    ///
    /// # Safety
    /// The arrays have their elements.
    pub unsafe fn of(arrays: &[Array]) -> Result<Vec<Self>, DeviceError> {
        let mut memories: Vec<Self> = Vec::new();
        for array in arrays {
            let mut in_place = memories.iter().filter(|memory| memory.copy.is_none());
            let is_copied =
                array.bytes() == 0 || in_place.any(|memory| memory.array.overlaps(array));
            // SAFETY: as the caller promises.
            let copy = is_copied.then(|| unsafe { gathered(array) }).transpose()?;
            memories.push(Self {
                array: *array,
                copy,
            });
        }
        Ok(memories)
    }

    /// Whether the kernel writes it.
    pub fn is_written(&self) -> bool {
        self.array.is_written
    }

    /// Elements between columns, as the kernel finds them.
    pub fn stride(&self) -> usize {
        match self.copy {
            Some(_) => self.array.stride.min(self.array.rows.max(1)),
            None => self.array.stride,
        }
    }

    /// Where the kernel finds the elements, and its bytes.
    pub fn in_use(&self) -> (*mut u8, usize) {
        match &self.copy {
            Some(words) => (
                words.as_ptr().cast_mut().cast(),
                words.len() * size_of::<u64>(),
            ),
            None => (self.array.start, self.array.bytes()),
        }
    }

    /// Writes the elements of a copy back.
    ///
    /// # Safety
    /// The array has its elements.
    pub unsafe fn write_back(self) {
        let Some(mut words) = self.copy.filter(|_| self.array.is_written) else {
            return;
        };
        // SAFETY: as the caller promises; the copy has as many elements.
        unsafe {
            self.array
                .copy_columns(words.as_mut_ptr().cast(), |array, dense, size| {
                    ptr::copy_nonoverlapping(dense, array, size);
                });
        }
    }
}

/// The elements of an array, without gaps between columns. A buffer cannot be empty: at least one word.
///
/// # Safety
/// The array has its elements.
unsafe fn gathered(array: &Array) -> Result<Vec<u64>, DeviceError> {
    let bytes = array.dense_bytes();
    let count = bytes.div_ceil(size_of::<u64>()).max(1);
    let mut words: Vec<u64> = Vec::new();
    let reserved = words.try_reserve_exact(count);
    reserved.map_err(|_| DeviceError::NoMemory { bytes })?;
    words.resize(count, 0);
    if bytes > 0 {
        // SAFETY: as the caller promises; there are as many words.
        unsafe {
            array.copy_columns(words.as_mut_ptr().cast(), |array, dense, size| {
                ptr::copy_nonoverlapping(array, dense, size);
            });
        }
    }
    Ok(words)
}
