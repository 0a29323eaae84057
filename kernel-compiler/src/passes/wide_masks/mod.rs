//! Conditions of all lanes, for hosts without mask registers.
//!
//! Where the elements that are compared fill several registers, LLVM 22's X86 back end computes with conditions as vectors of bytes,
//! and carries them from block to block as such: it packs what comparisons leave, and unpacks it where elements are selected. Here the
//! sign bit of an element of the compared size is the condition, as comparisons leave it and selections take it.

mod groups;
mod lane_bits;
mod users;

use crate::ir::{Block, Builder, DataLayout, Opcode, Type, Value};
use groups::{Groups, is_operation};
use llvm_sys::LLVMIntPredicate::LLVMIntSLT;
use std::collections::HashMap;
use users::{reduction, takes_bits};

/// Widens the conditions of a function. Vector registers have `register_bits` bits.
pub fn widen(function: Value, register_bits: u32) {
    let layout = DataLayout::of_function(function);
    let groups = Groups::find(function, layout, register_bits);
    let mut masks = WideMasks {
        entry: function.entry_block(),
        b: Builder::new(function.ty().context()),
        layout,
        register_bits,
        wide: HashMap::new(),
    };
    for operation in groups.operations() {
        masks.widen_operation(operation, &groups);
    }
    for phi in groups.operations().filter(|of| of.is(Opcode::LLVMPHI)) {
        masks.complete_phi(phi, &groups);
    }
    for operation in groups.operations() {
        let ty = groups.wide_type_of(operation).expect("it is in a group");
        let wide = masks.wide[&(operation, ty)];
        let users = operation.users().into_iter();
        let users = users.filter(|user| groups.wide_type_of(*user).is_none());
        masks.narrow_operands(operation, wide, users.collect());
    }
    for comparison in function.instructions() {
        if groups::is_comparison(comparison) {
            masks.carry_comparison(comparison);
        }
    }
    for operation in groups.operations() {
        operation.replace_all_uses_with(operation.ty().poison());
        operation.erase();
    }
}

/// Conditions whose lanes are the sign bits of elements.
struct WideMasks {
    /// The first block of the function.
    entry: Block,
    b: Builder,
    layout: DataLayout,
    register_bits: u32,
    /// By the condition and the type of its elements.
    wide: HashMap<(Value, Type), Value>,
}

impl WideMasks {
    /// Writes an operation of a group, and those that it takes conditions from; φs without their values.
    fn widen_operation(&mut self, operation: Value, groups: &Groups) {
        let ty = groups.wide_type_of(operation).expect("it is in a group");
        let mut stack = vec![operation];
        while let Some(&top) = stack.last() {
            let is_left = |of: &Value| {
                groups.wide_type_of(*of).is_some() && !self.wide.contains_key(&(*of, ty))
            };
            let operands = match top.opcode() {
                Opcode::LLVMPHI => Vec::new(),
                _ => top.operands(),
            };
            let left: Vec<Value> = operands.into_iter().filter(is_left).collect();
            if !left.is_empty() {
                stack.extend(left);
                continue;
            }
            if !self.wide.contains_key(&(top, ty)) {
                let wide = self.write(top, ty);
                self.wide.insert((top, ty), wide);
            }
            stack.pop();
        }
    }

    /// Writes an operation whose operands are wide.
    fn write(&mut self, operation: Value, ty: Type) -> Value {
        let opcode = operation.opcode();
        if opcode == Opcode::LLVMPHI {
            self.b.before(operation);
            return self.b.phi(ty, "");
        }
        let operands = operation.operands();
        let is_chosen_for_all = opcode == Opcode::LLVMSelect && !operands[0].ty().is_vector();
        let first = usize::from(is_chosen_for_all);
        let wide: Vec<Value> = operands[first..]
            .iter()
            .map(|operand| self.wide_of(*operand, ty))
            .collect();
        let b = &self.b;
        b.before(operation);
        match (opcode, &wide[..]) {
            (Opcode::LLVMFreeze, &[value]) => b.freeze(value),
            (Opcode::LLVMSelect, &[yes, no]) => b.select(operands[0], yes, no),
            // A lane that is not chosen may be poison.
            (Opcode::LLVMSelect, &[condition, yes, no]) => {
                if no == ty.zero() {
                    b.and(condition, b.freeze(yes))
                } else if yes == ty.all_ones() {
                    b.binary(Opcode::LLVMOr, condition, b.freeze(no))
                } else {
                    b.select(self.narrow(condition), yes, no)
                }
            }
            (_, &[first, second]) => b.binary(opcode, first, second),
            _ => unreachable!("it is an operation"),
        }
    }

