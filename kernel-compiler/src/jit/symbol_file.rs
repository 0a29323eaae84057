//! ELF files that tell debuggers what is at the addresses of loaded code: the object file itself
//! with addresses, where it has debug information, or else a small file with the names of the
//! functions and how to unwind their frames.

use super::symbol_writer::{FRAMES, SymbolWriter};
use host_exec::launch::CodeAddresses;
use object::elf::{
    FileHeader64, R_X86_64_32, R_X86_64_64, Rela64, SHF_ALLOC, SHT_RELA, SHT_SYMTAB, STT_FUNC,
    SectionHeader64, Sym64,
};
use object::read::elf::{FileHeader, Rela, SectionHeader, SectionTable, Sym, SymbolTable};
use object::{LittleEndian as LE, SectionIndex};
use std::mem::{offset_of, size_of};

type Header = FileHeader64<LE>;
type Section = SectionHeader64<LE>;
type Symbol = Sym64<LE>;

/// Bytes before a relocated field that a linker may change: the opcode of an access through the
/// global offset table (x86-64 psABI, B.2).
const RELAXED: usize = 3;

/// A function of loaded code.
pub struct Function<'a> {
    /// Its symbol in the object file.
    pub name: &'a str,
    /// Bytes from the beginning of its section.
    pub offset: u64,
    /// Bytes of code.
    pub size: u64,
}

/// An object file that has been loaded.
pub struct Loaded<'a> {
    object: &'a [u8],
    header: &'a Header,
    sections: SectionTable<'a, Header>,
    symbols: SymbolTable<'a, Header>,
}

fn section_of(symbol: &Symbol) -> SectionIndex {
    SectionIndex(symbol.st_shndx(LE).0.into())
}

impl<'a> Loaded<'a> {
    /// Reads an object file of LLVM's.
    pub fn parse(object: &'a [u8]) -> Option<Self> {
        let header = Header::parse(object).ok()?;
        let sections = header.sections(LE, object).ok()?;
        let symbols = sections.symbols(LE, object, SHT_SYMTAB).ok()?;
        Some(Self {
            object,
            header,
            sections,
            symbols,
        })
    }

    /// Whether it has more to say to debuggers than the names of functions.
    pub fn has_debug_information(&self) -> bool {
        self.sections.section_by_name(LE, b".debug_info").is_some()
    }

