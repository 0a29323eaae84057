//! All objects that a pointer of device C may be derived from. Programs keep the buffers of which they
//! use one after the other in arrays, so that pointers loaded from variables count, too.

use super::address::{Root, root_of_object};
use crate::analysis::gep;
use crate::ir::{DataLayout, Opcode, Value};

/// Most values that are followed from a pointer.
const MAX_VALUES: usize = 256;

/// The objects; `None` if there may be others. Null pointers have none.
pub fn sources(pointer: Value, layout: DataLayout) -> Option<Vec<Root>> {
    let mut values = vec![pointer];
    let mut roots = Vec::new();
    let mut next = 0;
    while let Some(value) = values.get(next).copied() {
        next += 1;
        if values.len() > MAX_VALUES {
            return None;
        }
        for value in before(value, layout, &mut roots)? {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    Some(roots)
}

/// The pointers that a pointer is derived from. If it is derived from none, its object is added.
fn before(value: Value, layout: DataLayout, roots: &mut Vec<Root>) -> Option<Vec<Value>> {
    if value.is_instruction() {
        match value.opcode() {
            Opcode::LLVMGetElementPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMFreeze
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMPtrToInt => return Some(vec![value.operand(0)]),
            Opcode::LLVMSelect => return Some(vec![value.operand(1), value.operand(2)]),
            Opcode::LLVMPHI => {
                let incoming = value.incoming().into_iter();
                return Some(incoming.map(|(value, _)| value).collect());
            }
            Opcode::LLVMLoad => return loaded(value, layout),
            _ => (),
        }
    } else if value.is_constant() && !value.is_global_variable() && !value.is_constant_expression()
    {
        return Some(Vec::new());
    }
    match root_of_object(value, layout) {
        Root::Other => None,
        root => {
            roots.push(root);
            Some(Vec::new())
        }
    }
}

/// What a load may give: all that the program stores in the variable.
fn loaded(load: Value, layout: DataLayout) -> Option<Vec<Value>> {
    let (mut variable, mut offset) = (load.operand(0), Some(0));
    while variable.is_instruction() && variable.is(Opcode::LLVMGetElementPtr) {
        offset = add(offset, gep::constant_offset(variable, layout));
        variable = variable.operand(0);
    }
    let is_own = variable.is_instruction() && variable.is(Opcode::LLVMAlloca);
    let is_static = variable.is_global_variable() && variable.is_local();
    (is_own || is_static)
        .then(|| stored(variable, offset, layout))
        .flatten()
}

/// What is stored in a variable at an offset, or anywhere if that is not known; `None` if its address
/// is used otherwise.
fn stored(variable: Value, offset: Option<i64>, layout: DataLayout) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    let mut places = vec![(variable, Some(0))];
    while let Some((place, at)) = places.pop() {
        for user in place.users() {
            if !user.is_instruction() {
                places.push((user, None));
                continue;
            }
            match user.opcode() {
                Opcode::LLVMGetElementPtr if user.operand(0) == place => {
                    places.push((user, add(at, gep::constant_offset(user, layout))));
                }
                Opcode::LLVMLoad | Opcode::LLVMICmp => (),
                Opcode::LLVMStore if user.operand(0) != place => {
                    if at.is_none() || offset.is_none() || at == offset {
                        values.push(user.operand(0));
                    }
                }
                Opcode::LLVMCall if is_harmless(user) => (),
                _ => return None,
            }
        }
    }
    Some(values)
}

/// Whether a call stores no pointer in what it gets.
fn is_harmless(call: Value) -> bool {
    call.called_function().is_some_and(|function| {
        let name = function.name();
        ["llvm.lifetime.", "llvm.memset.", "llvm.dbg."]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    })
}

fn add(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}
