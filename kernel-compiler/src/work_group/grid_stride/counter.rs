//! The counter of a grid-stride loop: how it starts, and when it ends the loop.

use crate::analysis::branch_comparison::BranchComparison;
use crate::analysis::effects::is_cheap_and_speculatable;
use crate::intrinsics::Query;
use crate::ir::{Block, Opcode, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::LLVMIntPredicate::*;

/// Operations followed to what a value is computed from.
pub const MAX_DEPTH: u32 = 8;

/// The comparison that a counter below its bound satisfies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether the numbers are signed.
    pub signed: bool,
    /// Whether the bound satisfies it.
    pub inclusive: bool,
}

impl Comparison {
    fn from_predicate(predicate: LLVMIntPredicate) -> Option<Self> {
        let (signed, inclusive) = match predicate {
            LLVMIntULT => (false, false),
            LLVMIntULE => (false, true),
            LLVMIntSLT => (true, false),
            LLVMIntSLE => (true, true),
            _ => return None,
        };
        Some(Self { signed, inclusive })
    }

    /// LLVM's name.
    pub fn predicate(self) -> LLVMIntPredicate {
        match (self.signed, self.inclusive) {
            (false, false) => LLVMIntULT,
            (false, true) => LLVMIntULE,
            (true, false) => LLVMIntSLT,
            (true, true) => LLVMIntSLE,
        }
    }

    /// The comparison under which a conditional branch goes to `into`, and the bound of the value
    /// that is `counted`.
    pub fn of_branch(
        branch: Value,
        into: Block,
        counted: impl Fn(Value) -> bool,
    ) -> Option<(Self, Value)> {
        let comparison = BranchComparison::towards(branch, into)?;
        let comparison = if counted(comparison.left) {
            comparison
        } else {
            Some(comparison.swapped()).filter(|swapped| counted(swapped.left))?
        };
        Some((
            Self::from_predicate(comparison.predicate)?,
            comparison.right,
        ))
    }
}

/// The query of the index space that a call is, with its dimension.
pub fn query(value: Value) -> Option<(Query, u64)> {
    let function = value.called_function()?;
    let query = Query::parse(&function.name())?;
    let takes_dimension = !matches!(query, Query::WorkDimensions | Query::LocalMemory);
    let dimension = if takes_dimension {
        value.operand(0).as_integer()?
    } else {
        0
    };
    (dimension < 3).then_some((query, dimension))
}

/// Whether two values are the same computation.
pub fn is_same(a: Value, b: Value, depth: u32) -> bool {
    if a == b {
        return true;
    }
    let are_instructions = a.is_instruction() && b.is_instruction();
    if depth == 0 || !are_instructions || a.opcode() != b.opcode() || a.ty() != b.ty() {
        return false;
    }
    if let Some(query_a) = query(a) {
        return query(b) == Some(query_a);
    }
    let is_determined_by_operands = is_cheap_and_speculatable(a.opcode())
        && !matches!(a.opcode(), Opcode::LLVMICmp | Opcode::LLVMGetElementPtr);
    is_determined_by_operands && {
        let (a, b) = (a.operands(), b.operands());
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| is_same(*a, *b, depth - 1))
    }
}

/// Whether `narrow` is the id `wide` as a number of 32 bits, which is neither negative nor cut off. `wide` may be extended
/// from such a number.
pub fn is_narrow_id(narrow: Value, wide: Value, small_launch: bool) -> bool {
    let id = extended_half(wide).unwrap_or(wide);
    is_small_id(id, small_launch)
        && narrow.is(Opcode::LLVMTrunc)
        && narrow.ty().integer_bits() == 32
        && is_same(narrow.operand(0), id, MAX_DEPTH)
}

/// Whether a value is an id that is below 2^31.
fn is_small_id(id: Value, small_launch: bool) -> bool {
    match query(id) {
        Some((Query::LocalId, _)) => true,
        Some((Query::GlobalId, _)) => small_launch,
        _ => false,
    }
}

/// Whether `wide` is `narrow`, extended as a signed or unsigned number.
pub fn is_extended(narrow: Value, wide: Value, signed: bool) -> bool {
    let extension = match signed {
        true => Opcode::LLVMSExt,
        false => Opcode::LLVMZExt,
    };
    wide.is(extension) && is_same(wide.operand(0), narrow, MAX_DEPTH)
}

/// The dimension of the id with which a counter starts, if it starts with a local or global id and
/// a number that `is_uniform` for the group. Modulo the width of the counter, it then exceeds that
/// of the group's first work-item by the local id.
pub fn start_dimension(
    first: Value,
    small_launch: bool,
    is_uniform: &dyn Fn(Value) -> bool,
) -> Option<u64> {
    if let Some((Query::LocalId | Query::GlobalId, dimension)) = query(first) {
        return Some(dimension);
    }
    let of = |value| start_dimension(value, small_launch, is_uniform);
    if !first.is_instruction() {
        return None;
    }
    match first.opcode() {
        Opcode::LLVMTrunc => of(first.operand(0)),
        Opcode::LLVMAdd if is_uniform(first.operand(1)) => of(first.operand(0)),
        Opcode::LLVMAdd if is_uniform(first.operand(0)) => of(first.operand(1)),
        Opcode::LLVMSub if is_uniform(first.operand(1)) => of(first.operand(0)),
        _ => extended_half(first)
            .filter(|id| is_small_id(*id, small_launch))
            .and_then(query)
            .map(|(_, dimension)| dimension),
    }
}

/// Whether a counter with this start may be that of a grid-stride loop.
pub fn starts_with_id(start: Value, depth: u32) -> bool {
    if let Some((query, _)) = query(start) {
        return matches!(query, Query::LocalId | Query::GlobalId);
    }
    let is_sum = start.is_instruction()
        && matches!(
            start.opcode(),
            Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMAnd
                | Opcode::LLVMTrunc
                | Opcode::LLVMZExt
                | Opcode::LLVMSExt
                | Opcode::LLVMShl
                | Opcode::LLVMAShr
                | Opcode::LLVMLShr
        );
    is_sum
        && depth > 0
        && start
            .operands()
            .iter()
            .any(|operand| starts_with_id(*operand, depth - 1))
}

/// The value whose lower 32 bits `extended` is, as a signed or unsigned number.
fn extended_half(extended: Value) -> Option<Value> {
    if !extended.is_instruction() {
        return None;
    }
    let source = extended.operand(0);
    let has_amount = |shift: Value| shift.operand(1).as_integer() == Some(32);
    match extended.opcode() {
        Opcode::LLVMAnd => {
            let mask = extended.operand(1).as_integer();
            (mask == Some(u64::from(u32::MAX))).then_some(source)
        }
        Opcode::LLVMZExt | Opcode::LLVMSExt => {
            let is_half = source.is(Opcode::LLVMTrunc) && source.ty().integer_bits() == 32;
            is_half.then(|| source.operand(0))
        }
        Opcode::LLVMAShr | Opcode::LLVMLShr => {
            let is_pair = source.is(Opcode::LLVMShl) && has_amount(source) && has_amount(extended);
            (is_pair && extended.ty().integer_bits() == 64).then(|| source.operand(0))
        }
        _ => None,
    }
}
