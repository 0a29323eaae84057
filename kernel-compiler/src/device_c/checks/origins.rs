//! Where a pointer begins: what it is before address arithmetic. What it leads into is known when the
//! code runs, except for variables.

use crate::check::provenance::{source, sources};
use crate::ir::{Builder, DataLayout, Opcode, Value};
use std::collections::{HashMap, HashSet};
use std::ops::Not;

/// Finds the origins of pointers of one function.
pub struct Origins {
    layout: DataLayout,
    /// Origins of φs and selects of several, as pointers.
    merged: HashMap<Value, Value>,
    escaping: HashMap<Value, bool>,
}

impl Origins {
    pub fn new(layout: DataLayout) -> Self {
        Self {
            layout,
            merged: HashMap::new(),
            escaping: HashMap::new(),
        }
    }

    /// The origin of a pointer, which dominates the pointer; made if there are several.
    pub fn of(&mut self, b: &Builder, pointer: Value) -> Value {
        if let Some(known) = self.merged.get(&pointer) {
            return *known;
        }
        if let &[origin] = all(pointer).as_slice() {
            return origin;
        }
        match pointer.opcode() {
            Opcode::LLVMPHI => self.of_phi(b, pointer),
            Opcode::LLVMSelect => {
                let yes = self.of(b, pointer.operand(1));
                let no = self.of(b, pointer.operand(2));
                b.before(pointer);
                let origin = b.select(pointer.operand(0), yes, no);
                self.merged.insert(pointer, origin);
                origin
            }
            _ => match source(pointer) {
                Some(from) => self.of(b, from),
                None => pointer,
            },
        }
    }

    fn of_phi(&mut self, b: &Builder, phi: Value) -> Value {
        b.before(phi);
        let origin = b.phi(phi.ty(), "");
        // Loops lead back to it.
        self.merged.insert(phi, origin);
        self.merged.insert(origin, origin);
        for (value, from) in phi.incoming() {
            let of_value = self.of(b, value);
            origin.add_incoming(of_value, from);
        }
        origin
    }

    /// Whether others than the loads and stores of the function may access the variable at an origin. Asked
    /// before code uses it for checks.
    pub fn escapes(&mut self, origin: Value) -> bool {
        *self
            .escaping
            .entry(origin)
            .or_insert_with(|| escapes(origin))
    }

    /// The bytes of the variable that starts at an origin; none if it is no variable of a known size.
    pub fn variable_bytes(&self, origin: Value) -> Option<u64> {
        if origin.is_global_variable() {
            // That of another file has no size here.
            return origin
                .initializer()
                .map(|_| self.layout.size(origin.value_type()));
        }
        let is_one = origin.is_instruction()
            && origin.is(Opcode::LLVMAlloca)
            && origin.operand(0).as_integer() == Some(1);
        is_one.then(|| self.layout.size(origin.allocated_type()))
    }
}

fn escapes(variable: Value) -> bool {
    let is_access = |user: Value, pointer: Value| {
        user.is_instruction()
            && match user.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMICmp => true,
                Opcode::LLVMStore => user.operand(0) != pointer,
                Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast => escapes(user).not(),
                Opcode::LLVMCall => {
                    let called = user.called_function();
                    called.is_some_and(|called| called.name().starts_with("llvm."))
                }
                _ => false,
            }
    };
    variable.is_global_variable()
        || variable
            .users()
            .into_iter()
            .any(|user| !is_access(user, variable))
}

/// All origins of a pointer, each once.
pub fn all(pointer: Value) -> Vec<Value> {
    let mut origins = Vec::new();
    let mut seen = HashSet::new();
    let mut pending = vec![pointer];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match sources(value) {
            from if from.is_empty() => origins.push(value),
            from => pending.extend(from),
        }
    }
    origins
}
