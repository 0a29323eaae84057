//! The objects in memory that addresses of timed code lead to. Unlike
//! `device_cost_model::address::root`, which guesses, it names all objects that are possible.

use crate::analysis::gep;
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, Value};
use host_exec::work_group::WorkGroupContext;
use std::collections::HashSet;
use std::mem::offset_of;
use std::ops::Range;

/// An object, or several that are not distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryObject {
    /// Constants: what no kernel writes.
    Constant,
    /// The argument block, with the offset in bytes if it is known.
    Arguments(Option<u64>),
    /// The group's context, with the offset in bytes if it is known.
    Context(Option<u64>),
    /// The memory of the counters.
    Counters,
    /// A variable on the stack.
    Variable(Value),
    /// A variable that the group shares, by the start of its range in private memory.
    GroupSlot(u64),
    /// Everything else in the group's private memory.
    PrivateMemory,
    /// Local memory.
    Local,
    /// What an argument in global memory points to, by its offset in the argument block in bytes.
    Argument(u64),
    /// Some object in global memory.
    Global,
    /// An object of which nothing is known, but that it is not in global, local or constant memory.
    Unknown,
}

impl MemoryObject {
    /// Whether both may have a byte in common.
    pub fn overlaps(self, other: Self) -> bool {
        let is_private = |object| {
            matches!(
                object,
                Self::Arguments(_) | Self::Variable(_) | Self::GroupSlot(_) | Self::PrivateMemory
            )
        };
        match (self, other) {
            (Self::Context(_), Self::Context(_)) | (Self::Arguments(_), Self::Arguments(_)) => true,
            (Self::Global, object) | (object, Self::Global) => {
                matches!(object, Self::Global | Self::Argument(_))
            }
            (Self::Unknown, object) | (object, Self::Unknown) => {
                object == Self::Unknown || is_private(object)
            }
            _ => self == other,
        }
    }
}

/// Names the objects of a work-group function.
pub struct MemoryObjects {
    layout: DataLayout,
    arguments: Value,
    context: Value,
    group_slots: Vec<Range<u64>>,
}

impl MemoryObjects {
    /// Of a function whose groups share variables in these ranges of their private memory.
    pub fn new(function: Value, group_slots: &[Range<u64>]) -> Self {
        let parameters = function.parameters();
        Self {
            layout: DataLayout::of_function(function),
            arguments: parameters[0],
            context: parameters[1],
            group_slots: group_slots.to_vec(),
        }
    }

    /// The objects that an address, or one of a vector of addresses, may lead to.
    pub fn objects_at(&self, address: Value) -> Vec<MemoryObject> {
        let mut found = Vec::new();
        self.follow(address, Some(0), &mut HashSet::new(), &mut found);
        found
    }

    /// Follows an address to its objects; `offset` is the distance in bytes between both, if known.
    fn follow(
        &self,
        address: Value,
        offset: Option<i64>,
        seen: &mut HashSet<Value>,
        found: &mut Vec<MemoryObject>,
    ) {
        let ty = address.ty().scalar();
        let mut is = |object| {
            if !found.contains(&object) {
                found.push(object);
            }
        };
        if !ty.is_pointer() {
            return is(MemoryObject::Unknown);
        }
        let otherwise = match ty.address_space() {
            address_space::PRIVATE => MemoryObject::Unknown,
            address_space::CONSTANT => return is(MemoryObject::Constant),
            address_space::LOCAL => return is(MemoryObject::Local),
            _ => MemoryObject::Global,
        };
        let known_offset = offset.and_then(|offset| u64::try_from(offset).ok());
        if address == self.arguments {
            return is(MemoryObject::Arguments(known_offset));
        }
        if address == self.context {
            return is(MemoryObject::Context(known_offset));
        }
        if address.is_constant_variable() {
            return is(MemoryObject::Constant);
        }
        if address.is_constant_expression() {
            return self.follow(address.operand(0), None, seen, found);
        }
        if !address.is_instruction() {
            // Nothing is at a null pointer.
            if !address.is_constant() {
                is(otherwise);
            }
            return;
        }
        match address.opcode() {
            Opcode::LLVMAlloca => is(MemoryObject::Variable(address)),
            Opcode::LLVMGetElementPtr => {
                let own = gep::constant_offset(address, self.layout);
                let sum = offset.zip(own).and_then(|(a, b)| a.checked_add(b));
                self.follow(address.operand(0), sum, seen, found);
            }
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => {
                self.follow(address.operand(0), offset, seen, found);
            }
            Opcode::LLVMPHI
            | Opcode::LLVMSelect
            | Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector => {
                if seen.insert(address) {
                    for source in sources(address) {
                        self.follow(source, None, seen, found);
                    }
                }
            }
            Opcode::LLVMIntToPtr => {
                let before = found.len();
                for pointer in converted_pointers(address.operand(0)) {
                    self.follow(pointer, None, seen, found);
                }
                if found.len() == before {
                    found.push(otherwise);
                }
            }
            Opcode::LLVMLoad => is(self.pointed_to(address, known_offset).unwrap_or(otherwise)),
            _ => is(otherwise),
        }
    }

    /// What a pointer that is loaded leads to, `offset` bytes after it, if that is known.
    fn pointed_to(&self, load: Value, offset: Option<u64>) -> Option<MemoryObject> {
        let field = match self.objects_at(load.operand(0))[..] {
            [MemoryObject::Context(Some(field))] => field as usize,
            [MemoryObject::Arguments(Some(argument))]
                if load.ty().is_pointer() && load.ty().address_space() == address_space::GLOBAL =>
            {
                return Some(MemoryObject::Argument(argument));
            }
            _ => return None,
        };
        if field == offset_of!(WorkGroupContext, counters) {
            Some(MemoryObject::Counters)
        } else if field == offset_of!(WorkGroupContext, local_memory) {
            Some(MemoryObject::Local)
        } else if field == offset_of!(WorkGroupContext, private_memory) {
            let mut slots = self.group_slots.iter();
            let slot = slots.find(|slot| offset.is_some_and(|offset| slot.contains(&offset)));
            Some(slot.map_or(MemoryObject::PrivateMemory, |slot| {
                MemoryObject::GroupSlot(slot.start)
            }))
        } else {
            None
        }
    }
}

/// The addresses that an instruction chooses from or puts together.
fn sources(instruction: Value) -> Vec<Value> {
    match instruction.opcode() {
        Opcode::LLVMPHI => {
            let incoming = instruction.incoming().into_iter();
            incoming.map(|(value, _)| value).collect()
        }
        Opcode::LLVMSelect => vec![instruction.operand(1), instruction.operand(2)],
        Opcode::LLVMExtractElement => vec![instruction.operand(0)],
        _ => {
            let operands = [instruction.operand(0), instruction.operand(1)];
            let operands = operands.into_iter().filter(|operand| !operand.is_poison());
            operands.collect()
        }
    }
}

/// Operations followed from an integer to the pointers that it is computed from.
const MAX_STEPS: usize = 64;

/// The pointers that an integer is computed from: builtin functions convert those that they pass to
/// DMA transfers.
fn converted_pointers(integer: Value) -> Vec<Value> {
    let (mut pending, mut seen) = (vec![integer], HashSet::new());
    let mut pointers = Vec::new();
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || seen.len() == MAX_STEPS || !seen.insert(value) {
            continue;
        }
        match value.opcode() {
            Opcode::LLVMPtrToInt => pointers.push(value.operand(0)),
            Opcode::LLVMPHI | Opcode::LLVMSelect => pending.extend(sources(value)),
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMOr => pending.extend(value.operands()),
            _ => {}
        }
    }
    pointers
}
