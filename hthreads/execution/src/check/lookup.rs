//! What an address leads into.

use super::block::{Block, Memory, Nowhere};
use super::heap;
use crate::device_thread::DeviceThread;
use crate::memory::array::ArrayMemory;
use crate::memory::shared::ClusterMemory;
use device_sim::machine::SharedMemory;

/// The memory of a variable at an address.
pub fn memory_of_variable(thread: &DeviceThread, address: usize) -> Memory {
    match thread.shared_memory(address) {
        _ if thread.stack.contains(&address) => Memory::Stack,
        SharedMemory::Gsm => Memory::Gsm,
        _ => Memory::Image,
    }
}

/// The block that an address is in.
///
/// # Errors
/// It is in none.
pub fn find(thread: &DeviceThread, ddr: &ClusterMemory, address: usize) -> Result<Block, Nowhere> {
    let member = thread.member();
    if let Some(found) = in_core(&member.memory, address) {
        let found = found.or_else(|memory| of_assembly(thread, memory, address).ok_or(memory));
        return found.map_err(Nowhere::Unused);
    }
    let block = |memory, (start, bytes): (usize, usize)| Block {
        start,
        bytes,
        memory,
        variable: None,
    };
    if thread.stack.contains(&address) {
        let stack = &thread.stack;
        return Ok(block(Memory::Stack, (stack.start, stack.len())));
    }
    for (memory, found) in [
        (Memory::Ddr, ddr.find(address)),
        (Memory::Hbsm, thread.hbsm.find(address)),
        (Memory::Heap, heap::find(address)),
    ] {
        if let Some(found) = found {
            return Ok(block(memory, found));
        }
    }
    if let Some(checked) = thread.code.checks()
        && let Some((start, number)) = checked.variable(address)
    {
        let memory = memory_of_variable(thread, address);
        let bytes = checked.table.variables[number].bytes as usize;
        return Ok(Block {
            variable: Some(number),
            ..block(memory, (start, bytes))
        });
    }
    let others = thread.group.members.iter();
    let mut others = others.filter(|other| other.core != member.core);
    let found = others.find_map(|other| {
        let memory = memory_of(&other.memory, address)?;
        Some(Nowhere::OtherCore(memory, other.core))
    });
    Err(found.unwrap_or(Nowhere::Unknown))
}

/// The memory of a core that an address is in.
pub fn memory_of(memory: &ArrayMemory, address: usize) -> Option<Memory> {
    let in_am = memory.am.bytes_from(address).map(|_| Memory::Am);
    in_am.or_else(|| memory.sm.bytes_from(address).map(|_| Memory::Sm))
}

/// The stack in a memory of the core of functions in assembly that run, if an address is there.
fn of_assembly(thread: &DeviceThread, memory: Memory, address: usize) -> Option<Block> {
    let activations = thread.activations.borrow();
    let [in_am, in_sm] = activations.last()?.stacks;
    let own = &thread.member().memory;
    let (start, end) = match memory {
        Memory::Am => (in_am as usize, own.am.end()),
        _ => (in_sm as usize, own.sm.end()),
    };
    (start..end).contains(&address).then(|| Block {
        start,
        bytes: end - start,
        memory: Memory::Stack,
        variable: None,
    })
}

fn in_core(memory: &ArrayMemory, address: usize) -> Option<Result<Block, Memory>> {
    let kind = memory_of(memory, address)?;
    let scratchpad = match kind {
        Memory::Am => &memory.am,
        _ => &memory.sm,
    };
    let found = scratchpad.find(address);
    Some(found.ok_or(kind).map(|(start, bytes)| Block {
        start,
        bytes,
        memory: kind,
        variable: None,
    }))
}
