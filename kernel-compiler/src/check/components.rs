//! Components of vectors in memory. clang reads `v.x` as the whole vector, and writes it by reading the
//! vector, replacing the component and writing the vector. Checks would report accesses of the other
//! components, which the program does not have: races with work-items that write these, and their
//! undefined values. So such accesses become those of the components.

use crate::intrinsics::address_space;
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Value};

/// Narrows the accesses of all functions.
pub fn narrow(module: ModuleRef) {
    let layout = DataLayout::of_module(module);
    for function in ir::functions(module) {
        let b = Builder::new(function.ty().context());
        let all = |opcode| {
            let mut instructions = function.instructions();
            instructions.retain(|instruction| instruction.is(opcode));
            instructions
        };
        for store in all(Opcode::LLVMStore) {
            narrow_store(&b, layout, store);
        }
        for load in all(Opcode::LLVMLoad) {
            narrow_load(&b, layout, load);
        }
    }
}

/// A whole vector in memory that work-items share. The builtin `vload` and its like have less
/// alignment than a vector.
fn is_vector(layout: DataLayout, access: Value, pointer: Value, value: Value) -> bool {
    let (ty, space) = (value.ty(), pointer.ty().address_space());
    if !ty.is_vector() || access.is_volatile() || access.is_atomic() {
        return false;
    }
    let (element, count) = ty.vector_elements();
    let bytes = layout.stored(ty);
    matches!(space, address_space::GLOBAL | address_space::LOCAL)
        && layout.stored(element) * u64::from(count) == bytes
        && u64::from(access.alignment()) >= bytes
}

/// What a store writes into a component.
enum Component {
    /// What memory has there already.
    Kept,
    /// Any value.
    Undefined,
    /// A value.
    Scalar(Value),
    /// The element of a vector.
    Of(Value, u32),
}

/// Follows a component of the vector that is stored.
fn component(store: Value, place: u32) -> Component {
    let (mut vector, mut number) = (store.operand(0), place);
    loop {
        if vector.is_poison() {
            return Component::Undefined;
        }
        if !vector.is_instruction() {
            return Component::Of(vector, number);
        }
        match (vector.opcode(), vector.operands().last()) {
            (Opcode::LLVMInsertElement, Some(index)) => match index.as_integer() {
                Some(index) if index == u64::from(number) => {
                    return Component::Scalar(vector.operand(1));
                }
                Some(_) => vector = vector.operand(0),
                None => return Component::Of(vector, number),
            },
            (Opcode::LLVMShuffleVector, _) => match vector.shuffle_mask()[number as usize] {
                None => return Component::Undefined,
                Some(taken) => {
                    let (_, count) = vector.operand(0).ty().vector_elements();
                    number = taken as u32 % count;
                    vector = vector.operand(taken as u32 / count);
                }
            },
            _ if number == place && is_still_there(vector, store) => return Component::Kept,
            _ => return Component::Of(vector, number),
        }
    }
}

/// Whether a value was loaded from where `store` writes, and nothing may have written there since.
fn is_still_there(value: Value, store: Value) -> bool {
    if !value.is(Opcode::LLVMLoad)
        || value.operand(0) != store.operand(1)
        || value.block() != store.block()
    {
        return false;
    }
    let mut next = value.next_instruction();
    while let Some(instruction) = next.filter(|next| *next != store) {
        let writes = match instruction.opcode() {
            Opcode::LLVMStore
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMFence => true,
            Opcode::LLVMCall => !instruction.is_computing_call(),
            _ => false,
        };
        if writes {
            return false;
        }
        next = instruction.next_instruction();
    }
    next.is_some()
}

fn narrow_store(b: &Builder, layout: DataLayout, store: Value) {
    let (vector, pointer) = (store.operand(0), store.operand(1));
    if !is_vector(layout, store, pointer, vector) {
        return;
    }
    let (element, count) = vector.ty().vector_elements();
    let components: Vec<Component> = (0..count).map(|place| component(store, place)).collect();
    if !components
        .iter()
        .any(|component| matches!(component, Component::Kept))
    {
        return;
    }
    b.before(store);
    b.of_the_line_of(store);
    for (place, component) in (0..).zip(components) {
        let value = match component {
            Component::Kept | Component::Undefined => continue,
            Component::Scalar(value) => value,
            Component::Of(vector, number) => {
                b.extract_element(vector, b.i32().constant(u64::from(number)))
            }
        };
        let address = b.element(element, pointer, b.i64().constant(place));
        b.store(value, address, layout.stored(element) as u32);
    }
    store.erase();
    erase_unused(vector, pointer);
}

/// Erases a vector that only a store through `pointer` used, and what it was made of.
fn erase_unused(value: Value, pointer: Value) {
    let is_unused = value.is_instruction()
        && value.users().is_empty()
        && match value.opcode() {
            Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector => true,
            Opcode::LLVMLoad => value.operand(0) == pointer,
            _ => false,
        };
    if is_unused {
        let operands = value.operands();
        value.erase();
        for operand in operands {
            erase_unused(operand, pointer);
        }
    }
}

/// A vector of which the next instruction takes some components, and no other uses it.
fn narrow_load(b: &Builder, layout: DataLayout, load: Value) {
    let pointer = load.operand(0);
    let [user] = load.users()[..] else {
        return;
    };
    if !is_vector(layout, load, pointer, load) || load.next_instruction() != Some(user) {
        return;
    }
    let (element, count) = load.ty().vector_elements();
    b.before(load);
    b.of_the_line_of(load);
    let part = |number: u64| {
        let address = b.element(element, pointer, b.i64().constant(number));
        b.load(element, address, layout.stored(element) as u32)
    };
    let taken = match user.opcode() {
        Opcode::LLVMExtractElement => match user.operand(1).as_integer() {
            Some(number) if count > 1 => part(number),
            _ => return,
        },
        Opcode::LLVMShuffleVector if user.operand(0) == load && user.operand(1) != load => {
            let mask = user.shuffle_mask();
            let taken = |number: u32| mask.contains(&Some(number as usize));
            let from_other = mask
                .iter()
                .flatten()
                .any(|&number| number >= count as usize);
            if from_other || (0..count).all(taken) {
                return;
            }
            let mut parts = vec![None; count as usize];
            let mut vector = user.ty().poison();
            for (place, number) in (0..).zip(mask) {
                if let Some(number) = number {
                    let value = *parts[number].get_or_insert_with(|| part(number as u64));
                    vector = b.insert_element(vector, value, b.i32().constant(place));
                }
            }
            vector
        }
        _ => return,
    };
    user.replace_all_uses_with(taken);
    user.erase();
    load.erase();
}
