//! What functions take of the machine's stacks: scalar variables in SM, variables with vectors in AM. The host's
//! frames say little of that, so that code counts its own, if calls may take more than the smallest part of SM
//! that the stack can have.

use crate::analysis::graph;
use crate::intrinsics::{POP_FRAME, PUSH_FRAME};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use std::collections::HashMap;

/// A function keeps its return address. Which registers it saves is the machine's compiler's choice: none are taken
/// into account, so that what is counted is the least.
const RETURN_ADDRESS: u64 = 8;

/// A fifth of SM, the smallest part that `HT_MEM_LAYOUT_POS` can give the stack, has 13,107 bytes.
const LEAST_IN_SM: u64 = 12 << 10;

/// AM has 768 KiB on the machine; another one may have less.
const LEAST_IN_AM: u64 = 64 << 10;

/// Functions that call none of the program, and have no more, do not count.
const SMALL: u64 = 1 << 10;

/// The alignment of a vector of 1024 bits.
const VECTOR_ALIGNMENT: u32 = 128;

/// Bytes of a function's frame, or of all frames of calls.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    scalar: u64,
    vector: u64,
}

impl Frame {
    fn of(function: Value, layout: DataLayout) -> Self {
        let mut frame = Self {
            scalar: RETURN_ADDRESS,
            vector: 0,
        };
        let instructions = function.instructions().into_iter();
        for variable in instructions.filter(|one| one.is(Opcode::LLVMAlloca)) {
            let ty = variable.allocated_type();
            let count = variable.operands().first().and_then(|one| one.as_integer());
            let bytes = layout.size(ty).saturating_mul(count.unwrap_or(0));
            let alignment = layout.alignment(ty).max(variable.alignment());
            let sum = match alignment >= VECTOR_ALIGNMENT {
                true => &mut frame.vector,
                false => &mut frame.scalar,
            };
            *sum = sum.saturating_add(bytes);
        }
        frame
    }

    fn is_small(self) -> bool {
        self.scalar.saturating_add(self.vector) <= SMALL
    }
}

/// A function of the program.
struct Function {
    value: Value,
    frame: Frame,
    /// Functions that it calls, by number.
    callees: Vec<usize>,
    /// Whether it calls by pointers.
    calls_any: bool,
}

/// Lets functions count their frames if some calls may take too much. Code is optimised already: what is left in
/// memory is.
pub fn insert(module: ModuleRef) {
    let functions = functions(module);
    let may_exceed = depths(&functions).iter().any(|deepest| {
        deepest.is_none_or(|one| one.scalar > LEAST_IN_SM || one.vector > LEAST_IN_AM)
    });
    if !may_exceed {
        return;
    }
    for function in &functions {
        if !function.frame.is_small() || function.calls_any || !function.callees.is_empty() {
            count(module, function);
        }
    }
}

fn functions(module: ModuleRef) -> Vec<Function> {
    let layout = DataLayout::of_module(module);
    let defined = ir::functions(module).into_iter();
    let defined: Vec<Value> = defined.filter(|one| !one.is_declaration()).collect();
    let numbers: HashMap<Value, usize> = defined.iter().copied().zip(0..).collect();
    let function = |value: &Value| {
        let calls = value.instructions().into_iter();
        let calls = calls.filter(|one| one.is(Opcode::LLVMCall));
        let called: Vec<Option<Value>> = calls.map(|call| call.called_function()).collect();
        let known = called.iter().flatten();
        Function {
            value: *value,
            frame: Frame::of(*value, layout),
            callees: known.filter_map(|one| numbers.get(one).copied()).collect(),
            calls_any: called.iter().any(Option::is_none),
        }
    };
    defined.iter().map(function).collect()
}

/// By function: what it and those that it calls take at most; none if there is no limit.
fn depths(functions: &[Function]) -> Vec<Option<Frame>> {
    let callees: Vec<Vec<usize>> = functions.iter().map(|one| one.callees.clone()).collect();
    let mut found = vec![None; functions.len()];
    // Callees come first: one that has not been looked at is recursive.
    for number in graph::postorder(&callees, 0..functions.len()) {
        let function = &functions[number];
        let mut deepest = (!function.calls_any).then(Frame::default);
        for callee in &function.callees {
            deepest = deepest
                .zip(found[*callee])
                .map(|(one, other): (Frame, Frame)| Frame {
                    scalar: one.scalar.max(other.scalar),
                    vector: one.vector.max(other.vector),
                });
        }
        found[number] = deepest.map(|called| Frame {
            scalar: called.scalar.saturating_add(function.frame.scalar),
            vector: called.vector.saturating_add(function.frame.vector),
        });
    }
    found
}

/// Calls `PUSH_FRAME` where a function begins, and `POP_FRAME` where it returns.
fn count(module: ModuleRef, function: &Function) {
    let b = Builder::new(function.value.ty().context());
    let ty = Type::function(Type::void(b.context), &[b.i64(), b.i64()]);
    let declared = |name: &str| {
        ir::function(module, name).unwrap_or_else(|| ir::add_function(module, name, ty))
    };
    let Frame { scalar, vector } = function.frame;
    let bytes = [scalar, vector].map(|bytes| b.i64().constant(bytes));
    let returns = function.value.instructions().into_iter();
    let returns: Vec<Value> = returns.filter(|one| one.is(Opcode::LLVMRet)).collect();
    let first = function.value.entry_block().instructions().into_iter();
    if let Some(first) = first.into_iter().find(|one| !one.is(Opcode::LLVMAlloca)) {
        b.before(first);
        b.call(declared(PUSH_FRAME), &bytes);
    }
    for end in returns {
        b.before(end);
        b.call(declared(POP_FRAME), &bytes);
    }
}
