//! Assembled code that is loaded.

use super::cost::PacketCounters;
use super::image::StoredAssembly;
use crate::failure::BuildFailure;
use crate::jit::loader::Image;
use crate::jit::source_place::SourcePlace;
use device_assembly::execution::Code;
use device_assembly::table::Action;
use device_assembly::{Packet, Program};
use findings::Place;
use std::collections::HashMap;

/// Calls a function of C with arguments from an array of `MAX_ARGUMENTS` words; gives its result as a word.
pub type NativeCall = unsafe extern "C" fn(arguments: *const u64) -> u64;

/// Where the code of the first file is for itself, beyond all addresses of the host, and the distance to the next.
const FIRST_ADDRESS: u64 = 1 << 63;
const DISTANCE: u64 = 1 << 32;

/// Numbers of instructions in findings begin here; those before are of code from C (`CheckTable::sites`).
const FIRST_SITE: u64 = 1 << 31;

/// Numbers that a packet has for its instructions, more than there are units.
const PACKET_SITES: u64 = 16;

/// The address of the first packet of a file, by its number; those of the others follow.
pub fn address_of(file: usize) -> u64 {
    FIRST_ADDRESS + DISTANCE * file as u64
}

/// The assembled code of an image: its files, by number.
#[derive(Default)]
pub struct Assembly {
    codes: Vec<Code>,
    programs: Vec<Program>,
    /// By address of the table of symbols: the number of the file.
    tables: HashMap<u64, usize>,
    /// By address of a function: the file and the packet.
    functions: HashMap<u64, (usize, u32)>,
    calls: HashMap<u64, NativeCall>,
    counters: Vec<Vec<PacketCounters>>,
    /// By file: the number of the first instruction in findings.
    sites: Vec<u64>,
}

impl Assembly {
    /// The code of an image that is loaded; with counters, by file, if it is timed. To be called guarded.
    pub(in crate::device_c) fn load(
        stored: &StoredAssembly,
        image: &Image,
        counters: Vec<Vec<PacketCounters>>,
    ) -> Result<Self, BuildFailure> {
        let mut all = Self {
            counters,
            ..Self::default()
        };
        let mut next_site = FIRST_SITE;
        for (number, one) in stored.programs.iter().enumerate() {
            let wrong = |reason: String| BuildFailure::new(format!("error: loading: {reason}"));
            let program = Program::decode(&one.code).map_err(|error| wrong(error.to_string()))?;
            let table = image.address(&one.table)?;
            // SAFETY: the symbol is a constant that begins with as many addresses.
            let symbols = unsafe { words(table, program.symbols.len()) };
            let addresses = program.symbols.iter().zip(symbols);
            let addresses: HashMap<&str, u64> = addresses
                .map(|(name, address)| (name.as_str(), *address))
                .collect();
            let code = Code::new(&program, address_of(number), |name| {
                addresses.get(name).copied()
            });
            all.codes
                .push(code.map_err(|error| wrong(error.to_string()))?);
            all.tables.insert(table, number);
            for label in program.labels.iter().filter(|label| label.is_global) {
                let address = image.address(&label.name)?;
                all.functions.insert(address, (number, label.packet));
            }
            all.sites.push(next_site);
            next_site += PACKET_SITES * program.packets.len() as u64;
            all.programs.push(program);
        }
        if let Some((table, entries)) = &stored.calls {
            // SAFETY: the symbol is a constant of that many pairs of addresses.
            for pair in unsafe { words(image.address(table)?, 2 * entries) }.chunks_exact(2) {
                // SAFETY: the second one is a function of the image with this very signature.
                let call = unsafe { std::mem::transmute::<u64, NativeCall>(pair[1]) };
                all.calls.insert(pair[0], call);
            }
        }
        Ok(all)
    }

    /// The code, by file.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The file with a table of symbols.
    pub fn file(&self, table: u64) -> Option<usize> {
        self.tables.get(&table).copied()
    }

    /// The code of a function in assembly: the file and the packet.
    pub fn function(&self, address: u64) -> Option<(usize, u32)> {
        self.functions.get(&address).copied()
    }

    /// Calls a function of C.
    pub fn native(&self, address: u64) -> Option<NativeCall> {
        self.calls.get(&address).copied()
    }

    /// The counters of a packet of timed code.
    pub fn counters(&self, (file, packet): (usize, u32)) -> Option<&PacketCounters> {
        self.counters.get(file)?.get(packet as usize)
    }

    /// Where a packet is in its source.
    pub fn place(&self, (file, packet): (usize, u32)) -> Option<SourcePlace> {
        let line = self.packet((file, packet))?.line();
        self.place_of_line((file, packet), line)
    }

    /// The number of an instruction in findings, by its place in its packet.
    pub fn site(&self, (file, packet): (usize, u32), instruction: u8) -> u64 {
        let first = self.sites.get(file).copied().unwrap_or(FIRST_SITE);
        first + PACKET_SITES * u64::from(packet) + u64::from(instruction) % PACKET_SITES
    }

    /// The number of the branch of a packet in findings.
    pub fn site_of_branch(&self, at: (usize, u32)) -> u64 {
        let packet = self.packet(at);
        let place = packet.and_then(|packet| {
            let mut instructions = packet.instructions.iter();
            instructions.position(|one| matches!(one.mnemonic.action, Action::Branch(_)))
        });
        self.site(at, place.unwrap_or(0) as u8)
    }

    /// Where the instruction with a number is in its source, with its text; none if code from C has the number.
    pub fn place_of_site(&self, site: u64) -> Option<SourcePlace> {
        let file = self.sites.partition_point(|first| *first <= site);
        let file = file.checked_sub(1)?;
        let number = site - self.sites[file];
        let at = (file, u32::try_from(number / PACKET_SITES).ok()?);
        let instructions = &self.packet(at)?.instructions;
        let instruction = instructions.get((number % PACKET_SITES) as usize)?;
        let mut found = self.place_of_line(at, instruction.line)?;
        let text = self.programs[file].text_of_line(instruction.line);
        found.place.text = text.unwrap_or_default().trim().to_owned();
        Some(found)
    }

    fn packet(&self, (file, packet): (usize, u32)) -> Option<&Packet> {
        self.programs.get(file)?.packets.get(packet as usize)
    }

    fn place_of_line(&self, (file, packet): (usize, u32), line: u32) -> Option<SourcePlace> {
        let program = self.programs.get(file)?;
        let function = program.function_at(packet);
        Some(SourcePlace {
            function: function.map_or_else(String::new, |(label, _)| label.name.clone()),
            place: Place {
                file: program.file.clone(),
                line,
                column: 0,
                text: String::new(),
            },
        })
    }
}

/// Words of loaded data.
///
/// # Safety
/// The image has as many there, and is loaded while they are used.
unsafe fn words<'i>(address: u64, count: usize) -> &'i [u64] {
    if count == 0 {
        return &[];
    }
    let start = std::ptr::with_exposed_provenance(address as usize);
    // SAFETY: as the caller guarantees; constants of pointers are aligned.
    unsafe { std::slice::from_raw_parts(start, count) }
}
