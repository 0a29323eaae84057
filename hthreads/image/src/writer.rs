//! Writes images.

use crate::{
    BITCODE_SECTION, DeviceImage, FUNCTION_ALIGNMENT, RESERVED, RUNTIME, TEXT, VERSION,
    VERSION_SECTION, hex,
};
use std::fmt::Write;

/// The first section begins at a multiple of this behind the functions.
const SECTION_ALIGNMENT: u64 = 0x1_0000;

/// The text of an image.
pub fn write(image: &DeviceImage) -> String {
    let mut text = String::new();
    // A String accepts all text.
    for (name, address, bytes) in RESERVED {
        let _ = writeln!(text, "#{name} -{address:#x} -{bytes:#x} ");
    }
    let names = RUNTIME.into_iter();
    let names: Vec<&str> = names
        .chain(image.functions.iter().map(String::as_str))
        .collect();
    let _ = writeln!(text, "${}  ", names.len());
    let mut address = TEXT;
    for name in names {
        let _ = writeln!(text, "{name}  -{address:#x}   ");
        address += FUNCTION_ALIGNMENT;
    }
    let mut address = address.next_multiple_of(SECTION_ALIGNMENT);
    let numbers = [VERSION, image.modules.len() as u32];
    let header = numbers.map(u32::to_le_bytes).concat();
    let modules = image.modules.iter().map(Vec::as_slice);
    let modules = modules.map(|module| (BITCODE_SECTION, module));
    for (section, bytes) in std::iter::once((VERSION_SECTION, header.as_slice())).chain(modules) {
        let size = bytes.len();
        let _ = writeln!(text, "@{address:#x}  {size:#x}  <{section}> ");
        hex::write(bytes, &mut text);
        address = (address + size as u64).next_multiple_of(8);
    }
    text
}
