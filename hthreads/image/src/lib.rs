//! The files of programs for the device: object files, and the `.dat` image, an ASCII file with the reservations, the function
//! table and the sections of the machine's own format (docs/hthreads.md#the-image). What the machine
//! executes is replaced by sections with LLVM bitcode, which is linked and compiled for the host when the
//! image is loaded, and one with the version of this format.

mod hex;
mod object_file;
mod reader;
mod writer;

pub use object_file::{ObjectFile, Symbol, SymbolKind};
pub use reader::{FormatError, read};
pub use writer::write;

/// The version of the format: to be increased when the meaning of a section changes.
pub const VERSION: u32 = 2;

/// Sections of the format's own: that of the version has the number of modules, too.
const VERSION_SECTION: &str = ".mocl3.version";
const BITCODE_SECTION: &str = ".mocl3.bitcode";

/// Reservations that the machine's loader requires: name, address, bytes (decoded from published
/// images).
const RESERVED: [(&str, u64, u64); 5] = [
    ("._int_src_reg", 0x8_8000_0C10, 0x20),
    ("._swipcg_reg", 0x8_8000_45E0, 0xD0),
    ("._cl_args_addr", 0x8_8000_6000, 0x18C0),
    ("._cl_stat_addr", 0x8_8FFE_FE00, 0xD0),
    ("._cl_exit_addr", 0x8_8FFE_FF00, 0xD0),
];

/// Functions of the machine's runtime, which the function table has first.
const RUNTIME: [&str; 2] = ["cl_start", "mt_null"];

/// Where code begins on the machine, and the alignment of functions.
const TEXT: u64 = 0x8_8001_0000;
const FUNCTION_ALIGNMENT: u64 = 64;

/// An image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceImage {
    /// The functions at which threads can start.
    pub functions: Vec<String>,
    /// The program, in modules of bitcode.
    pub modules: Vec<Vec<u8>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> DeviceImage {
        DeviceImage {
            functions: vec!["first".into(), "second".into()],
            modules: vec![(0..=202).collect(), vec![7; 3]],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(&write(&image())), Ok(image()));
    }

    #[test]
    fn the_file_has_the_documented_lines() {
        let text = write(&image());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "#._cl_args_addr -0x880006000 -0x18c0 ");
        assert_eq!(lines[5], "$4  ");
        assert_eq!(lines[6], "cl_start  -0x880010000   ");
        assert_eq!(lines[9], "second  -0x8800100c0   ");
        assert_eq!(lines[10], "@0x880020000  0x8  <.mocl3.version> ");
        assert_eq!(lines[11], "0200000002");
        assert_eq!(lines[13], "@0x880020008  0xcb  <.mocl3.bitcode> ");
        // Five bytes in a line, the last one first.
        assert_eq!(lines[14], "0403020100");
        assert_eq!(lines[54], "0000cac9c8");
        assert_eq!(lines[55], "@0x8800200d8  0x3  <.mocl3.bitcode> ");
        assert_eq!(lines.last(), Some(&"0000070707"));
    }

    #[test]
    fn damaged_files_are_refused() {
        let text = write(&image());
        let refuse = |from: &str, to: &str| read(&text.replacen(from, to, 1));
        assert_eq!(refuse("$4", "$5"), Err(FormatError::FunctionTable));
        assert_eq!(refuse("$4", "$x"), Err(FormatError::FunctionTable));
        assert_eq!(refuse("cl_start", "start"), Err(FormatError::FunctionTable));
        assert_eq!(
            refuse("._cl_args_addr", "x"),
            Err(FormatError::ReservedSections)
        );
        assert_eq!(refuse("0403020100", "04030201"), Err(FormatError::Format));
        assert_eq!(refuse("0403020100", "@"), Err(FormatError::Format));
        assert_eq!(
            refuse("0xcb ", "0xffffffffffffffff "),
            Err(FormatError::Format)
        );
        assert_eq!(
            refuse("0200000002", "0200000001"),
            Err(FormatError::Version(1))
        );
        assert_eq!(
            read(&text.replace(".mocl3.bitcode", ".text")),
            Err(FormatError::NoProgram)
        );
        for end in 0..text.len() - 1 {
            assert!(read(&text[..end]).is_err(), "{end}");
        }
    }
}