    fn name_of(&self, symbol: &Symbol) -> Option<&'a str> {
        std::str::from_utf8(symbol.name(LE, self.symbols.strings()).ok()?).ok()
    }

    /// The section and the offset of a defined symbol.
    fn place(&self, name: &str) -> Option<(SectionIndex, u64)> {
        let mut symbols = self.symbols.iter();
        let symbol = symbols.find(|symbol| self.name_of(symbol) == Some(name))?;
        let section = section_of(symbol);
        Some((section, symbol.st_value(LE)))
    }

    /// The functions in the section of `entry`.
    pub fn functions(&self, entry: &str) -> Vec<Function<'a>> {
        let Some((section, _)) = self.place(entry) else {
            return Vec::new();
        };
        let is_here =
            |symbol: &&Symbol| symbol.st_type() == STT_FUNC && section_of(symbol) == section;
        let symbols = self.symbols.iter().filter(is_here);
        symbols
            .filter_map(|symbol| {
                Some(Function {
                    name: self.name_of(symbol)?,
                    offset: symbol.st_value(LE),
                    size: symbol.st_size(LE),
                })
            })
            .collect()
    }

    /// Where the section of the function `entry`, which is at `address`, begins.
    pub fn base(&self, entry: &str, address: u64) -> Option<u64> {
        Some(address.wrapping_sub(self.place(entry)?.1))
    }

    /// The addresses of the section of the function `entry`, which is at `address`.
    pub fn addresses(&self, entry: &str, address: u64) -> Option<CodeAddresses> {
        let (section, offset) = self.place(entry)?;
        let start = address.wrapping_sub(offset) as usize;
        let size = self.sections.section(section).ok()?.sh_size(LE) as usize;
        Some(CodeAddresses {
            start,
            end: start + size,
        })
    }

    /// The section of the function `entry`, before relocation.
    pub fn code(&self, entry: &str) -> Option<&'a [u8]> {
        let (section, _) = self.place(entry)?;
        let section = self.sections.section(section).ok()?;
        section.data(LE, self.object).ok()
    }

    /// Whether the section of the function `entry` was loaded to `code`.
    pub fn is_code(&self, entry: &str, code: &[u8]) -> bool {
        let (Some(before), Some((index, _))) = (self.code(entry), self.place(entry)) else {
            return false;
        };
        if before.len() != code.len() {
            return false;
        }
        let mut differs: Vec<bool> = before.iter().zip(code).map(|(a, b)| a != b).collect();
        for relocation in self.relocations(index).into_iter().flatten() {
            let at = relocation.r_offset.get(LE) as usize;
            let field = at.saturating_sub(RELAXED)..(at + size_of::<u64>()).min(differs.len());
            if let Some(field) = differs.get_mut(field) {
                field.fill(false);
            }
        }
        !differs.contains(&true)
    }

    /// The object file with the addresses of its sections; `address_of` gives those of global
    /// symbols.
    pub fn with_addresses(&self, address_of: impl Fn(&str) -> Option<u64>) -> Vec<u8> {
        let mut file = self.object.to_vec();
        let headers = self.header.e_shoff(LE) as usize;
        let field = |section: usize, field: usize| headers + section * size_of::<Section>() + field;
        let mut put = |at: usize, value: u64| {
            file[at..at + size_of::<u64>()].copy_from_slice(&value.to_le_bytes());
        };
        let mut bases = vec![None; self.sections.len()];
        for symbol in self.symbols.iter() {
            let section = section_of(symbol).0;
            if let Some(base @ None) = bases.get_mut(section)
                && section != 0
                && !symbol.is_local()
                && let Some(address) = self.name_of(symbol).and_then(&address_of)
            {
                *base = Some(address.wrapping_sub(symbol.st_value(LE)));
            }
        }
        for (index, section) in self.sections.enumerate() {
            let flags = section.sh_flags(LE);
            match bases[index.0] {
                Some(base) => put(field(index.0, offset_of!(Section, sh_addr)), base),
                // It must not appear to be at address 0.
                None => put(
                    field(index.0, offset_of!(Section, sh_flags)),
                    flags.0 & !SHF_ALLOC.0,
                ),
            }
        }
        file
    }

    /// The relocations of a section; none if it has none.
    fn relocations(&self, index: SectionIndex) -> Option<&'a [Rela64<LE>]> {
        let relocations = self.sections.iter().find(|section| {
            section.sh_type(LE) == SHT_RELA && section.sh_info(LE) as usize == index.0
        })?;
        relocations.data_as_array(LE, self.object).ok()
    }

    /// `.debug_frame` for the section `text` at `base`.
    fn frames(&self, text: SectionIndex, base: u64) -> Option<Vec<u8>> {
        let (index, section) = self.sections.section_by_name(LE, FRAMES.as_bytes())?;
        let mut frames = section.data(LE, self.object).ok()?.to_vec();
        for relocation in self.relocations(index)? {
            let symbol = self.symbols.symbol(relocation.symbol(LE, false)?).ok()?;
            let start = match section_of(symbol) == text {
                true => base,
                false => 0,
            };
            let value = start
                .wrapping_add(symbol.st_value(LE))
                .wrapping_add(relocation.r_addend.get(LE) as u64);
            let bytes = match relocation.r_type(LE, false) {
                R_X86_64_64 => size_of::<u64>(),
                R_X86_64_32 => size_of::<u32>(),
                _ => return None,
            };
            let at = relocation.r_offset.get(LE) as usize;
            let place = frames.get_mut(at..at + bytes)?;
            place.copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
        Some(frames)
    }

    /// A file with the names of the functions in the section of `entry`, which begins at `base`.
    /// `entry` is named `name` in it.
    pub fn symbols_only(&self, entry: &str, name: &str, base: u64) -> Option<Vec<u8>> {
        let (index, _) = self.place(entry)?;
        let text = self.sections.section(index).ok()?;
        let mut file = SymbolWriter::new(base, text.sh_size(LE));
        for function in self.functions(entry) {
            let shown = match function.name == entry {
                true => name,
                false => function.name,
            };
            file.function(shown, function.offset, function.size);
        }
        Some(file.finish(self.frames(index, base)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Context;
    use crate::shim::{self, FileType};
    use crate::target;
    use object::{Object, ObjectSection, ObjectSymbol};

    #[test]
    fn a_small_file_has_names_and_frames_at_the_addresses_of_the_code() {
        let context = Context::create();
        let text = "define i32 @helper(i32 %x) {\n%y = mul i32 %x, %x\nret i32 %y\n}\n
             define i32 @entry(i32 %x) {\n%y = call i32 @helper(i32 %x)\n
             %z = add i32 %x, %y\nret i32 %z\n}\n";
        let module = context.parse_ir(text).unwrap();
        let object = shim::emit(&module, &target::machine(true), FileType::Object).unwrap();
        let loaded = Loaded::parse(object.as_slice()).unwrap();
        assert!(!loaded.has_debug_information());
        let entry = loaded.functions("entry");
        let entry = entry.iter().find(|one| one.name == "entry").unwrap();
        const BASE: u64 = 0x7f00_0000_1000;
        assert_eq!(loaded.base("entry", BASE + entry.offset), Some(BASE));

        let file = loaded.symbols_only("entry", "kernel", BASE).unwrap();
        let file = object::File::parse(&*file).unwrap();
        let code = file.section_by_name(".text").unwrap();
        assert_eq!(code.address(), BASE);
        let mut named: Vec<_> = file
            .symbols()
            .filter_map(|symbol| Some((symbol.name().ok()?, symbol.address(), symbol.size())))
            .filter(|(name, ..)| !name.is_empty())
            .collect();
        named.sort_unstable();
        assert_eq!(named[1], ("kernel", entry.offset, entry.size));
        assert_eq!((named.len(), named[0].0), (2, "helper"));
        let frames = file.section_by_name(FRAMES).unwrap();
        let start = (BASE + entry.offset).to_le_bytes();
        let mut places = frames.data().unwrap().windows(start.len());
        assert!(places.any(|place| place == start));
    }
}