    fn complete_phi(&mut self, phi: Value, groups: &Groups) {
        let ty = groups.wide_type_of(phi).expect("it is in a group");
        let wide = self.wide[&(phi, ty)];
        for (value, from) in phi.incoming() {
            let value = self.wide_of(value, ty);
            wide.add_incoming(value, from);
        }
    }

    /// A condition in that form. One that is in no group is extended where it is computed.
    fn wide_of(&mut self, condition: Value, ty: Type) -> Value {
        if let Some(wide) = self.wide.get(&(condition, ty)) {
            return *wide;
        }
        let is_sign = condition.is_instruction()
            && condition.is(Opcode::LLVMICmp)
            && condition.predicate() == LLVMIntSLT
            && condition.operand(0).ty() == ty
            && condition.operand(1) == ty.zero();
        let wide = if is_sign {
            condition.operand(0)
        } else {
            self.after(condition);
            match splat_value(condition) {
                Some(one) => {
                    let (element, lanes) = ty.vector_elements();
                    self.b.splat(self.b.sign_extend(one, element), lanes)
                }
                None => self.b.sign_extend(condition, ty),
            }
        };
        self.wide.insert((condition, ty), wide);
        wide
    }

    /// Writes behind a value from now on: constants and arguments are there from the start.
    fn after(&self, value: Value) {
        let next = match value.is_instruction() {
            false => self.entry.first_after_phis(),
            true if value.is(Opcode::LLVMPHI) => value.block().first_after_phis(),
            true => value.next_instruction().expect("no terminator"),
        };
        self.b.before(next);
    }

    /// The conditions of the lanes of a wide one.
    fn narrow(&self, wide: Value) -> Value {
        self.b.compare(LLVMIntSLT, wide, wide.ty().zero())
    }

    /// Has users of a condition take the wide one.
    fn narrow_operands(&self, condition: Value, wide: Value, users: Vec<Value>) {
        let (of_bits, others): (Vec<Value>, Vec<Value>) =
            users.into_iter().partition(|user| takes_bits(*user));
        self.write_bits(wide, &of_bits);
        for user in others {
            self.b.before(user);
            let narrow = self.narrow(wide);
            for (index, operand) in user.operands().into_iter().enumerate() {
                if operand == condition {
                    user.set_operand(index as u32, narrow);
                }
            }
        }
    }

    /// Has users of a comparison in other blocks take the wide condition, and those that test for any lane or all.
    fn carry_comparison(&mut self, comparison: Value) {
        let is_apart = |user: &Value| user.block() != comparison.block() && !is_operation(*user);
        let users = comparison.users().into_iter();
        let users: Vec<Value> = users
            .filter(|user| is_apart(user) || reduction(*user).is_some())
            .collect();
        if !users.is_empty()
            && let Some(ty) =
                groups::wide_type(&[comparison], &users, self.layout, self.register_bits)
        {
            let wide = self.wide_of(comparison, ty);
            self.narrow_operands(comparison, wide, users);
        }
    }
}

/// The value that all elements of a vector are, if it is computed as such.
fn splat_value(vector: Value) -> Option<Value> {
    let inserted = vector.is_splat().then(|| vector.operand(0))?;
    let is_first = inserted.is_instruction()
        && inserted.is(Opcode::LLVMInsertElement)
        && inserted.operand(2).as_integer() == Some(0);
    is_first.then(|| inserted.operand(1))
}
