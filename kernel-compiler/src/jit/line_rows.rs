//! The line table of an object file, row by row.

use crate::ir::c_string;
use std::ffi::{c_char, c_void};

type ReadRow = unsafe extern "C" fn(*mut c_void, u64, *const c_char, usize, u32);

unsafe extern "C" {
    fn mocl3_line_rows(
        file: *const c_char,
        size: usize,
        function: *const c_char,
        read: ReadRow,
        reader: *mut c_void,
    );
}

/// The beginning of code that was made of a source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// Bytes from the beginning of the section.
    pub offset: u64,
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: u32,
}

/// The lines of the section of the function `entry`, in the order of their code, one for each
/// address. Code without a line belongs to the row before it. To be called guarded.
pub fn read(object: &[u8], entry: &str) -> Vec<LineRow> {
    let mut rows: Vec<LineRow> = Vec::new();
    // SAFETY: the object file and the name outlive the call, `rows` is what `push` adds to.
    unsafe {
        mocl3_line_rows(
            object.as_ptr().cast(),
            object.len(),
            c_string(entry).as_ptr(),
            push,
            (&raw mut rows).cast(),
        );
    }
    // The last one at an address is that of the instruction there. The order is stable.
    rows.sort_by_key(|row| row.offset);
    rows.reverse();
    rows.dedup_by_key(|row| row.offset);
    rows.reverse();
    rows
}

/// Adds a row to a `Vec<LineRow>`.
///
/// # Safety
/// `rows` is that vector, which nothing else uses meanwhile; the file's name is readable.
unsafe extern "C" fn push(
    rows: *mut c_void,
    offset: u64,
    file: *const c_char,
    file_size: usize,
    line: u32,
) {
    let name = match file_size {
        0 => &[][..],
        // SAFETY: as the caller guarantees.
        _ => unsafe { std::slice::from_raw_parts(file.cast::<u8>(), file_size) },
    };
    let row = LineRow {
        offset,
        file: String::from_utf8_lossy(name).into_owned(),
        line,
    };
    // SAFETY: as the caller guarantees.
    unsafe { (*rows.cast::<Vec<LineRow>>()).push(row) };
}
