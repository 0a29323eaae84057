//! Findings of device code, with their messages.

use super::block::{Block, Memory, Nowhere};
use super::buffers::Buffers;
use super::lookup;
use super::pending::Conflict;
use super::segment::Conflicting;
use crate::device_thread::DeviceThread;
use crate::memory::shared::ClusterMemory;
use findings::words::{bytes, distance};
use findings::{Access, Finding, Kind, Object, OtherAccess, Place, Thread};
use host_exec::memory_checker::access_table::AccessSite;
use kernel_compiler::device_c::{
    CheckSite, CheckTable, CheckedVariable, SourcePlace, UndefinedKind,
};
use std::fs;
use std::path::Path;

/// What accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// An instruction of C.
    Code,
    /// A transfer.
    Transfer,
    /// A call that frees a buffer.
    Free,
}

/// An access that something is wrong with.
pub struct Accessed {
    /// The number of its site.
    pub site: u64,
    /// Its address.
    pub address: usize,
    /// Its size.
    pub bytes: usize,
    /// Whether it writes.
    pub writes: bool,
    /// What makes it.
    pub by: By,
    /// What its address has to be a multiple of.
    pub alignment: usize,
}

impl Accessed {
    /// An access of code at a site.
    pub fn at(thread: &DeviceThread, site: u64, (address, bytes): (usize, usize)) -> Option<Self> {
        let table = &thread.code.checks()?.table;
        let access = &table.sites.get(site as usize)?.access;
        Some(Self {
            site,
            address,
            bytes,
            writes: access.writes,
            by: By::Code,
            alignment: access.alignment.max(1) as usize,
        })
    }
}

/// Why an access must not be made.
#[derive(Clone, Copy)]
pub enum Fault {
    /// Its pointer is null.
    Null,
    /// It is not within the block that its pointer leads into.
    Outside(Block),
    /// Its pointer leads into no block.
    Nowhere(Nowhere),
    /// Its address is no multiple of this.
    Misaligned(u64),
}

/// What is wrong.
#[derive(Clone, Copy)]
pub enum Found {
    /// The access is not made.
    Fault(Fault),
    /// It conflicts with a transfer of that site, which has not been waited for.
    TooEarly(u64, Conflict),
    /// The transfer is never waited for.
    NeverWaitedFor,
    /// Nothing orders it and an access of another thread.
    Race(Race),
    /// A value is used there that was never written, of a buffer if that is known.
    Undefined(Option<Block>),
    /// A transfer stores bytes that were never written, of a buffer if that is known.
    Unwritten(Option<Block>),
}

/// Accesses of two threads that nothing orders.
#[derive(Clone, Copy)]
pub struct Race {
    /// Who makes the access.
    pub thread: u32,
    /// Who makes the other one.
    pub other_thread: u32,
    /// The other one.
    pub other: Conflicting,
}

impl Found {
    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Self::Fault(Fault::Null) => Kind::NullPointer,
            Self::Fault(Fault::Outside(_)) => Kind::OutOfBounds,
            Self::Fault(Fault::Nowhere(_)) => Kind::UnknownAddress,
            Self::Fault(Fault::Misaligned(_)) => Kind::Misaligned,
            Self::TooEarly(..) | Self::NeverWaitedFor => Kind::Dma,
            Self::Race(_) => Kind::DataRace,
            Self::Undefined(_) | Self::Unwritten(_) => Kind::Uninitialised,
        }
    }
}

/// What findings of a thread refer to.
pub struct Context<'a> {
    /// The thread.
    pub thread: &'a DeviceThread,
    /// The kernel of the launch.
    pub kernel: &'a str,
    /// What the numbers of sites mean.
    pub table: &'a CheckTable,
    /// Its buffers.
    pub buffers: &'a Buffers,
    /// The memory that `hthread_malloc` takes blocks from.
    pub ddr: &'a ClusterMemory,
}

