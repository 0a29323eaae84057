//! What functions take of the machine's stacks: scalar variables in SM, variables with vectors in AM. The host's
//! frames say little of that, so that code counts its own, if calls may take more than the smallest part of SM
//! that the stack can have. Variables of a size that is known at run time only are counted where they begin.

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
            let count = constant_count(variable).unwrap_or(0);
            let bytes = layout.size(variable.allocated_type()).saturating_mul(count);
            let sum = match stack_of(variable, layout) {
                Stack::Vector => &mut frame.vector,
                Stack::Scalar => &mut frame.scalar,
            };
            *sum = sum.saturating_add(bytes);
        }
        frame
    }

    fn is_small(self) -> bool {
        self.scalar.saturating_add(self.vector) <= SMALL
    }
}

/// A stack of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stack {
    Scalar,
    Vector,
}

/// The stack that a variable is on.
fn stack_of(variable: Value, layout: DataLayout) -> Stack {
    let alignment = layout.alignment(variable.allocated_type());
    match alignment.max(variable.alignment()) >= VECTOR_ALIGNMENT {
        true => Stack::Vector,
        false => Stack::Scalar,
    }
}

/// How many elements a variable has, if that is known.
fn constant_count(variable: Value) -> Option<u64> {
    variable.operands().first()?.as_integer()
}

/// A function of the program.
struct Function {
    value: Value,
    frame: Frame,
    /// Functions that it calls, by number.
    callees: Vec<usize>,
    /// Whether it calls by pointers.
    calls_any: bool,
    /// Variables of a size that is not known.
    unknown: Vec<Value>,
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
        let calls = function.calls_any || !function.callees.is_empty();
        if calls || !function.frame.is_small() || !function.unknown.is_empty() {
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
            unknown: unknown_variables(*value),
        }
    };
    defined.iter().map(function).collect()
}

fn unknown_variables(function: Value) -> Vec<Value> {
    let variables = function.instructions().into_iter();
    let variables = variables.filter(|one| one.is(Opcode::LLVMAlloca));
    variables
        .filter(|one| constant_count(*one).is_none())
        .collect()
}

/// By function: what it and those that it calls take at most; none if there is no limit.
fn depths(functions: &[Function]) -> Vec<Option<Frame>> {
    let callees: Vec<Vec<usize>> = functions.iter().map(|one| one.callees.clone()).collect();
    let mut found = vec![None; functions.len()];
    // Callees come first: one that has not been looked at is recursive.
    for number in graph::postorder(&callees, 0..functions.len()) {
        let function = &functions[number];
        let is_known = !function.calls_any && function.unknown.is_empty();
        let mut deepest = is_known.then(Frame::default);
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
    let (push, pop) = (declared(PUSH_FRAME), declared(POP_FRAME));
    let Frame { scalar, vector } = function.frame;
    let bytes = [scalar, vector].map(|bytes| b.i64().constant(bytes));
    let returns = of_opcode(function.value, Opcode::LLVMRet);
    let entry = function.value.entry_block().instructions().into_iter();
    let is_variable = |one: &Value| one.is(Opcode::LLVMAlloca) && constant_count(*one).is_some();
    let Some(first) = entry.into_iter().find(|one| !is_variable(one)) else {
        return;
    };
    b.before(first);
    b.call(push, &bytes);
    let unknown =
        (!function.unknown.is_empty()).then(|| Taken::new(&b, DataLayout::of_module(module)));
    if let Some(taken) = &unknown {
        taken.count(&b, function, push, pop);
    }
    for end in returns {
        b.before(end);
        b.call(pop, &bytes);
        if let Some(taken) = &unknown {
            b.call(pop, &taken.load(&b));
        }
    }
}

fn of_opcode(function: Value, opcode: Opcode) -> Vec<Value> {
    let all = function.instructions().into_iter();
    all.filter(|one| one.is(opcode)).collect()
}

/// What variables of a size that is not known take of the scalar and of the vector stack: where a function has their
/// bytes.
struct Taken {
    places: [Value; 2],
    layout: DataLayout,
}

impl Taken {
    const ALIGNMENT: u32 = 8;

    /// Nothing is taken at first.
    fn new(b: &Builder, layout: DataLayout) -> Self {
        let places = ["scalar.taken", "vector.taken"].map(|name| b.alloca(b.i64(), name));
        let taken = Self { places, layout };
        taken.store(b, [b.i64().constant(0); 2]);
        taken
    }

    fn load(&self, b: &Builder) -> [Value; 2] {
        self.places
            .map(|place| b.load(b.i64(), place, Self::ALIGNMENT))
    }

    fn store(&self, b: &Builder, bytes: [Value; 2]) {
        for (place, bytes) in self.places.into_iter().zip(bytes) {
            b.store(bytes, place, Self::ALIGNMENT);
        }
    }

    /// Counts the variables where they begin, and where the stack is restored at the end of their blocks.
    fn count(&self, b: &Builder, function: &Function, push: Value, pop: Value) {
        for variable in &function.unknown {
            b.before(*variable);
            let bytes = self.bytes(b, *variable);
            b.call(push, &bytes);
            let [scalar, vector] = self.load(b);
            self.store(b, [b.add(scalar, bytes[0]), b.add(vector, bytes[1])]);
        }
        let calls = of_opcode(function.value, Opcode::LLVMCall);
        let is_of = |call: &Value, name: &str| {
            let called = call.called_function();
            called.is_some_and(|one| one.name().starts_with(name))
        };
        let mut saved = HashMap::new();
        for save in calls.iter().filter(|one| is_of(one, "llvm.stacksave")) {
            if let Some(next) = save.next_instruction() {
                b.before(next);
                saved.insert(*save, self.load(b));
            }
        }
        for restore in calls.iter().filter(|one| is_of(one, "llvm.stackrestore")) {
            let Some(before) = saved.get(&restore.operand(0)) else {
                continue;
            };
            b.before(*restore);
            let now = self.load(b);
            let subtract = |number: usize| b.binary(Opcode::LLVMSub, now[number], before[number]);
            b.call(pop, &[subtract(0), subtract(1)]);
            self.store(b, *before);
        }
    }

    /// What a variable takes of each stack.
    fn bytes(&self, b: &Builder, variable: Value) -> [Value; 2] {
        let nothing = b.i64().constant(0);
        let count = variable.operand(0);
        let count = match count.ty().integer_bits() < 64 {
            true => b.zero_extend(count, b.i64()),
            false => count,
        };
        let size = b
            .i64()
            .constant(self.layout.size(variable.allocated_type()));
        let bytes = b.multiply(count, size);
        match stack_of(variable, self.layout) {
            Stack::Scalar => [bytes, nothing],
            Stack::Vector => [nothing, bytes],
        }
    }
}
