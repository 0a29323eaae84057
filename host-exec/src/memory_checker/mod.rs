//! Findings of code that checks the bounds of its memory accesses (`MOCL3_CHECK=memory`). The
//! bounds of arguments come from the launch; the code calls [`report`] for each access that is
//! outside, and leaves it out.

pub mod access_table;
pub mod images;

use crate::definedness::local_shadow_distance;
use crate::first_findings::{FirstFindings, Found, Listener};
use crate::stack;
use crate::work_group::WorkGroupContext;
use access_table::{AccessTable, CheckedObject, Space};
use images::{ImageFinding, ImageSize};

/// What compiled code reads of an argument.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArgumentBounds {
    /// Its size.
    pub bytes: u64,
    /// What flags and `const` do not forbid: [`READS`], [`WRITES`].
    pub permissions: u64,
    /// From the memory to its shadow, modulo 2^64; unused by code that has no shadows.
    pub shadow_distance: u64,
    /// Address of the words of the last writes (`races`), or 0 if no words are kept; for local memory
    /// the distance to them. Unused by code without a check of races, as the next.
    pub last_writes: u64,
    /// The same of the last reads.
    pub last_reads: u64,
    /// Zero, which compiled code adds to the address of a word to read it again: LLVM does not know
    /// that it is the word just written, by several lanes perhaps.
    pub zero: u64,
}

/// Reads are not forbidden.
pub const READS: u64 = 1;
/// Writes are not forbidden.
pub const WRITES: u64 = 2;

/// The memory that an argument of a launch points to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArgumentMemory {
    /// Address on the host; 0 for a null pointer, any for local memory.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// The buffer's flags allow reads.
    pub is_readable: bool,
    /// The buffer's flags allow writes.
    pub is_writable: bool,
    /// Address of its shadow; 0 if it has none, and for local memory.
    pub shadow: u64,
    /// If it is an image, whose address is 0 here.
    pub image: Option<ImageSize>,
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryError {
    /// It leads through a null pointer.
    Null,
    /// It is outside of the object.
    OutOfBounds,
    /// The address leads to no object of the launch.
    UnknownAddress,
    /// The address is not a multiple of the type's alignment.
    Misaligned,
    /// It writes a buffer that kernels may only read, or constant memory.
    ReadOnly,
    /// It writes through a pointer to `const`.
    Const,
    /// It reads a buffer that kernels may only write.
    WriteOnly,
}

/// An access that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFinding {
    /// What is wrong with it.
    pub error: MemoryError,
    /// Number of the site.
    pub site: u64,
    /// Number of the object, or `UNKNOWN_OBJECT`.
    pub object: u64,
    /// Size of the object.
    pub object_bytes: u64,
    /// Bytes from the object's start, or the address.
    pub place: u64,
    /// Size of the access.
    pub bytes: u64,
    /// The bits of the value that it writes, if its site has a type for it.
    pub value: u64,
}

impl AccessTable {
    /// What is not forbidden to a kernel of an argument: `READS` and `WRITES`.
    fn permissions(&self, index: usize, memory: &ArgumentMemory) -> u64 {
        let may_be_written = memory.is_writable && !self.is_const(index);
        (READS * u64::from(memory.is_readable)) | (WRITES * u64::from(may_be_written))
    }

    /// Whether a launch with these arguments has accesses that their flags, or `const`, forbid.
    pub fn are_some_forbidden(&self, arguments: &[ArgumentMemory]) -> bool {
        let forbids = |index: &usize, access: u64| {
            let memory = arguments.get(*index).filter(|memory| memory.bytes > 0);
            memory.is_some_and(|memory| self.permissions(*index, memory) & access == 0)
        };
        self.read.iter().any(|index| forbids(index, READS))
            || self.written.iter().any(|index| forbids(index, WRITES))
    }
}

/// Collects the findings of a launch.
#[derive(Debug)]
pub struct MemoryChecker<'a> {
    table: &'a AccessTable,
    arguments: &'a [ArgumentMemory],
    /// Those of the arguments, then those of local memory.
    bounds: Vec<ArgumentBounds>,
    /// Whether local memory has a shadow, as code that checks for undefined values needs.
    pub has_shadows: bool,
    private: PrivateMemory<'a>,
    /// The uses of undefined values, by their numbers.
    pub(crate) undefined: FirstFindings<u64, u64>,
    /// By site, object and error.
    found: FirstFindings<(u64, u64, MemoryError), MemoryFinding>,
    /// By site.
    images: FirstFindings<u64, ImageFinding>,
}

/// Where private variables are, besides the stack of a group's thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrivateMemory<'a> {
    /// The arguments, which contain structures passed by value.
    pub arguments: &'a [u8],
    /// Bytes of a group's private memory.
    pub bytes: u64,
}

/// What a launch found.
pub struct MemoryFindings {
    /// The accesses that are wrong, in the order of the sites.
    pub memory: Vec<Found<MemoryFinding>>,
    /// The accesses to images, likewise.
    pub images: Vec<Found<ImageFinding>>,
    /// The numbers of the uses of undefined values.
    pub undefined: Vec<Found<u64>>,
}

