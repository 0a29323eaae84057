//! The data that addresses and branches of timed code depend on, backwards from these. With other
//! data the code might access memory outside of its objects, or never end.

use super::accesses::{Intrinsic, SOURCE, intrinsic, is_address};
use super::backward_search::{BackwardSearch, KnownMemory};
use super::memory_objects::MemoryObject;
use crate::ir::{Opcode, Value};
use crate::passes::instrumentation::{TIMED_TRANSFER, TIMED_WAIT};
use device_sim::timing::cost::FollowedData;
use std::collections::BTreeSet;

/// The first argument of a masked store or scatter is what it stores.
const STORED: usize = 0;

/// What addresses and branches of instrumented code depend on.
pub fn find(function: Value, memory: KnownMemory<'_>) -> FollowedData {
    let mut search = Search {
        found: BackwardSearch::new(function, memory),
        arguments: BTreeSet::new(),
    };
    for instruction in function.instructions() {
        search.found.find_all(roots(instruction));
    }
    while let Some(instruction) = search.found.next() {
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
    found: BackwardSearch,
    /// Arguments whose objects' contents matter, by offset in the argument block in bytes.
    arguments: BTreeSet<u64>,
}

impl Search {
    /// Adds what the value of an instruction, or what it writes, depends on.
    fn visit(&mut self, instruction: Value) -> Result<(), NotFollowed> {
        match instruction.opcode() {
            Opcode::LLVMPHI => {
                let incoming = instruction.incoming().into_iter();
                self.found.find_all(incoming.map(|(value, _)| value));
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
        self.found.find_all(instruction.operands());
        Ok(())
    }

    /// The contents of memory at this address matter, and so does all that writes them.
    fn reads(&mut self, address: Value) -> Result<(), NotFollowed> {
        for object in self.found.objects.objects_at(address) {
            match object {
                MemoryObject::Global | MemoryObject::Unknown => return Err(NotFollowed),
                MemoryObject::Argument(offset) => {
                    self.arguments.insert(offset);
                }
                _ => {}
            }
            let writers = self.found.writers_at_first_read(object);
            self.found.find_all(writers.unwrap_or_default());
        }
        Ok(())
    }
}
