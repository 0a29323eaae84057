//! Addresses of AM and SM that programs write as numbers. On the machine each array has its memories at the same
//! addresses, on the host each has its own: code computes what such an address is for its thread. Code of images
//! without such numbers is left as it is.

use crate::intrinsics::{AM_ADDRESS, ARRAY_POINTER, SM_ADDRESS};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};

/// Where an array has AM and SM on the machine, and their bytes.
const AM: (u64, u64) = (0x4_0000_0000, 768 << 10);
const SM: (u64, u64) = (0x4_0010_0000, 64 << 10);

/// A memory of an array, and an offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayAddress {
    /// In AM.
    Am(u64),
    /// In SM.
    Sm(u64),
}

impl ArrayAddress {
    /// What the machine has at an address; the end of a memory belongs to it, since loops compare with it.
    #[inline]
    pub fn of(address: u64) -> Option<Self> {
        let within = |(start, bytes): (u64, u64)| {
            let offset = address.checked_sub(start)?;
            (offset <= bytes).then_some(offset)
        };
        within(AM)
            .map(Self::Am)
            .or_else(|| within(SM).map(Self::Sm))
    }
}

/// Lets pointers that a module makes of numbers lead to the memories of the thread's array.
pub fn insert(module: ModuleRef) {
    let functions = ir::functions(module).into_iter();
    let functions: Vec<Value> = functions.filter(|one| !one.is_declaration()).collect();
    let layout = DataLayout::of_module(module);
    let is_literal = |value: Value| number(value).or_else(|| address(value, layout)).is_some();
    let mut values = functions
        .iter()
        .flat_map(|function| function.instructions())
        .flat_map(Value::operands)
        .chain(
            ir::globals(module)
                .into_iter()
                .filter_map(Value::initializer),
        );
    if !values.any(is_literal) {
        return;
    }
    for function in functions {
        for instruction in function.instructions() {
            replace_operands(module, instruction, layout);
            if makes_pointer(instruction, layout) {
                adapt_result(module, instruction);
            }
        }
    }
}

/// The memory that a constant number is an address of.
fn number(value: Value) -> Option<ArrayAddress> {
    let ty = value.ty();
    let is_word = ty.is_integer() && ty.integer_bits() == 64;
    let number = is_word.then(|| value.as_integer())??;
    ArrayAddress::of(number)
}

/// The memory that a constant pointer leads to.
fn address(value: Value, layout: DataLayout) -> Option<ArrayAddress> {
    ArrayAddress::of(constant_address(value, layout)?)
}

fn constant_address(value: Value, layout: DataLayout) -> Option<u64> {
    if !value.is_constant_expression() {
        return None;
    }
    match value.operation() {
        Opcode::LLVMIntToPtr => value.operand(0).as_integer(),
        Opcode::LLVMGetElementPtr => {
            let base = constant_address(value.operand(0), layout)?;
            Some(base.wrapping_add(value.constant_offset(layout)?))
        }
        _ => None,
    }
}

/// Lets an instruction use the thread's addresses in place of constant pointers.
fn replace_operands(module: ModuleRef, instruction: Value, layout: DataLayout) {
    let b = Builder::new(instruction.ty().context());
    for (number, operand) in (0u32..).zip(instruction.operands()) {
        let Some(address) = address(operand, layout) else {
            continue;
        };
        match instruction.is(Opcode::LLVMPHI) {
            true => {
                let incoming = instruction.incoming();
                let Some((_, block)) = incoming.get(number as usize) else {
                    continue;
                };
                b.before(block.terminator());
            }
            false => b.before(instruction),
        }
        let (name, offset) = match address {
            ArrayAddress::Am(offset) => (AM_ADDRESS, offset),
            ArrayAddress::Sm(offset) => (SM_ADDRESS, offset),
        };
        let query = query(module, name, b.i64());
        let pointer = b.call(query, &[b.i64().constant(offset)]);
        instruction.set_operand(number, pointer);
    }
}

/// Whether an instruction makes a pointer of a number that is not known, or loads a variable that begins with one.
fn makes_pointer(instruction: Value, layout: DataLayout) -> bool {
    let is_pointer = instruction.ty().is_pointer();
    let loads_address = || {
        let initializer = instruction.operand(0).initializer();
        initializer.is_some_and(|value| address(value, layout).is_some())
    };
    is_pointer
        && match instruction.opcode() {
            Opcode::LLVMIntToPtr => true,
            Opcode::LLVMLoad => instruction.operand(0).is_global_variable() && loads_address(),
            _ => false,
        }
}

/// Lets the users of a pointer have the thread's address.
fn adapt_result(module: ModuleRef, instruction: Value) {
    let Some(next) = instruction.next_instruction() else {
        return;
    };
    let pointer = instruction.ty();
    let b = Builder::new(pointer.context());
    b.before(next);
    let copy = instruction.clone_instruction();
    b.insert(copy);
    let adapted = of_thread(module, &b, copy);
    instruction.replace_all_uses_with(adapted);
    instruction.erase();
}

/// A pointer with the thread's address in place of the machine's.
pub fn of_thread(module: ModuleRef, b: &Builder, pointer: Value) -> Value {
    b.call(query(module, ARRAY_POINTER, pointer.ty()), &[pointer])
}

/// A function of the platform that gives a pointer for a value of a type.
fn query(module: ModuleRef, name: &str, ty: Type) -> Value {
    ir::function(module, name).unwrap_or_else(|| {
        let ty = Type::function(Type::pointer(ty.context(), 0), &[ty]);
        ir::add_query(module, name, ty)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_the_machine() {
        assert_eq!(ArrayAddress::of(0x4_0000_0000), Some(ArrayAddress::Am(0)));
        assert_eq!(
            ArrayAddress::of(0x4_000C_0000),
            Some(ArrayAddress::Am(768 << 10))
        );
        assert_eq!(ArrayAddress::of(0x4_000C_0001), None);
        assert_eq!(
            ArrayAddress::of(0x4_0010_0400),
            Some(ArrayAddress::Sm(1024))
        );
        assert_eq!(ArrayAddress::of(0x4_0011_0001), None);
        assert_eq!(ArrayAddress::of(0), None);
    }
}