impl Context<'_> {
    fn site(&self, number: u64) -> Option<CheckSite> {
        if let Some(site) = self.table.sites.get(number as usize) {
            return Some(site.clone());
        }
        let at = self.thread.code.assembly().place_of_site(number)?;
        Some(CheckSite {
            access: AccessSite {
                function: function_of(&at.function).to_owned(),
                place: Some(at.place),
                ..AccessSite::default()
            },
            ..CheckSite::default()
        })
    }

    /// An exception that stops the thread, at a place if that is known.
    pub fn exception(&self, message: String, at: Option<&SourcePlace>) -> Finding {
        Finding {
            kernel: self.kernel.to_owned(),
            function: at.map_or_else(String::new, |at| at.function.clone()),
            place: at.map(|at| self.with_text(at.place.clone())),
            thread: Some(self.number()),
            ..Finding::new(Kind::Exception, message)
        }
    }

    fn number(&self) -> Thread {
        Thread {
            cluster: self.thread.group.cluster(),
            group: self.thread.group.id,
            number: self.thread.number,
        }
    }

    /// The finding, which occurred once.
    pub fn finding(&self, accessed: &Accessed, found: Found) -> Finding {
        let site = self.site(accessed.site).unwrap_or_default();
        let mut finding = Finding {
            kernel: self.kernel.to_owned(),
            function: site.access.function.clone(),
            place: self.place(&site),
            thread: Some(self.number()),
            access: Some(Access {
                writes: accessed.writes,
                bytes: accessed.bytes as u64,
                offset: accessed.address as i64,
            }),
            ..Finding::new(found.kind(), String::new())
        };
        match found {
            Found::NeverWaitedFor => {
                finding.access = None;
                finding.message = "the transfer is never waited for".to_owned();
            }
            Found::TooEarly(transfer, conflict) => {
                finding.message = too_early(accessed, conflict);
                finding.other = Some(self.other(transfer, true, true));
            }
            Found::Fault(Fault::Outside(block)) => {
                let object = self.object(&site, block);
                let offset = accessed.address.wrapping_sub(block.start) as i64;
                let how_far = distance(offset, object.bytes);
                let taken = self.taken_at(block);
                finding.message =
                    format!("{}{how_far} {}{taken}", what(accessed), described(&object));
                finding.access = finding.access.map(|access| Access { offset, ..access });
                finding.object = Some(object);
            }
            Found::Fault(fault) => finding.message = self.refused(accessed, fault),
            Found::Undefined(block) => {
                finding.access = None;
                let variable = site.variable.as_ref().map(variable_on_stack);
                // With both, it is one of them.
                finding.object = match (variable, block) {
                    (Some(variable), None) => Some(variable),
                    (None, Some(block)) => Some(self.object(&site, block)),
                    _ => None,
                };
                let taken = block.map_or_else(String::new, |block| self.aside(block));
                finding.message = undefined(&site, finding.object.as_ref(), &taken);
            }
            Found::Unwritten(block) => {
                finding.object = block.map(|block| self.object(&site, block));
                let taken = block.map_or_else(String::new, |block| self.aside(block));
                finding.message = unwritten(accessed, finding.object.as_ref(), &taken);
                let start = block.map_or(accessed.address, |block| block.start);
                let offset = accessed.address.wrapping_sub(start) as i64;
                finding.access = finding.access.map(|access| Access { offset, ..access });
            }
            Found::Race(race) => self.describe_race(&mut finding, &site, accessed, race),
        }
        finding
    }

    fn describe_race(
        &self,
        finding: &mut Finding,
        site: &CheckSite,
        accessed: &Accessed,
        race: Race,
    ) {
        let block = self.block_at(accessed.address);
        let place = match block {
            Some(block) => {
                let object = self.object(site, block);
                let offset = accessed.address - block.start;
                let place = format!(" at byte {offset} of {}", described(&object));
                finding.access = finding.access.map(|access| Access {
                    offset: offset as i64,
                    ..access
                });
                finding.object = Some(object);
                place
            }
            None => format!(" at {:#x}", accessed.address),
        };
        let other = if race.other.writes { "write" } else { "read" };
        finding.message = format!(
            "{}{place} conflicts with a {other} by thread {} of the group",
            what(accessed),
            race.other_thread
        );
        finding.thread = Some(Thread {
            number: race.thread,
            ..self.number()
        });
        finding.other = Some(self.other(race.other.site, race.other.writes, false));
    }

    fn refused(&self, accessed: &Accessed, fault: Fault) -> String {
        let (what, address) = (what(accessed), accessed.address);
        match fault {
            Fault::Null => format!("{what} through a null pointer"),
            Fault::Misaligned(alignment) => {
                format!("{what} at {address:#x}, which is no multiple of {alignment}")
            }
            Fault::Nowhere(Nowhere::Unused(memory)) => {
                let freed = self.buffers.freed_at(address);
                match freed {
                    Some(site) => format!(
                        "{what} at {address:#x}, in a buffer in {memory} that was freed{}",
                        self.at(site)
                    ),
                    None => format!("{what} at {address:#x} in {memory}, where no buffer is"),
                }
            }
            Fault::Nowhere(Nowhere::OtherCore(memory, core)) => format!(
                "{what} at {address:#x} in {memory} of core {core}, which core {} cannot access",
                self.thread.member().core
            ),
            Fault::Nowhere(Nowhere::Unknown) | Fault::Outside(_) => format!(
                "{what} at {address:#x}, which is in no buffer or variable of cluster {}",
                self.thread.group.cluster()
            ),
        }
    }

    fn block_at(&self, address: usize) -> Option<Block> {
        lookup::find(self.thread, self.ddr, address).ok()
    }

    fn object(&self, site: &CheckSite, block: Block) -> Object {
        let known = block
            .variable
            .and_then(|number| self.table.variables.get(number));
        let variable = site.variable.as_ref().or(known);
        Object {
            role: match (variable, block.memory) {
                (None, Memory::Stack) => "stack",
                (None, _) => "buffer",
                (Some(_), _) => "variable",
            }
            .to_owned(),
            name: variable.map(|one| one.name.clone()).unwrap_or_default(),
            space: block.memory.to_string(),
            bytes: block.bytes as u64,
        }
    }

    /// Where a buffer was taken, after a comma.
    fn taken_at(&self, block: Block) -> String {
        let site = self.buffers.taken_at(block.start);
        match site.map(|site| self.at(site)) {
            Some(at) if !at.is_empty() => format!(", taken{at}"),
            _ => String::new(),
        }
    }

    /// The same before more words.
    fn aside(&self, block: Block) -> String {
        match self.taken_at(block) {
            taken if taken.is_empty() => taken,
            taken => format!("{taken},"),
        }
    }

    /// The place of a site, with a preposition; empty if it is not known.
    fn at(&self, site: u64) -> String {
        let place = self.site(site).and_then(|site| site.access.place);
        place.map_or_else(String::new, |place| {
            format!(" at {}:{}", place.file, place.line)
        })
    }

    /// The place of a site, with the text of its line if the file is still where it was compiled.
    fn place(&self, site: &CheckSite) -> Option<Place> {
        Some(self.with_text(site.access.place.clone()?))
    }

    fn with_text(&self, mut place: Place) -> Place {
        if place.text.is_empty()
            && let Some(folder) = self.table.folders.get(&place.file)
            && let Ok(text) = fs::read_to_string(Path::new(folder).join(&place.file))
        {
            let line = (place.line as usize).checked_sub(1);
            let line = line.and_then(|line| text.lines().nth(line));
            place.text = line.unwrap_or_default().trim_end().to_owned();
        }
        place
    }

    fn other(&self, site: u64, writes: bool, is_copy: bool) -> OtherAccess {
        let site = self.site(site).unwrap_or_default();
        OtherAccess {
            writes,
            is_copy,
            place: self.place(&site),
            function: site.access.function,
            local: None,
            group: None,
        }
    }
}

