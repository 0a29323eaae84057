//! What lives across a cut: values that a region uses but another one made, and
//! private arrays that several regions use.

use super::region::Regions;
use super::uniformity::only_computes;
use crate::intrinsics::Query;
use crate::ir::{Block, Builder, DataLayout, Opcode, Type, Value};
use llvm_sys::prelude::LLVMModuleRef;
use std::collections::{HashMap, HashSet};

/// A value across a cut is made again instead of kept if that takes no more
/// instructions than this.
const REMATERIALISATION_LIMIT: usize = 8;

/// Private arrays from this size on are not put on the host thread's stack.
const STACK_LIMIT: u64 = 16 * 1024;

/// A place of each work-item for a value that lives across a cut.
pub struct Slot {
    /// Stands for the place in the kernel; each region gets its own copy of it,
    /// which becomes a register.
    pub alloca: Value,
    /// Type of the value.
    pub ty: Type,
}

/// Where a private array of the kernel goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The stack of the host thread: used within one region only.
    Stack,
    /// One place in the group's private memory, as `Stack` but large.
    Group,
    /// A place for each work-item in the group's private memory.
    WorkItem,
}

/// A private array.
pub struct PrivateArray {
    /// Its alloca in the kernel.
    pub alloca: Value,
    /// Where it goes.
    pub home: Home,
    /// Bytes.
    pub size: u64,
    /// Alignment, bytes.
    pub alignment: u32,
}

/// A use of a value: the instruction, the operand, and the block from whose point
/// of view it happens (for a φ: where control comes from).
struct Use {
    user: Value,
    operand: usize,
    block: Block,
}

fn uses(value: Value) -> Vec<Use> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for user in value.users() {
        if !user.is_instruction() || !seen.insert(user) {
            continue;
        }
        if user.opcode() == Opcode::LLVMPHI {
            for (operand, (incoming, block)) in user.incoming().into_iter().enumerate() {
                if incoming == value {
                    found.push(Use {
                        user,
                        operand,
                        block,
                    });
                }
            }
        } else {
            for (operand, used) in user.operands().into_iter().enumerate() {
                if used == value {
                    found.push(Use {
                        user,
                        operand,
                        block: user.block(),
                    });
                }
            }
        }
    }
    found
}

fn crossing_uses(value: Value, regions: &Regions) -> Vec<Use> {
    let definition = value.block();
    let mut found = uses(value);
    found.retain(|used| used.block != definition && regions.crosses(definition, used.block));
    found
}

fn candidates(kernel: Value) -> Vec<Value> {
    let mut values = kernel.instructions();
    values.retain(|value| !value.ty().is_void() && value.opcode() != Opcode::LLVMAlloca);
    values
}

/// Makes values that are cheap functions of arguments and work-item queries again
/// where they are used across a cut.
pub fn rematerialise(kernel: Value, regions: &Regions) {
    if regions.regions.len() == 1 {
        return;
    }
    let builder = Builder::new(kernel.ty().context());
    let mut copies: HashMap<(Block, Value), Value> = HashMap::new();
    for value in candidates(kernel) {
        if cost(value) > REMATERIALISATION_LIMIT {
            continue;
        }
        for used in crossing_uses(value, regions) {
            let copy = copy_into(&builder, used.block, value, &mut copies);
            used.user.set_operand(used.operand as u32, copy);
        }
    }
}

/// Instructions needed to make a value from what is always at hand; over the limit
/// if that cannot be done.
fn cost(value: Value) -> usize {
    if !value.is_instruction() {
        return 0;
    }
    let own = match value.opcode() {
        Opcode::LLVMCall => match value.called_function().map(|f| Query::of(&f.name())) {
            Some(Some(_)) => return 1,
            _ => return REMATERIALISATION_LIMIT + 1,
        },
        opcode if only_computes(opcode) => 1,
        _ => return REMATERIALISATION_LIMIT + 1,
    };
    let mut total = own;
    for operand in value.operands() {
        if total > REMATERIALISATION_LIMIT {
            break;
        }
        total += cost(operand);
    }
    total
}

fn copy_into(
    builder: &Builder,
    block: Block,
    value: Value,
    copies: &mut HashMap<(Block, Value), Value>,
) -> Value {
    if !value.is_instruction() {
        return value;
    }
    if let Some(&copy) = copies.get(&(block, value)) {
        return copy;
    }
    let copy = value.clone_instruction();
    // Operands first, so that they stand before the copy.
    for (index, operand) in value.operands().into_iter().enumerate() {
        if operand.is_instruction() {
            let operand = copy_into(builder, block, operand, copies);
            copy.set_operand(index as u32, operand);
        }
    }
    builder.before(insertion_point(block, copies));
    builder.insert(copy);
    copies.insert((block, value), copy);
    copy
}