impl<'a> MemoryChecker<'a> {
    /// For a launch of the code that has this table. `arguments` are the kernel's, those that
    /// are no pointers without bytes. A group has `local_memory` bytes of local memory.
    pub fn new(
        table: &'a AccessTable,
        arguments: &'a [ArgumentMemory],
        local_memory: u64,
        has_shadows: bool,
        private: PrivateMemory<'a>,
    ) -> Self {
        let mut bounds: Vec<ArgumentBounds> = arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| ArgumentBounds {
                bytes: argument.bytes,
                permissions: table.permissions(index, argument),
                shadow_distance: match argument.shadow {
                    0 => 0,
                    shadow => shadow.wrapping_sub(argument.address),
                },
                ..ArgumentBounds::default()
            })
            .collect();
        bounds.push(ArgumentBounds {
            shadow_distance: local_shadow_distance(local_memory),
            ..ArgumentBounds::default()
        });
        Self {
            table,
            arguments,
            bounds,
            has_shadows,
            private,
            undefined: FirstFindings::default(),
            found: FirstFindings::default(),
            images: FirstFindings::default(),
        }
    }

    /// Has it call listeners with first findings: of accesses, and of uses of undefined values.
    pub fn listen(&mut self, found: Listener<MemoryFinding>, undefined: Listener<u64>) {
        self.found.listen(found);
        self.undefined.listen(undefined);
    }

    /// Bytes of local memory of this size with its shadow, if it has one.
    pub fn local_memory_with_shadow(&self, local_memory: u64) -> u64 {
        match self.has_shadows {
            true => local_memory + local_shadow_distance(local_memory),
            false => local_memory,
        }
    }

    /// Bounds that compiled code reads, to be completed before the launch: those of the arguments,
    /// then those of local memory.
    pub fn bounds_mut(&mut self) -> &mut [ArgumentBounds] {
        &mut self.bounds
    }

    /// The bounds that compiled code reads.
    pub fn bounds(&self) -> *const ArgumentBounds {
        self.bounds.as_ptr()
    }

    /// What was found.
    pub fn finish(self) -> MemoryFindings {
        MemoryFindings {
            memory: self.found.finish(),
            images: self.images.finish(),
            undefined: self.undefined.finish(),
        }
    }

    /// From an address to its shadow, if the bytes there are of an object that has one.
    pub(crate) fn shadow_distance(
        &self,
        context: &WorkGroupContext,
        address: u64,
        bytes: u64,
    ) -> Option<u64> {
        let within = |start: u64, size: u64| {
            address
                .checked_sub(start)
                .is_some_and(|offset| offset <= size && bytes <= size - offset)
        };
        let local = context.local_memory.addr() as u64;
        if within(local, context.local_memory_bytes) {
            return self.bounds.last().map(|local| local.shadow_distance);
        }
        let mut arguments = self.arguments.iter().zip(&self.bounds);
        arguments
            .find(|(argument, _)| argument.shadow != 0 && within(argument.address, argument.bytes))
            .map(|(_, bounds)| bounds.shadow_distance)
    }

    /// Whether bytes at an address belong to an object of the launch. Local memory is one object.
    fn allows(&self, context: &WorkGroupContext, address: u64, bytes: u64) -> bool {
        let within = |start: u64, size: u64| {
            address
                .checked_sub(start)
                .is_some_and(|offset| offset <= size && bytes <= size - offset)
        };
        let mut arguments = self.arguments.iter().filter(|memory| memory.address != 0);
        arguments.any(|memory| within(memory.address, memory.bytes))
            || within(
                context.local_memory.addr() as u64,
                context.local_memory_bytes,
            )
    }

    /// Whether bytes at an address may belong to a private variable: they are where these are.
    fn allows_private(&self, context: &WorkGroupContext, address: u64, bytes: u64) -> bool {
        let within = |start: usize, size: u64| {
            address
                .checked_sub(start as u64)
                .is_some_and(|offset| offset <= size && bytes <= size - offset)
        };
        let PrivateMemory {
            arguments,
            bytes: size,
        } = self.private;
        stack::may_hold(address as usize, bytes as usize)
            || within(context.private_memory.addr(), size)
            || within(arguments.as_ptr().addr(), arguments.len() as u64)
    }

    fn add(&self, context: &WorkGroupContext, access: &Access, local_id: [u64; 3]) {
        let (error, object_bytes) = self.error(access);
        let found = MemoryFinding {
            error,
            site: access.site,
            object: access.object,
            object_bytes,
            place: access.place,
            bytes: access.bytes,
            value: access.value,
        };
        let key = (access.site, access.object, error);
        self.found.add(context, local_id, key, found);
    }

    /// What is wrong with an access, and the size of its object.
    fn error(&self, access: &Access) -> (MemoryError, u64) {
        let writes = self.table.sites.get(access.site as usize);
        let writes = writes.is_some_and(|site| site.writes);
        let within = |bytes: u64| access.place <= bytes && access.bytes <= bytes - access.place;
        match self.table.objects.get(access.object as usize) {
            None if access.place == 0 => (MemoryError::Null, 0),
            None => (MemoryError::UnknownAddress, 0),
            Some(CheckedObject::Variable { bytes, space, .. }) => {
                let error = match () {
                    () if !within(*bytes) => MemoryError::OutOfBounds,
                    () if writes && *space == Space::Constant => MemoryError::ReadOnly,
                    () => MemoryError::Misaligned,
                };
                (error, *bytes)
            }
            Some(CheckedObject::Argument {
                index,
                space,
                is_const,
                ..
            }) => {
                let memory = self.arguments.get(*index).copied().unwrap_or_default();
                let error = match () {
                    () if memory.address == 0 && *space != Space::Local => MemoryError::Null,
                    () if !within(memory.bytes) => MemoryError::OutOfBounds,
                    () if writes && !memory.is_writable => MemoryError::ReadOnly,
                    () if writes && *is_const => MemoryError::Const,
                    () if !writes && !memory.is_readable => MemoryError::WriteOnly,
                    () => MemoryError::Misaligned,
                };
                (error, memory.bytes)
            }
        }
    }
}

