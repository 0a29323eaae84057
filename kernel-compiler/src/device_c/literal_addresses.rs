//! Addresses of AM, SM and GSM that programs write as numbers. On the machine each array has its memories at the same
//! addresses, and each cluster its GSM; on the host each has its own: code computes what such an address is for its
//! thread. Code of images without such numbers, that makes no pointers of others, is left as it is.

use super::gsm::GSM_BYTES;
use crate::intrinsics::{AM_ADDRESS, CORE_POINTER, SM_ADDRESS, THREAD_POINTER};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use llvm_sys::{LLVMIntPredicate, LLVMLinkage};

/// Where an array has AM and SM on the machine, and their bytes.
const AM: (u64, u64) = (0x4_0000_0000, 768 << 10);
const SM: (u64, u64) = (0x4_0010_0000, 64 << 10);

/// A memory, and an offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineAddress {
    /// In AM.
    Am(u64),
    /// In SM.
    Sm(u64),
    /// In GSM.
    Gsm(u64),
}

impl MachineAddress {
    /// What the machine has at an address; the end of a memory belongs to it, since loops compare with it. GSM begins
    /// at 0, which is no address of it here, but the null pointer.
    #[inline]
    pub fn of(address: u64) -> Option<Self> {
        let is_in_gsm = (1..=GSM_BYTES).contains(&address);
        is_in_gsm
            .then_some(Self::Gsm(address))
            .or_else(|| Self::in_core(address))
    }

    /// The same of the memories of an array.
    #[inline]
    fn in_core(address: u64) -> Option<Self> {
        let within = |(start, bytes): (u64, u64)| {
            let offset = address.checked_sub(start)?;
            (offset <= bytes).then_some(offset)
        };
        within(AM)
            .map(Self::Am)
            .or_else(|| within(SM).map(Self::Sm))
    }
}

/// Lets pointers that a module makes of numbers lead to GSM, which starts there, and to the memories of the thread's
/// array.
pub fn insert(module: ModuleRef, gsm: Option<Value>) {
    let functions = ir::functions(module).into_iter();
    let functions: Vec<Value> = functions.filter(|one| !one.is_declaration()).collect();
    let layout = DataLayout::of_module(module);
    let is_literal = |value: Value| number(value).or_else(|| address(value, layout)).is_some();
    let mut values = functions
        .iter()
        .flat_map(|function| function.instructions())
        .flat_map(|instruction| std::iter::once(instruction).chain(instruction.operands()))
        .chain(
            ir::globals(module)
                .into_iter()
                .filter_map(Value::initializer),
        );
    let is_conversion = |one: Value| one.is_instruction() && one.is(Opcode::LLVMIntToPtr);
    if !values.any(|value| is_literal(value) || is_conversion(value)) {
        return;
    }
    for function in functions {
        for instruction in function.instructions() {
            replace_operands(module, instruction, layout, gsm);
            if makes_pointer(instruction, layout) {
                adapt_result(module, instruction);
            }
        }
    }
}

/// The memory of an array that a constant number is an address of.
fn number(value: Value) -> Option<MachineAddress> {
    let ty = value.ty();
    let is_word = ty.is_integer() && ty.integer_bits() == 64;
    let number = is_word.then(|| value.as_integer())??;
    MachineAddress::in_core(number)
}

/// The memory that a constant pointer leads to.
fn address(value: Value, layout: DataLayout) -> Option<MachineAddress> {
    MachineAddress::of(constant_address(value, layout)?)
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
fn replace_operands(module: ModuleRef, instruction: Value, layout: DataLayout, gsm: Option<Value>) {
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
        let call = |name, offset| b.call(query(module, name, b.i64()), &[b.i64().constant(offset)]);
        let pointer = match address {
            MachineAddress::Am(offset) => call(AM_ADDRESS, offset),
            MachineAddress::Sm(offset) => call(SM_ADDRESS, offset),
            MachineAddress::Gsm(offset) => match gsm {
                Some(start) => b.offset(start, b.i64().constant(offset)),
                None => continue,
            },
        };
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

/// Defines the function that gives the thread's address in place of one of the machine, if the module calls it. It is
/// part of the code that calls it, since loops may.
pub fn define(module: ModuleRef, gsm: Option<Value>) {
    let (Some(function), Some(gsm)) = (ir::function(module, THREAD_POINTER), gsm) else {
        return;
    };
    let pointer = function.parameters()[0];
    let b = Builder::new(pointer.ty().context());
    let [start, core, other] = ["start", "core", "other"].map(|name| function.append_block(name));
    b.at_end(start);
    let address = b.cast(Opcode::LLVMPtrToInt, pointer, b.i64());
    let from = |start: u64| b.add(address, b.i64().constant(start.wrapping_neg()));
    let is_within = |start, bytes| {
        let offset = from(start);
        b.compare(
            LLVMIntPredicate::LLVMIntULE,
            offset,
            b.i64().constant(bytes),
        )
    };
    let is_in_gsm = is_within(1, GSM_BYTES - 1);
    b.branch_if(is_within(AM.0, SM.0 + SM.1 - AM.0), core, other);
    b.at_end(core);
    b.return_value(b.call(query(module, CORE_POINTER, pointer.ty()), &[pointer]));
    b.at_end(other);
    b.return_value(b.select(is_in_gsm, b.offset(gsm, address), pointer));
    function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    function.add_attribute("alwaysinline");
}

/// A pointer with the thread's address in place of the machine's.
pub fn of_thread(module: ModuleRef, b: &Builder, pointer: Value) -> Value {
    b.call(query(module, THREAD_POINTER, pointer.ty()), &[pointer])
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
        assert_eq!(
            MachineAddress::of(0x4_0000_0000),
            Some(MachineAddress::Am(0))
        );
        assert_eq!(
            MachineAddress::of(0x4_000C_0000),
            Some(MachineAddress::Am(768 << 10))
        );
        assert_eq!(MachineAddress::of(0x4_000C_0001), None);
        assert_eq!(
            MachineAddress::of(0x4_0010_0400),
            Some(MachineAddress::Sm(1024))
        );
        assert_eq!(MachineAddress::of(0x4_0011_0001), None);
        assert_eq!(MachineAddress::of(8), Some(MachineAddress::Gsm(8)));
        assert_eq!(
            MachineAddress::of(6 << 20),
            Some(MachineAddress::Gsm(6 << 20))
        );
        assert_eq!(MachineAddress::of((6 << 20) + 1), None);
        assert_eq!(MachineAddress::of(0), None);
    }
}
