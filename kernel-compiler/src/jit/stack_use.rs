//! The stack that code takes, by what code generation writes of its frames.

use object::{Object, ObjectSection};

/// For each function its address, 8 bytes, and the bytes of its frame in ULEB128 (LLVM, "Code
/// Generator", emitting function stack size information).
const SECTION: &str = ".stack_sizes";

const ADDRESS_BYTES: usize = 8;

/// Return address and alignment of a frame, bytes.
const FRAME_MARGIN: usize = 128;

/// Stack that a call of any function of an object file takes at most, bytes, without functions
/// that are defined elsewhere. OpenCL C has no recursion (OpenCL 1.2, 6.9.i): no more than all
/// frames exist at a time.
pub fn stack_bytes(object: &[u8]) -> usize {
    let Ok(file) = object::File::parse(object) else {
        return 0;
    };
    let sections = file.sections();
    sections
        .filter(|section| section.name() == Ok(SECTION))
        .filter_map(|section| section.data().ok())
        .map(of_entries)
        .fold(0, usize::saturating_add)
}

fn of_entries(mut entries: &[u8]) -> usize {
    let mut bytes: usize = 0;
    while let Some(mut frame) = entries.get(ADDRESS_BYTES..)
        && !frame.is_empty()
    {
        bytes = bytes.saturating_add(uleb128(&mut frame).saturating_add(FRAME_MARGIN));
        entries = frame;
    }
    bytes
}

/// Takes a number from the front of `bytes`.
fn uleb128(bytes: &mut &[u8]) -> usize {
    let mut number = 0;
    let mut shift = 0;
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= usize::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Context;
    use crate::shim::{self, FileType};
    use crate::target;

    #[test]
    fn frames_of_all_functions_count() {
        let text = "declare void @use(ptr)\n\
                    define void @inner() {\n%a = alloca [3000000 x i8]\ncall void @use(ptr %a)\nret void\n}\n\
                    define void @outer() {\n%a = alloca [50000 x i8]\ncall void @use(ptr %a)\n\
                    call void @inner()\nret void\n}\n";
        let context = Context::create();
        let module = context.parse_ir(text).unwrap();
        let object = shim::emit(&module, &target::machine(true), FileType::Object).unwrap();
        let bytes = stack_bytes(object.as_slice());
        assert!((3_050_000..3_051_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn nothing_is_known_of_what_is_no_object() {
        assert_eq!(stack_bytes(b"no object"), 0);
        assert_eq!(of_entries(&[0; 7]), 0);
        assert_eq!(
            of_entries(&[0, 0, 0, 0, 0, 0, 0, 0, 0x80, 2]),
            256 + FRAME_MARGIN
        );
    }
}
