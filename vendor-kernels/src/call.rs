//! The operands of a call, and why it may have no result.

/// The value of an argument.
#[derive(Clone, Copy, Debug)]
pub enum RawOperand {
    /// The memory of an array.
    Array {
        /// Its first byte.
        start: *mut u8,
        /// Its size.
        bytes: usize,
    },
    /// A size.
    Size(i64),
    /// A number.
    Number(f64),
}

/// Why a kernel has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComputeError {
    /// A row of a sparse matrix has no place among its elements.
    #[error("starts[{row}] is {start}, which is not between the start before it and {entries}")]
    Start {
        /// The row.
        row: usize,
        /// Where it begins.
        start: i32,
        /// The number of elements.
        entries: usize,
    },
    /// An element of a sparse matrix has no column.
    #[error("places[{entry}] is {place}; the matrix has {columns} columns")]
    Place {
        /// The number of the element.
        entry: usize,
        /// Its column.
        place: i32,
        /// The number of columns.
        columns: usize,
    },
}
