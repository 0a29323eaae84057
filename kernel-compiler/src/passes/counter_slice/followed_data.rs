//! The data that addresses and branches of timed code depend on, backwards from these. With other
//! data the code might access memory outside of its objects, or never end.

use super::memory_objects::{MemoryObject, MemoryObjects};
use super::{Intrinsic, KnownMemory, SOURCE, intrinsic, is_address, written};
use crate::ir::{Opcode, Value};
use crate::passes::instrumentation::{TIMED_TRANSFER, TIMED_WAIT};
use device_sim::timing::cost::FollowedData;
use std::collections::{BTreeSet, HashSet};

/// The first argument of a masked store or scatter is what it stores.
const STORED: usize = 0;

/// What addresses and branches of instrumented code depend on.
pub fn find(function: Value, memory: KnownMemory<'_>) -> FollowedData {
    let objects = MemoryObjects::new(function, memory.group_slots);
    let instructions = function.instructions();
    let writers = instructions
        .iter()
        .filter_map(|&instruction| Some((instruction, written(instruction, &objects)?)))
        .collect();
    let mut search = Search {
        objects,
        separate_objects: memory.separate_objects,
        writers,
        kept: HashSet::new(),
        pending: Vec::new(),
        read: HashSet::new(),
        arguments: BTreeSet::new(),
    };
    for instruction in instructions {
        search.keep_all(&roots(instruction));
    }
    while let Some(instruction) = search.pending.pop() {
        if search.visit(instruction).is_err() {
            return FollowedData::Any;
        }
    }
    FollowedData::Arguments(search.arguments.into_iter().collect())
}

/// The values of an instruction that decide where it accesses memory and what is executed next.
fn roots(instruction: Value) -> Vec<Value> {
    let operands = instruction.operands();
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            vec![operands[0]]
        }
        Opcode::LLVMStore => vec![operands[1]],
        Opcode::LLVMCall => match intrinsic(instruction) {
            Some(kind) => {
                let operands = operands.into_iter().enumerate();
                let decides = |&(index, operand): &(usize, Value)| match kind {
                    // Address, alignment and mask; not what lanes without an access have.
                    Intrinsic::Load => is_address(operand) || is_mask(operand),
                    Intrinsic::Store => index != STORED,
                    // Addresses, and the number of bytes.
                    Intrinsic::Copy | Intrinsic::Fill => index != 1 || is_address(operand),
                };
                let chosen = operands.filter(decides);
                chosen.map(|(_, operand)| operand).collect()
            }
            None if instruction.is_computing_call() => Vec::new(),
            None => operands,
        },
        _ if instruction.is_terminator() => operands,
        _ => Vec::new(),
    }
}

/// Whether a value is a vector of truth values.
fn is_mask(value: Value) -> bool {
    let ty = value.ty();
    let element = ty.is_vector().then(|| ty.vector_elements().0);
    element.is_some_and(|element| element.is_integer() && element.integer_bits() == 1)
}

/// Something that the search cannot follow.
struct NotFollowed;

struct Search {
    objects: MemoryObjects,
    separate_objects: bool,
    /// What writes memory, with the objects that it may write.
    writers: Vec<(Value, Vec<MemoryObject>)>,
    kept: HashSet<Value>,
    /// Instructions whose operands are to be visited.
    pending: Vec<Value>,
    /// Objects whose contents matter.
    read: HashSet<MemoryObject>,
    /// Those among them that arguments point to, by offset in the argument block in bytes.
    arguments: BTreeSet<u64>,
}

impl Search {
    fn keep_all(&mut self, values: &[Value]) {
        for &value in values {
            if value.is_instruction() && self.kept.insert(value) {
                self.pending.push(value);
            }
        }
    }

    /// Adds what the value of an instruction, or what it writes, depends on.
    fn visit(&mut self, instruction: Value) -> Result<(), NotFollowed> {
        match instruction.opcode() {
            Opcode::LLVMPHI => {
                let incoming = instruction.incoming().into_iter();
                let values: Vec<Value> = incoming.map(|(value, _)| value).collect();
                self.keep_all(&values);
                return Ok(());
            }
            Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                self.reads(instruction.operand(0))?;
            }
            Opcode::LLVMCall => match intrinsic(instruction) {
                Some(Intrinsic::Load) => self.reads(instruction.operand(0))?,
                Some(Intrinsic::Copy) => self.reads(instruction.operand(1))?,
                Some(Intrinsic::Store | Intrinsic::Fill) => {}
                None if instruction.calls(TIMED_TRANSFER) => {
                    self.reads(instruction.operand(SOURCE))?;
                }
                None if instruction.calls(TIMED_WAIT) || instruction.is_computing_call() => {}
                None => return Err(NotFollowed),
            },
            _ => {}
        }
        self.keep_all(&instruction.operands());
        Ok(())
    }

    /// The contents of memory at this address matter, and so does all that writes them.
    fn reads(&mut self, address: Value) -> Result<(), NotFollowed> {
        for object in self.objects.objects_at(address) {
            match object {
                MemoryObject::Global | MemoryObject::Unknown => return Err(NotFollowed),
                MemoryObject::Argument(offset) => {
                    self.arguments.insert(offset);
                }
                _ => {}
            }
            if self.read.insert(object) {
                let writers = self.writers_of(object);
                self.keep_all(&writers);
            }
        }
        Ok(())
    }

    fn writers_of(&self, object: MemoryObject) -> Vec<Value> {
        let is_buffer = |object: MemoryObject| matches!(object, MemoryObject::Argument(_));
        let may_write = |written: &MemoryObject| {
            let is_other = !self.separate_objects && is_buffer(*written) && is_buffer(object);
            is_other || written.overlaps(object)
        };
        let writers = self.writers.iter();
        let writers = writers.filter(|(_, written)| written.iter().any(may_write));
        writers.map(|(writer, _)| *writer).collect()
    }
}
