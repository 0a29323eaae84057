//! The paragraph about a fault in a kernel.

use crate::signals::kernel_description::KernelDescription;
use crate::signals::paragraph::Paragraph;
use crate::signals::running_group::RunningGroup;
use std::ops::Range;

/// A fault that a thread has caused while it executed a kernel.
pub(super) struct Fault {
    /// The signal: `SIGSEGV`.
    pub signal: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The access, if the processor gives its address.
    pub access: Option<Access>,
}

/// An access to memory that has faulted.
pub(super) struct Access {
    pub address: usize,
    pub kind: AccessKind,
}

#[derive(Clone, Copy)]
pub(super) enum AccessKind {
    Read,
    Write,
    Execution,
    Unknown,
}

impl AccessKind {
    fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "wrote to",
            Self::Execution => "jumped to",
            Self::Unknown => "accessed",
        }
    }
}

/// Memory that a kernel may access.
enum Memory<'a> {
    Argument { number: usize, name: &'a str },
    Local,
    Private,
}

/// The paragraph about a fault in that group.
pub(super) fn compose(fault: &Fault, running: &RunningGroup<'_>) -> Paragraph {
    // SAFETY: the code that executes the group keeps its context.
    let context = unsafe { running.context.read_volatile() };
    let nd_range = &running.launch.configuration.nd_range;
    let used = (nd_range.work_dimensions as usize).clamp(1, 3);
    let kernel = running.launch.kernel;
    let mut text = Paragraph::new();
    let (signal, meaning) = (fault.signal, fault.meaning);
    text.add(format_args!(
        "MOCL3: kernel `{}` crashed ({signal}: {meaning}) in work-group ",
        kernel.name()
    ));
    text.add_sizes(&context.group_id[..used]);
    text.add(format_args!(" of global size "));
    text.add_sizes(&nd_range.global_size[..used]);
    text.add(format_args!(", local size "));
    text.add_sizes(&nd_range.local_size[..used]);
    text.add(format_args!("."));
    if let Some(Access { address, kind }) = fault.access {
        text.add(format_args!(" It {} address {address:#x}", kind.verb()));
        add_nearest(&mut text, address, running);
        text.add(format_args!("."));
    }
    text.add(format_args!(
        " To find the cause, run `mocl3 check -- PROGRAM ARGUMENTS`.\n"
    ));
    text
}

/// Appends where the address is as seen from the nearest memory of the kernel.
fn add_nearest(text: &mut Paragraph, address: usize, running: &RunningGroup<'_>) {
    let Some((memory, addresses)) = nearest(address, running) else {
        return;
    };
    let (bytes, place) = if addresses.contains(&address) {
        (address - addresses.start, "after the start of")
    } else if address < addresses.start {
        (addresses.start - address, "before the start of")
    } else if addresses.end == 0 {
        (address, "after NULL, the value of")
    } else {
        (address - addresses.end, "after the end of")
    };
    text.add(format_args!(", {bytes} bytes {place} "));
    match memory {
        Memory::Argument { number, name } => {
            text.add(format_args!("argument {number} `{name}`"));
        }
        Memory::Local => text.add(format_args!("the work-group's local memory")),
        Memory::Private => text.add(format_args!("the work-group's private memory")),
    }
    if addresses.end > 0 {
        text.add(format_args!(" ({} bytes)", addresses.len()));
    }
}

/// The kernel's memory that is nearest to the address.
fn nearest<'a>(address: usize, running: &RunningGroup<'a>) -> Option<(Memory<'a>, Range<usize>)> {
    let kernel: &'a dyn KernelDescription = running.launch.kernel;
    let arguments = (0..)
        .map_while(|number| Some((number, kernel.argument(number)?)))
        .filter_map(|(number, argument)| {
            let name = argument.name;
            Some((Memory::Argument { number, name }, argument.addresses?))
        });
    // SAFETY: as in `compose`.
    let context = unsafe { running.context.read_volatile() };
    let configuration = &running.launch.configuration;
    let scratchpad = [
        (
            Memory::Local,
            context.local_memory,
            configuration.local_memory,
        ),
        (
            Memory::Private,
            context.private_memory,
            configuration.private_memory,
        ),
    ]
    .into_iter()
    .filter(|(_, _, bytes)| *bytes > 0)
    .map(|(memory, start, bytes)| (memory, start.addr()..start.addr() + bytes as usize));
    arguments
        .chain(scratchpad)
        .min_by_key(|(_, addresses)| distance(address, addresses))
}

/// Bytes between an address and a range.
fn distance(address: usize, addresses: &Range<usize>) -> usize {
    if address < addresses.start {
        addresses.start - address
    } else {
        address.saturating_sub(addresses.end.saturating_sub(1))
    }
}