/// An access as `report` gets it.
struct Access {
    site: u64,
    object: u64,
    place: u64,
    bytes: u64,
    value: u64,
}

/// The checker of a group.
///
/// # Safety
/// The context is one that the executor made.
pub(crate) unsafe fn checker<'a>(
    context: *const WorkGroupContext,
) -> Option<&'a MemoryChecker<'a>> {
    // SAFETY: the executor passes the launch's checker, which lives until the launch has ended, or
    // null.
    unsafe { (*context).checker.cast::<MemoryChecker<'a>>().as_ref() }
}

/// Reports an access that code leaves out.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn report(
    context: *const WorkGroupContext,
    site: u64,
    object: u64,
    place: u64,
    bytes: u64,
    value: u64,
    x: u64,
    y: u64,
    z: u64,
) {
    let access = Access {
        site,
        object,
        place,
        bytes,
        value,
    };
    // SAFETY: as the caller promises.
    if let Some(checker) = unsafe { checker(context) } {
        // SAFETY: as the caller promises.
        checker.add(unsafe { &*context }, &access, [x, y, z]);
    }
}

/// Reports an access to an image whose outcome is undefined; `u`, `v` and `w` are its coordinates.
///
/// # Safety
/// As `report`.
pub unsafe extern "C" fn report_image(
    context: *const WorkGroupContext,
    site: u64,
    sampler: u64,
    u: u32,
    v: u32,
    w: u32,
    x: u64,
    y: u64,
    z: u64,
) {
    // SAFETY: as the caller promises.
    if let Some(checker) = unsafe { checker(context) } {
        let found = ImageFinding {
            site,
            sampler,
            coordinates: [u, v, w],
        };
        // SAFETY: as the caller promises.
        let context = unsafe { &*context };
        checker.images.add(context, [x, y, z], site, found);
    }
}

/// Whether code may access bytes at an address of which it does not know the object.
///
/// # Safety
/// As `report`.
pub unsafe extern "C" fn allows(
    context: *const WorkGroupContext,
    address: u64,
    bytes: u64,
    is_private: u64,
) -> u64 {
    // SAFETY: as the caller promises.
    let allowed = unsafe { checker(context) }.is_none_or(|checker| {
        // SAFETY: as the caller promises.
        let context = unsafe { &*context };
        match is_private {
            0 => checker.allows(context, address, bytes),
            _ => checker.allows_private(context, address, bytes),
        }
    });
    u64::from(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_checker::access_table::AccessSite;

    fn table() -> AccessTable {
        let site = |writes| AccessSite {
            writes,
            ..AccessSite::default()
        };
        AccessTable {
            sites: vec![site(false), site(true)],
            objects: vec![CheckedObject::Argument {
                index: 0,
                name: "a".into(),
                space: Space::Global,
                is_const: false,
            }],
            ..AccessTable::default()
        }
    }

    #[test]
    fn kinds_of_errors_are_distinct() {
        let memory = ArgumentMemory {
            address: 4096,
            bytes: 16,
            is_readable: true,
            is_writable: true,
            ..ArgumentMemory::default()
        };
        let read_only = ArgumentMemory {
            is_writable: false,
            ..memory
        };
        let write_only = ArgumentMemory {
            is_readable: false,
            ..memory
        };
        let table = table();
        for (memory, site, place, error) in [
            (ArgumentMemory::default(), 0, 0, MemoryError::Null),
            (memory, 0, 13, MemoryError::OutOfBounds),
            (memory, 1, u64::MAX - 3, MemoryError::OutOfBounds),
            (memory, 0, 2, MemoryError::Misaligned),
            (read_only, 1, 0, MemoryError::ReadOnly),
            (write_only, 0, 0, MemoryError::WriteOnly),
        ] {
            let checker = MemoryChecker::new(
                &table,
                std::slice::from_ref(&memory),
                0,
                false,
                PrivateMemory::default(),
            );
            let access = Access {
                site,
                object: 0,
                place,
                bytes: 4,
                value: 0,
            };
            assert_eq!(checker.error(&access).0, error, "{place}");
        }
    }
}
