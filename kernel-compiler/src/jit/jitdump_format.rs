//! The records of a jitdump file (Linux, tools/perf/Documentation/jitdump-specification.txt).

use super::line_rows::LineRow;
use object::elf::EM_X86_64;

/// `JiTD` on a host of this byte order.
const MAGIC: u32 = 0x4a69_5444;
const VERSION: u32 = 1;

/// Bytes of the file's header and of a record's.
const FILE_HEADER: u32 = 40;
const RECORD_HEADER: usize = 16;

/// Kinds of records.
const CODE_LOAD: u32 = 0;
const CODE_DEBUG_INFO: u32 = 2;
const CODE_CLOSE: u32 = 3;

/// A time and the thread of it.
#[derive(Clone, Copy)]
pub struct Moment {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    nanoseconds: u64,
    process: u32,
    thread: u32,
}

impl Moment {
    /// That of the caller.
    pub fn now() -> Self {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the calls write to `time` only.
        let thread = unsafe {
            libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time);
            libc::gettid()
        };
        Self {
            nanoseconds: time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64,
            process: std::process::id(),
            thread: thread as u32,
        }
    }
}

/// A loaded function.
pub struct DumpedFunction<'a> {
    /// The name that is shown.
    pub name: String,
    /// Where its code is.
    pub address: u64,
    /// Its code.
    pub code: &'a [u8],
    /// Its lines; their offsets are those in a section that begins at `section`.
    pub lines: &'a [LineRow],
    /// Address of that section.
    pub section: u64,
}

/// The header of the file.
pub fn header(created: Moment) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [
        MAGIC,
        VERSION,
        FILE_HEADER,
        EM_X86_64.0.into(),
        0,
        created.process,
    ] {
        bytes.extend(word.to_ne_bytes());
    }
    bytes.extend(created.nanoseconds.to_ne_bytes());
    // No flags.
    bytes.extend(0u64.to_ne_bytes());
    bytes
}

/// The records of a function, the one with the lines first, as the format demands. `index`
/// identifies the function.
pub fn function(loaded: Moment, index: u64, function: &DumpedFunction<'_>) -> Vec<u8> {
    let mut bytes = match function.lines {
        [] => Vec::new(),
        _ => record(CODE_DEBUG_INFO, loaded, &debug_info(function)),
    };
    let mut load = Vec::new();
    load.extend(loaded.process.to_ne_bytes());
    load.extend(loaded.thread.to_ne_bytes());
    let (address, size) = (function.address, function.code.len() as u64);
    for word in [address, address, size, index] {
        load.extend(word.to_ne_bytes());
    }
    put_name(&mut load, &function.name);
    load.extend_from_slice(function.code);
    bytes.extend(record(CODE_LOAD, loaded, &load));
    bytes
}

/// The mark of the end.
pub fn close(ended: Moment) -> Vec<u8> {
    record(CODE_CLOSE, ended, &[])
}

fn debug_info(function: &DumpedFunction<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(function.address.to_ne_bytes());
    bytes.extend((function.lines.len() as u64).to_ne_bytes());
    for row in function.lines {
        bytes.extend((function.section + row.offset).to_ne_bytes());
        bytes.extend(row.line.to_ne_bytes());
        // Of several columns in a line there is no distinction.
        bytes.extend(0u32.to_ne_bytes());
        put_name(&mut bytes, &row.file);
    }
    bytes
}

fn record(kind: u32, at: Moment, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(kind.to_ne_bytes());
    bytes.extend(((RECORD_HEADER + content.len()) as u32).to_ne_bytes());
    bytes.extend(at.nanoseconds.to_ne_bytes());
    bytes.extend_from_slice(content);
    bytes
}

fn put_name(bytes: &mut Vec<u8>, name: &str) {
    bytes.extend(name.bytes().filter(|byte| *byte != 0));
    bytes.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_its_lines_before_its_code() {
        let lines = [(8, 3), (12, 4)].map(|(offset, line)| LineRow {
            offset,
            file: "k.cl".into(),
            line,
        });
        let moment = Moment {
            nanoseconds: 9,
            process: 7,
            thread: 8,
        };
        let records = function(
            moment,
            5,
            &DumpedFunction {
                name: "k".into(),
                address: 0x1008,
                code: &[0x90, 0xc3],
                lines: &lines,
                section: 0x1000,
            },
        );
        let word = |at: usize| u32::from_ne_bytes(records[at..at + 4].try_into().unwrap());
        let long = |at: usize| u64::from_ne_bytes(records[at..at + 8].try_into().unwrap());
        // Header, address, count, and two entries of 16 bytes and a name of 5.
        assert_eq!((word(0), word(4), long(8)), (CODE_DEBUG_INFO, 74, 9));
        assert_eq!((long(16), long(24)), (0x1008, 2));
        assert_eq!((long(32), word(40), word(44)), (0x1008, 3, 0));
        assert_eq!(&records[48..53], b"k.cl\0");
        assert_eq!((long(53), word(61)), (0x100c, 4));
        let load = 74;
        assert_eq!((word(load), word(load + 4)), (CODE_LOAD, 60));
        assert_eq!((word(load + 16), word(load + 20)), (7, 8));
        assert_eq!((long(load + 24), long(load + 32)), (0x1008, 0x1008));
        assert_eq!((long(load + 40), long(load + 48)), (2, 5));
        assert_eq!(&records[load + 56..], b"k\0\x90\xc3");
        assert_eq!(header(moment).len(), FILE_HEADER as usize);
        assert_eq!(close(moment).len(), RECORD_HEADER);
    }
}
