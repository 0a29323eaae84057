//! Undoes what hides strides: `instcombine` widens 32-bit induction variables to
//! 64 bits and masks them at each use, and a zero-extended index of 32 bits may wrap between lanes.

use crate::analysis::addressing::Addressing;
use crate::ir::{Builder, Opcode, Type, Value};
use std::collections::HashMap;

/// Bits of the indices that are recovered.
const NARROW: u32 = 32;

/// Operations followed from a φ to what it takes from its predecessors.
const MAX_DEPTH: u32 = 8;

/// Gives induction variables of which only 32 bits are used that width, and sign-extends 32-bit
/// indices whose upper half cannot address memory of one object.
pub fn narrow_indices(function: Value) {
    narrow_phis(function, |_| true);
    sign_extend_indices(function);
    erase_unused(function);
}

/// Replaces each 64-bit φ that is `chosen` and of which all users read the lower 32 bits only.
pub fn narrow_phis(function: Value, chosen: impl Fn(Value) -> bool) {
    let phis = function.instructions().into_iter();
    let wide: Vec<Value> = phis
        .filter(|i| i.is(Opcode::LLVMPHI) && is_wide(i.ty()) && chosen(*i))
        .filter(|phi| {
            phi.users()
                .iter()
                .all(|user| Lower::recognize(*user).is_some())
        })
        .collect();
    if wide.is_empty() {
        return;
    }
    let b = Builder::new(function.ty().context());
    let mut narrowing = Narrowing {
        narrow: b.i32(),
        known: HashMap::new(),
        b,
    };
    for phi in &wide {
        narrowing.b.before(*phi);
        let narrow = narrowing.b.phi(narrowing.narrow, &phi.name());
        narrowing.known.insert(*phi, narrow);
    }
    for phi in &wide {
        for (value, from) in phi.incoming() {
            let narrow = narrowing.value(value, from.terminator(), MAX_DEPTH);
            narrowing.known[phi].add_incoming(narrow, from);
        }
    }
    for phi in &wide {
        let narrow = narrowing.known[phi];
        for user in phi.users() {
            narrowing.replace(user, narrow);
        }
    }
    for phi in wide {
        phi.replace_all_uses_with(phi.ty().poison());
        phi.erase();
    }
}

fn is_wide(ty: Type) -> bool {
    ty.is_integer() && ty.integer_bits() == 2 * NARROW
}

/// How an instruction reads the lower half of a 64-bit integer.
enum Lower {
    /// As a number of 32 bits or fewer.
    Truncated,
    /// With zeros for the upper half.
    ZeroExtended,
    /// Shifted to the upper half, and back by each of these arithmetic shifts, some of them less
    /// far: an index that is multiplied by a power of two.
    SignExtended(Vec<Value>),
}

impl Lower {
    fn recognize(user: Value) -> Option<Self> {
        let constant = |index| user.operand(index).as_integer();
        match user.opcode() {
            Opcode::LLVMTrunc if user.ty().integer_bits() <= NARROW => Some(Self::Truncated),
            Opcode::LLVMAnd if constant(1) == Some(u64::from(u32::MAX)) => Some(Self::ZeroExtended),
            Opcode::LLVMShl if constant(1) == Some(u64::from(NARROW)) => {
                let users = user.users();
                let is_back = |distance| (1..=u64::from(NARROW)).contains(&distance);
                let returns = |back: &Value| {
                    back.is(Opcode::LLVMAShr)
                        && back.operand(0) == user
                        && back.operand(1).as_integer().is_some_and(is_back)
                };
                users
                    .iter()
                    .all(returns)
                    .then_some(Self::SignExtended(users))
            }
            _ => None,
        }
    }
}

struct Narrowing {
    b: Builder,
    narrow: Type,
    /// Lower halves of values.
    known: HashMap<Value, Value>,
}

impl Narrowing {
    /// The lower half of a 64-bit value, computed before `end` at the latest.
    fn value(&mut self, wide: Value, end: Value, depth: u32) -> Value {
        if let Some(known) = self.known.get(&wide) {
            return *known;
        }
        if let Some(constant) = wide.as_integer() {
            return self.narrow.constant(constant & u64::from(u32::MAX));
        }
        let computed = wide.is_instruction() && depth > 0;
        let narrow = match computed.then(|| wide.opcode()) {
            Some(Opcode::LLVMZExt | Opcode::LLVMSExt)
                if wide.operand(0).ty().integer_bits() == NARROW =>
            {
                wide.operand(0)
            }
            Some(Opcode::LLVMAnd) if wide.operand(1).as_integer() == Some(u64::from(u32::MAX)) => {
                self.value(wide.operand(0), wide, depth - 1)
            }
            Some(Opcode::LLVMAShr) if sign_extended(wide).is_some() => {
                let source = sign_extended(wide).expect("it has just been found");
                self.value(source, wide, depth - 1)
            }
            Some(opcode @ (Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul)) => {
                let [left, right] =
                    [0, 1].map(|index| self.value(wide.operand(index), wide, depth - 1));
                self.b.before(wide);
                self.b.binary(opcode, left, right)
            }
            _ => {
                self.b.before(end);
                return self.b.truncate(wide, self.narrow);
            }
        };
        for user in wide.users() {
            if user.is(Opcode::LLVMTrunc) && user.ty() == self.narrow {
                user.replace_all_uses_with(narrow);
            }
        }
        self.known.insert(wide, narrow);
        narrow
    }

