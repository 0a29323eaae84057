//! The lane mask: lanes that a program has disabled keep what a variable or memory holds there. Before
//! it is optimised, code stores a vector wherever C assigns one, so that these stores are those that
//! the mask concerns. Code of images that set no mask is left as it is.

use crate::intrinsics::{LANE_MASK, SET_LANE_MASK};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};

/// Bits of an `lvector` type.
const VECTOR_BITS: u64 = 1024;

/// Lanes of the mask.
const LANES: u32 = 16;

/// Lets stores of vectors obey the mask if the module sets one.
pub fn insert(module: ModuleRef) {
    if ir::function(module, SET_LANE_MASK).is_none_or(|set| set.users().is_empty()) {
        return;
    }
    let layout = DataLayout::of_module(module);
    let functions = ir::functions(module).into_iter();
    let functions: Vec<Value> = functions.filter(|one| !one.is_declaration()).collect();
    for function in functions {
        let instructions = function.instructions().into_iter();
        let stores: Vec<Value> = instructions
            .filter(|one| one.is(Opcode::LLVMStore) && obeys_mask(*one, layout))
            .collect();
        if !stores.is_empty() {
            mask(function, &stores);
        }
    }
}

/// Whether a store is an assignment of a vector. Copies of arguments, for the function itself or for
/// one that it calls, are none: values are passed whole.
fn obeys_mask(store: Value, layout: DataLayout) -> bool {
    let (stored, pointer) = (store.operand(0), store.operand(1));
    let is_vector = stored.ty().is_vector() && 8 * layout.size(stored.ty()) == VECTOR_BITS;
    is_vector && !is_copy_of_argument(store, stored) && !is_passed(pointer)
}

/// Whether the function's entry copies an argument to its variable.
fn is_copy_of_argument(store: Value, stored: Value) -> bool {
    let function = store.block().function();
    let parameters = function.parameters();
    let source = match stored.is_instruction() && stored.is(Opcode::LLVMLoad) {
        true => stored.operand(0),
        false => stored,
    };
    parameters.contains(&source)
        && store.operand(1).is_instruction()
        && store.operand(1).is(Opcode::LLVMAlloca)
}

/// Whether a variable is an argument of a call that passes it by value.
fn is_passed(variable: Value) -> bool {
    let is_variable = variable.is_instruction() && variable.is(Opcode::LLVMAlloca);
    is_variable
        && variable.users().into_iter().any(|user| {
            let is_call = user.is_instruction() && user.is(Opcode::LLVMCall);
            is_call
                && (0u32..).zip(user.operands()).any(|(number, argument)| {
                    argument == variable && user.by_value_argument_type(number).is_some()
                })
        })
}

fn mask(function: Value, stores: &[Value]) {
    let b = Builder::new(function.ty().context());
    let module = function.module();
    let query = ir::function(module, LANE_MASK).unwrap_or_else(|| {
        let ty = Type::function(Type::pointer(b.context, 0), &[]);
        ir::add_query(module, LANE_MASK, ty)
    });
    b.before(function.entry_block().first_after_phis());
    let place = b.call(query, &[]);
    let bits = Type::integer(b.context, LANES);
    let enabled = Type::integer(b.context, 1).vector(LANES);
    let lanes = b.i64().vector(LANES);
    for store in stores {
        let (stored, pointer) = (store.operand(0), store.operand(1));
        b.before(*store);
        let mask = b.bit_cast(b.load(bits, place, 2), enabled);
        let old = b.load(lanes, pointer, store.alignment());
        let new = b.select(mask, b.bit_cast(stored, lanes), old);
        store.set_operand(0, b.bit_cast(new, stored.ty()));
    }
}
