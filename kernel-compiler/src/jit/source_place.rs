//! Source places of code, from the line table of an object file.

use super::symbol_file::Loaded;
use crate::guard;
use crate::ir::c_string;
use findings::Place;
use std::ffi::{c_char, c_void};

type ReadPlace = unsafe extern "C" fn(
    *mut c_void,
    *const c_char,
    usize,
    *const c_char,
    usize,
    *const c_char,
    usize,
    u32,
    u32,
);

unsafe extern "C" {
    fn mocl3_source_places(
        file: *const c_char,
        size: usize,
        function: *const c_char,
        offset: u64,
        most: u32,
        read: ReadPlace,
        reader: *mut c_void,
    ) -> bool;
}

/// A place in the source, and the function there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The function; empty if unknown.
    pub function: String,
    /// Where.
    pub place: Place,
}

/// The place of the instruction at `offset` in loaded code, the section of the function `entry`.
/// `object` is that code with a line table; none if it is other code, or there is no line.
pub fn find(object: &[u8], entry: &str, code: &[u8], offset: u64) -> Option<SourcePlace> {
    if !Loaded::parse(object)?.is_code(entry, code) {
        return None;
    }
    guard::run(|| read(object, entry, offset, 1))
        .ok()?
        .into_iter()
        .next()
}

/// The places of the instruction at `offset` in the section of the function `entry`, and of the calls
/// that are inlined there, from the innermost one on.
pub fn find_with_calls(object: &[u8], entry: &str, offset: u64) -> Vec<SourcePlace> {
    guard::run(|| read(object, entry, offset, u32::MAX)).unwrap_or_default()
}

/// At most `most` places. To be called guarded.
fn read(object: &[u8], entry: &str, offset: u64, most: u32) -> Vec<SourcePlace> {
    let mut places: Vec<SourcePlace> = Vec::new();
    // SAFETY: the object file and the name outlive the call, `places` is what `write` adds to.
    unsafe {
        mocl3_source_places(
            object.as_ptr().cast(),
            object.len(),
            c_string(entry).as_ptr(),
            offset,
            most,
            write,
            (&raw mut places).cast(),
        );
    }
    places
}

/// Adds a place to a list.
///
/// # Safety
/// `reader` is that list, which nothing else uses meanwhile; the ranges are readable.
unsafe extern "C" fn write(
    reader: *mut c_void,
    file: *const c_char,
    file_size: usize,
    function: *const c_char,
    function_size: usize,
    source: *const c_char,
    source_size: usize,
    line: u32,
    column: u32,
) {
    let text = |start: *const c_char, size: usize| {
        let bytes = match size {
            0 => &[][..],
            // SAFETY: as the caller guarantees.
            _ => unsafe { std::slice::from_raw_parts(start.cast::<u8>(), size) },
        };
        String::from_utf8_lossy(bytes)
    };
    let source = text(source, source_size);
    let line_text = source.lines().nth(line as usize - 1).unwrap_or_default();
    let place = SourcePlace {
        function: text(function, function_size).into_owned(),
        place: Place {
            file: text(file, file_size).into_owned(),
            line,
            column,
            text: line_text.trim_end().to_owned(),
        },
    };
    // SAFETY: as the caller guarantees.
    unsafe { (*reader.cast::<Vec<SourcePlace>>()).push(place) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executable::{Executable, Specialisation};
    use crate::options::{BuildCall, BuildOptions};
    use crate::work_group::SYMBOL;

    const SOURCE: &str = "float twice(float x) {\n  return 2.0f * x;\n}\n\
        kernel void k(global float *x, global int *n) {\n\
        \x20 size_t i = get_global_id(0);\n\
        \x20 x[i] = twice(x[n[i]]);\n\
        \x20 barrier(CLK_GLOBAL_MEM_FENCE);\n\
        \x20 x[i + 1] += x[i] / n[i];\n}\n";

    fn object(options: BuildOptions) -> Vec<u8> {
        let unit = crate::compile(SOURCE, &options, &[]).unwrap();
        let executable = Executable::link(&[&unit]).unwrap();
        let version = executable.normalise(0, Specialisation::default());
        executable.object_with_line_table(0, &version).unwrap()
    }

    #[test]
    fn each_line_of_a_kernel_is_found_in_code_without_lines() {
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        let plain = object(options.clone());
        let with_lines = object(options.with_line_tables());
        let loaded = Loaded::parse(&plain).unwrap();
        assert!(!loaded.has_debug_information());
        let code = loaded.code(SYMBOL).unwrap();
        let places: Vec<_> = (0..code.len() as u64)
            .filter_map(|offset| find(&with_lines, SYMBOL, code, offset))
            .collect();
        let has = |line, function: &str, text: &str| {
            places.iter().any(
                |SourcePlace {
                     function: of,
                     place,
                 }| {
                    let found = (place.line, &**of, &*place.text);
                    found == (line, function, text) && place.file == "program.cl"
                },
            )
        };
        assert!(has(2, "twice", "  return 2.0f * x;"), "{places:?}");
        assert!(has(6, "k", "  x[i] = twice(x[n[i]]);"), "{places:?}");
        assert!(has(8, "k", "  x[i + 1] += x[i] / n[i];"), "{places:?}");
        assert_eq!(find(&plain, SYMBOL, code, 0), None);
        let mut other = code.to_vec();
        other.reverse();
        assert_eq!(find(&with_lines, SYMBOL, &other, 0), None);
    }
}