    /// `narrow` sign-extended, and multiplied by what an arithmetic `shift` leaves of 2^32.
    fn shifted_back(&self, narrow: Value, shift: Value) -> Value {
        let extended = self.b.sign_extend(narrow, shift.ty());
        let distance = shift.operand(1).as_integer().unwrap_or_default();
        match u64::from(NARROW) - distance {
            0 => extended,
            left => {
                let multiple = self
                    .b
                    .binary(Opcode::LLVMShl, extended, shift.ty().constant(left));
                multiple.set_no_signed_wrap();
                multiple
            }
        }
    }

    /// Lets what reads the lower half of a φ read `narrow`.
    fn replace(&self, user: Value, narrow: Value) {
        self.b.before(user);
        let wide = user.operand(0).ty();
        match Lower::recognize(user) {
            Some(Lower::Truncated) if user.ty() == self.narrow => {
                user.replace_all_uses_with(narrow);
            }
            Some(Lower::Truncated) => {
                user.replace_all_uses_with(self.b.truncate(narrow, user.ty()));
            }
            Some(Lower::ZeroExtended) => {
                user.replace_all_uses_with(self.b.zero_extend(narrow, wide));
            }
            Some(Lower::SignExtended(back)) => {
                for shift in back {
                    self.b.before(shift);
                    shift.replace_all_uses_with(self.shifted_back(narrow, shift));
                    shift.erase();
                }
            }
            None => unreachable!("all users of the φ read its lower half"),
        }
        user.erase();
    }
}

/// Of the arithmetic shift that ends a sign extension from 32 bits: what is extended.
fn sign_extended(shift: Value) -> Option<Value> {
    let by_half = |shift: Value| shift.operand(1).as_integer() == Some(u64::from(NARROW));
    let up = shift.operand(0);
    (by_half(shift) && up.is_instruction() && up.is(Opcode::LLVMShl) && by_half(up))
        .then(|| up.operand(0))
}

/// Erases arithmetic whose result is not used.
fn erase_unused(function: Value) {
    for instruction in function.instructions().into_iter().rev() {
        let is_arithmetic = matches!(
            instruction.opcode(),
            Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMMul
                | Opcode::LLVMAnd
                | Opcode::LLVMShl
                | Opcode::LLVMZExt
                | Opcode::LLVMSExt
                | Opcode::LLVMTrunc
        );
        if is_arithmetic && instruction.users().is_empty() {
            instruction.erase();
        }
    }
}

/// Sign-extends the 32-bit indices of in-bounds addresses that are zero-extended. From 2^31 on, the
/// two differ, but there the address lies outside any object. Lanes that wrap are then as far from
/// the others as from zero, and their stride is known.
fn sign_extend_indices(function: Value) {
    let addressing = Addressing::compute(function);
    let b = Builder::new(function.ty().context());
    for address in function.instructions() {
        if !address.is(Opcode::LLVMGetElementPtr)
            || address.operands().len() != 2
            || !address.is_in_bounds()
            || addressing.layout.size(address.indexed_type()) << (NARROW - 1)
                < addressing.max_object_bytes(address)
        {
            continue;
        }
        let index = address.operand(1);
        let Some(source) = zero_extended(index, &b) else {
            continue;
        };
        b.before(address);
        address.set_operand(1, b.sign_extend(source, index.ty()));
        address.set_in_bounds_only();
    }
}

/// The 32-bit number that an index is zero-extended from, if it may exceed 2^31.
fn zero_extended(index: Value, b: &Builder) -> Option<Value> {
    if !index.is_instruction() || !is_wide(index.ty()) {
        return None;
    }
    let source = index.operand(0);
    match index.opcode() {
        Opcode::LLVMZExt => {
            (source.ty().integer_bits() == NARROW && !index.is_of_not_negative()).then_some(source)
        }
        Opcode::LLVMAnd if index.operand(1).as_integer() == Some(u64::from(u32::MAX)) => {
            b.before(index);
            Some(b.truncate(source, b.i32()))
        }
        _ => None,
    }
}