/// The function of C that a function in assembly is part of: each `__asm__` statement is one of its own.
fn function_of(name: &str) -> &str {
    name.split_once(".asm")
        .map_or(name, |(function, _)| function)
}

fn what(accessed: &Accessed) -> String {
    let verb = if accessed.writes { "write" } else { "read" };
    let size = bytes(accessed.bytes as u64);
    match accessed.by {
        By::Transfer => format!("{verb} of {size} by a transfer"),
        By::Free => format!("end of a buffer of {size}"),
        By::Code => format!("{verb} of {size}"),
    }
}

fn variable_on_stack(variable: &CheckedVariable) -> Object {
    Object {
        role: "variable".to_owned(),
        name: variable.name.clone(),
        space: Memory::Stack.to_string(),
        bytes: variable.bytes,
    }
}

fn undefined(site: &CheckSite, object: Option<&Object>, taken: &str) -> String {
    let what = match site.undefined {
        Some(UndefinedKind::Branch) => "a condition depends on",
        Some(UndefinedKind::Address) => "an address depends on",
        Some(UndefinedKind::Stored) => "memory gets",
        Some(UndefinedKind::Operand) | None => "an operation depends on",
    };
    let of = of(object, taken);
    format!("{what} a value{of} that was never written")
}

fn unwritten(accessed: &Accessed, object: Option<&Object>, taken: &str) -> String {
    let (size, of) = (bytes(accessed.bytes as u64), of(object, taken));
    format!("a transfer stores {size}{of} that were never written")
}

fn of(object: Option<&Object>, taken: &str) -> String {
    object.map_or_else(String::new, |object| {
        format!(" of {}{taken}", described(object))
    })
}

fn too_early(accessed: &Accessed, conflict: Conflict) -> String {
    let transfer = match conflict {
        Conflict::OfDestination => "the transfer that writes it",
        Conflict::OfSource => "the transfer that reads it",
    };
    format!("{} before {transfer} has been waited for", what(accessed))
}

fn described(object: &Object) -> String {
    let Object {
        role,
        name,
        space,
        bytes: size,
    } = object;
    let size = bytes(*size);
    match name.as_str() {
        "" => format!("the {role} ({space}, {size})"),
        name => format!("{role} `{name}` ({space}, {size})"),
    }
}
