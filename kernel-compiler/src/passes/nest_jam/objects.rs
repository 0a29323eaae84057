//! Whether accesses are to different objects.

use crate::intrinsics::address_space;
use crate::ir::{Opcode, Value};
use crate::vectorize::instruction_queries::pointer_of;

/// What is known of the objects that a kernel's arguments point to.
pub struct Objects {
    /// No two of them share bytes.
    pub separate_objects: bool,
}

impl Objects {
    /// Whether two accesses have no byte in common, whatever their addresses within their objects.
    pub fn differ(&self, a: Value, b: Value) -> bool {
        let [a, b] = [a, b].map(pointer_of);
        let [a_space, b_space] = [a, b].map(|pointer| pointer.ty().address_space());
        // A buffer may be an argument in global and in constant memory.
        let is_of_argument =
            |space| matches!(space, address_space::GLOBAL | address_space::CONSTANT);
        if a_space != b_space && !(is_of_argument(a_space) && is_of_argument(b_space)) {
            return true;
        }
        let (Some(a), Some(b)) = (base(a), base(b)) else {
            return false;
        };
        let are_arguments = is_argument(a) && is_argument(b) && is_of_argument(a_space);
        a != b && (self.separate_objects || !are_arguments)
    }
}

/// The argument or variable that a pointer leads into.
fn base(pointer: Value) -> Option<Value> {
    let mut at = pointer;
    while at.is_instruction() && at.is(Opcode::LLVMGetElementPtr) {
        at = at.operand(0);
    }
    let is_variable = match at.is_instruction() {
        true => at.is(Opcode::LLVMAlloca),
        false => at.is_global_variable(),
    };
    (is_variable || is_argument(at)).then_some(at)
}

fn is_argument(value: Value) -> bool {
    !value.is_instruction() && !value.is_constant()
}