/// After the φs and the copies made before, so that each copy follows its operands.
fn insertion_point(block: Block, copies: &HashMap<(Block, Value), Value>) -> Value {
    let made: HashSet<Value> = copies
        .iter()
        .filter(|((of, _), _)| *of == block)
        .map(|(_, copy)| *copy)
        .collect();
    block
        .instructions()
        .into_iter()
        .find(|i| i.opcode() != Opcode::LLVMPHI && !made.contains(i))
        .expect("a block ends in a terminator")
}

/// Puts values that live across a cut into slots: stored where they are made,
/// loaded where they are used.
pub fn demote(kernel: Value, regions: &Regions) -> Vec<Slot> {
    let mut slots = Vec::new();
    if regions.regions.len() == 1 {
        return slots;
    }
    let builder = Builder::new(kernel.ty().context());
    for value in candidates(kernel) {
        if crossing_uses(value, regions).is_empty() {
            continue;
        }
        let ty = value.ty();
        builder.before(kernel.entry_block().instructions()[0]);
        let alloca = builder.alloca(ty, "across");
        let definition = value.block();
        let alignment = alloca.alignment();
        for used in uses(value) {
            if used.block == definition {
                continue;
            }
            let before = if used.user.opcode() == Opcode::LLVMPHI {
                used.block.terminator()
            } else {
                used.user
            };
            builder.before(before);
            let load = builder.load(ty, alloca, alignment);
            used.user.set_operand(used.operand as u32, load);
        }
        builder.before(if value.opcode() == Opcode::LLVMPHI {
            definition.first_after_phis()
        } else {
            value
                .next_instruction()
                .expect("the value is no terminator")
        });
        builder.store(value, alloca, alignment);
        slots.push(Slot { alloca, ty });
    }
    slots
}

/// The private arrays of the kernel, slots apart, and where each goes. Those `shared`
/// are the group's.
pub fn private_arrays(
    module: LLVMModuleRef,
    kernel: Value,
    regions: &Regions,
    slots: &[Slot],
    shared: &HashSet<Value>,
) -> Vec<PrivateArray> {
    let layout = DataLayout::of(module);
    let slots: HashSet<Value> = slots.iter().map(|slot| slot.alloca).collect();
    let mut arrays = Vec::new();
    for alloca in kernel.instructions() {
        if alloca.opcode() != Opcode::LLVMAlloca || slots.contains(&alloca) {
            continue;
        }
        let ty = alloca.allocated_type();
        let count = alloca.operand(0).as_integer().unwrap_or(1);
        let size = layout.size(ty) * count;
        let home = if shared.contains(&alloca) {
            Home::Stack
        } else if regions.regions.len() > 1 && used_by_several_regions(alloca, regions) {
            Home::WorkItem
        } else if size >= STACK_LIMIT {
            Home::Group
        } else {
            Home::Stack
        };
        arrays.push(PrivateArray {
            alloca,
            home,
            size,
            alignment: alloca.alignment(),
        });
    }
    arrays
}

/// Follows all pointers derived from an alloca. One that is stored or passed on may
/// be used anywhere.
fn used_by_several_regions(alloca: Value, regions: &Regions) -> bool {
    let mut holding: HashSet<usize> = HashSet::new();
    let mut pending = vec![alloca];
    let mut seen = HashSet::from([alloca]);
    while let Some(pointer) = pending.pop() {
        for used in uses(pointer) {
            holding.extend(regions.containing(used.user.block()));
            holding.extend(regions.containing(used.block));
            match used.user.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMICmp => {}
                Opcode::LLVMStore if used.operand == 1 => {}
                Opcode::LLVMCall
                    if used
                        .user
                        .called_function()
                        .is_some_and(|f| f.name().starts_with("llvm.mem")) => {}
                Opcode::LLVMGetElementPtr
                | Opcode::LLVMBitCast
                | Opcode::LLVMAddrSpaceCast
                | Opcode::LLVMPHI
                | Opcode::LLVMSelect => {
                    if seen.insert(used.user) {
                        pending.push(used.user);
                    }
                }
                _ => return true,
            }
        }
    }
    holding.len() > 1
}
