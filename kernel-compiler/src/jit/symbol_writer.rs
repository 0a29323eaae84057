//! Writes small ELF files with the names of functions that are elsewhere in memory.

use object::elf::{
    ELFCLASS64, ELFDATA2LSB, ELFMAG, EM_X86_64, ET_REL, EV_CURRENT, SHF_ALLOC, SHF_EXECINSTR,
    SHT_NOBITS, SHT_NULL, SHT_PROGBITS, SHT_STRTAB, SHT_SYMTAB, STB_GLOBAL, STT_FUNC,
};

/// The section by which debuggers unwind frames.
pub const FRAMES: &str = ".debug_frame";

/// The sections, in this order; the last one may be missing.
const SECTIONS: [&str; 6] = ["", ".text", ".symtab", ".strtab", ".shstrtab", FRAMES];
/// Numbers of sections.
const TEXT: u16 = 1;
const STRINGS: u32 = 3;
const NAMES: u16 = 4;

/// Bytes of ELF's structures.
const FILE_HEADER: usize = 64;
const SECTION_HEADER: u16 = 64;
const SYMBOL: usize = 24;

/// The content of a file, while it is collected.
pub struct SymbolWriter {
    /// Address of the code.
    base: u64,
    /// Bytes of code.
    size: u64,
    symbols: Vec<u8>,
    strings: Vec<u8>,
}

impl SymbolWriter {
    /// For code of `size` bytes at `base`.
    pub fn new(base: u64, size: u64) -> Self {
        // The first symbol and the first name are empty.
        Self {
            base,
            size,
            symbols: vec![0; SYMBOL],
            strings: vec![0],
        }
    }

    /// Adds a function, `offset` bytes from the beginning of the code.
    pub fn function(&mut self, name: &str, offset: u64, size: u64) {
        let symbols = &mut self.symbols;
        put32(symbols, self.strings.len() as u32);
        symbols.extend([(STB_GLOBAL.0 << 4) | STT_FUNC.0, 0]);
        put16(symbols, TEXT);
        put64(symbols, offset);
        put64(symbols, size);
        self.strings.extend_from_slice(name.as_bytes());
        self.strings.push(0);
    }

    /// The file, with the content of `FRAMES` if there is one.
    pub fn finish(self, frames: Option<Vec<u8>>) -> Vec<u8> {
        let count = SECTIONS.len() - usize::from(frames.is_none());
        let mut names = Vec::new();
        let mut starts = Vec::new();
        for name in &SECTIONS[..count] {
            starts.push(names.len() as u32);
            names.extend_from_slice(name.as_bytes());
            names.push(0);
        }
        let (base, size) = (self.base, self.size);
        let contents = [
            Vec::new(),
            Vec::new(),
            self.symbols,
            self.strings,
            names,
            frames.unwrap_or_default(),
        ];
        let mut file = vec![0; FILE_HEADER];
        let mut headers = Vec::new();
        for ((content, &name), start) in contents.iter().zip(&SECTIONS).zip(starts) {
            file.resize(file.len().next_multiple_of(8), 0);
            let of_file = (file.len() as u64, content.len() as u64);
            let (kind, flags, address, (offset, bytes)) = match name {
                "" => (SHT_NULL, 0, 0, (0, 0)),
                ".text" => {
                    let flags = SHF_ALLOC.0 | SHF_EXECINSTR.0;
                    (SHT_NOBITS, flags, base, (of_file.0, size))
                }
                ".symtab" => (SHT_SYMTAB, 0, 0, of_file),
                FRAMES => (SHT_PROGBITS, 0, 0, of_file),
                _ => (SHT_STRTAB, 0, 0, of_file),
            };
            // The table's names, its first global symbol, and the bytes of a symbol.
            let (link, info, entry) = match kind == SHT_SYMTAB {
                true => (STRINGS, 1, SYMBOL as u64),
                false => (0, 0, 0),
            };
            file.extend_from_slice(content);
            put32(&mut headers, start);
            put32(&mut headers, kind.0);
            for word in [flags, address, offset, bytes] {
                put64(&mut headers, word);
            }
            put32(&mut headers, link);
            put32(&mut headers, info);
            put64(&mut headers, 1);
            put64(&mut headers, entry);
        }
        file.resize(file.len().next_multiple_of(8), 0);
        let header = file_header(file.len() as u64, count as u16);
        file[..FILE_HEADER].copy_from_slice(&header);
        file.extend_from_slice(&headers);
        file
    }
}

fn file_header(sections: u64, count: u16) -> Vec<u8> {
    let mut header = ELFMAG.to_vec();
    header.extend([ELFCLASS64.0, ELFDATA2LSB.0, EV_CURRENT.0]);
    header.resize(16, 0);
    put16(&mut header, ET_REL.0);
    put16(&mut header, EM_X86_64.0);
    put32(&mut header, EV_CURRENT.0.into());
    for word in [0, 0, sections] {
        put64(&mut header, word);
    }
    put32(&mut header, 0);
    for half in [FILE_HEADER as u16, 0, 0, SECTION_HEADER, count, NAMES] {
        put16(&mut header, half);
    }
    header
}

fn put16(bytes: &mut Vec<u8>, value: u16) {
    bytes.extend(value.to_le_bytes());
}

fn put32(bytes: &mut Vec<u8>, value: u32) {
    bytes.extend(value.to_le_bytes());
}

fn put64(bytes: &mut Vec<u8>, value: u64) {
    bytes.extend(value.to_le_bytes());
}
