//! What is written to the standard error of the host program when a thread is stopped.

use crate::check::Checking;
use crate::device_thread::DeviceThread;
use crate::exception::{Details, Raised};
use crate::faults::Call;
use crate::group::Group;
use crate::host_name::host_name;
use crate::host_output;
use kernel_compiler::device_c::SourcePlace;

/// Writes an exception of a thread of cluster `cluster`.
pub fn exception(cluster: u32, thread: &DeviceThread, raised: &Raised) {
    let name = match raised.exception.name() {
        Some(name) => name.to_owned(),
        None => format!("exception {}", raised.exception.0),
    };
    let (group, number) = (thread.group.id, thread.number);
    eprintln!(
        "{}: Cluster {cluster}-Group {group}-Thread {number} occurs an exception: {name} on addr \
         {:#x}",
        host_name(),
        raised.address
    );
    let address = raised.address;
    let mut message = format!("{name} at address {address:#x}");
    let cause = raised.details.map(|details| match details {
        Details::Dma(cause) => {
            eprintln!("[DMA Address Overstep Exception Details] mem {address:#x}: {cause}");
            cause
        }
        Details::Am(cause) => {
            eprintln!("[AM Exception Details] AM {address:#x}: {cause}");
            cause
        }
        Details::Sm(cause) => {
            eprintln!("[SM Exception Details] SM {address:#x}: {cause}");
            cause
        }
    });
    if let Some(cause) = cause {
        message = format!("{message}: {cause}");
    }
    let places = places(thread);
    stack(&places);
    if let Some(checking) = Checking::of(thread) {
        checking.stop(message, places.first());
    }
}

/// The calls of the kernel that have led to an exception, or to where a thread busy-waits, from the innermost one on.
pub fn places(thread: &DeviceThread) -> Vec<SourcePlace> {
    let calls = thread.calls.borrow();
    let places = calls.iter().flat_map(|call| match call {
        Call::Native(address) => thread.code.places(*address),
        Call::Assembly(at) => thread.code.assembly().place(*at).into_iter().collect(),
    });
    places.collect()
}

/// Writes the calls that have led to an exception, if the kernel was compiled with `-g`.
fn stack(places: &[SourcePlace]) {
    if places.is_empty() {
        return;
    }
    eprintln!("[STACK] dump DSP stack");
    for (number, SourcePlace { function, place }) in places.iter().enumerate() {
        eprintln!("  #{number} {function} at {}:{}", place.file, place.line);
    }
}

/// Writes that a thread has not taken interrupts, if there are such.
pub fn lost_interrupts(cluster: u32, group: u32, thread: u32, numbers: &[u32]) {
    for number in numbers {
        eprintln!(
            "{}: Cluster {cluster}-Group {group}-Thread {thread} has not taken interrupt {number}",
            host_name()
        );
    }
}

/// Shows a test interrupt on the host program's standard output.
pub fn test_interrupt(cluster: u32, group: &Group, value: u64) {
    let text = format!(
        "[TEST] Recv DSP_INT_TRIGGER {value:#x} from cluster {cluster}, group {}\n",
        group.id
    );
    host_output::write(text.as_bytes());
}

/// Writes that a group was created with more threads than there were idle cores.
pub fn missing_threads(cluster: u32, group: &Group) {
    eprintln!(
        "{}: Cluster {cluster}-Group {}: {} threads were requested, {} cores were idle; the group \
         cannot end",
        host_name(),
        group.id,
        group.size,
        group.members.len()
    );
}
