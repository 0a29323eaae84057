//! Which conditions are widened, and to elements of which size.

use crate::ir::{DataLayout, Opcode, Type, Value};
use std::collections::{HashMap, HashSet};

/// The operations whose conditions are widened, with the types of the wide ones.
pub struct Groups {
    /// In the function's order.
    operations: Vec<Value>,
    wide_types: HashMap<Value, Type>,
}

impl Groups {
    /// Groups of operations that take conditions from each other: all have elements of one size.
    pub fn find(function: Value, layout: DataLayout, register_bits: u32) -> Self {
        let instructions = function.instructions().into_iter();
        let operations: Vec<Value> = instructions.filter(|of| is_operation(*of)).collect();
        let mut wide_types = HashMap::new();
        let mut seen = HashSet::new();
        for operation in &operations {
            if !seen.insert(*operation) {
                continue;
            }
            let mut group = vec![*operation];
            let mut comparisons = Vec::new();
            let mut at = 0;
            while let Some(&member) = group.get(at) {
                at += 1;
                let near = member.operands().into_iter().chain(member.users());
                for other in near.filter(|of| of.is_instruction() && of.ty() == member.ty()) {
                    if !is_operation(other) {
                        comparisons.push(other);
                    } else if seen.insert(other) {
                        group.push(other);
                    }
                }
            }
            let users: Vec<Value> = group.iter().flat_map(|of| of.users()).collect();
            if let Some(ty) = wide_type(&comparisons, &users, layout, register_bits) {
                wide_types.extend(group.into_iter().map(|of| (of, ty)));
            }
        }
        Self {
            operations,
            wide_types,
        }
    }

    pub fn operations(&self) -> impl Iterator<Item = Value> {
        let operations = self.operations.iter().copied();
        operations.filter(|of| self.wide_types.contains_key(of))
    }

    /// The type of an operation's wide condition; none if that is not widened.
    pub fn wide_type_of(&self, operation: Value) -> Option<Type> {
        self.wide_types.get(&operation).copied()
    }
}

/// The type of the wide conditions of comparisons, whose elements have the smallest of the sizes that are compared and chosen;
/// none if one register holds what is compared, or mostly what is chosen: the back end's vectors of bytes suit that.
pub fn wide_type(
    comparisons: &[Value],
    users: &[Value],
    layout: DataLayout,
    register_bits: u32,
) -> Option<Type> {
    let bits = |ty: Type| {
        let (element, lanes) = ty.vector_elements();
        8 * layout.size(element) as u32 * lanes
    };
    let is_wide = |bits: &u32| *bits > register_bits;
    let compared = comparisons.iter().filter(|of| is_comparison(**of));
    let compared = compared.map(|of| bits(of.operand(0).ty()));
    let compared = compared.filter(is_wide).min()?;
    let chosen = users.iter().filter_map(|user| chosen(*user)).map(bits);
    let (wide, narrow): (Vec<u32>, Vec<u32>) = chosen.partition(is_wide);
    if wide.len() < narrow.len() {
        return None;
    }
    let smallest = wide.into_iter().chain([compared]).min()?;
    // OpenCL vectors of three components would leave a part of a register.
    if !smallest.is_multiple_of(register_bits) {
        return None;
    }
    let condition = comparisons[0].ty();
    let (bit, lanes) = condition.vector_elements();
    let element = Type::integer(bit.context(), smallest / lanes);
    Some(element.vector(lanes))
}

/// The type of the vectors whose elements an instruction chooses by a condition; none if it chooses nothing, or conditions.
fn chosen(user: Value) -> Option<Type> {
    let ty = match user.opcode() {
        Opcode::LLVMSelect | Opcode::LLVMZExt | Opcode::LLVMSExt => user.ty(),
        Opcode::LLVMCall if user.ty().is_vector() => user.ty(),
        Opcode::LLVMCall => user.operand(0).ty(),
        _ => return None,
    };
    (ty.is_vector() && !is_of_conditions(user)).then_some(ty)
}

/// Whether an instruction makes conditions of all lanes of others.
pub fn is_operation(instruction: Value) -> bool {
    is_of_conditions(instruction)
        && matches!(
            instruction.opcode(),
            Opcode::LLVMAnd
                | Opcode::LLVMOr
                | Opcode::LLVMXor
                | Opcode::LLVMSelect
                | Opcode::LLVMFreeze
                | Opcode::LLVMPHI
        )
}

/// Whether an instruction compares elements of all lanes.
pub fn is_comparison(instruction: Value) -> bool {
    is_of_conditions(instruction)
        && matches!(instruction.opcode(), Opcode::LLVMICmp | Opcode::LLVMFCmp)
}

fn is_of_conditions(instruction: Value) -> bool {
    let ty = instruction.ty();
    ty.is_vector() && ty.scalar().is_integer() && ty.scalar().integer_bits() == 1
}
