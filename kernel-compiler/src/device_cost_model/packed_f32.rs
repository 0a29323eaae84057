//! Packed single precision: pairs of operations that one machine operation does, on two floats in
//! the 64 bits of a lane.
//!
//! Pairs start where two values are adjacent anyway: neighbouring components of a loaded OpenCL
//! vector, and φs of one loop. They extend to operations of one kind whose operands are paired
//! likewise or shared.

use super::code::Code;
use crate::ir::{Opcode, Value};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Pairs of values of lanes.
#[derive(Default)]
pub struct Pairs {
    /// By second value: the first one.
    first: HashMap<Value, Value>,
    /// By first value: the second one.
    second: HashMap<Value, Value>,
}

/// Bits of a pair.
const PAIR_BITS: u32 = 64;

/// Attempts, after each of which refuted pairs of φs are dropped; then all are.
const MAX_ATTEMPTS: usize = 6;

impl Pairs {
    /// The pairs in a function.
    pub fn find(code: &Code<'_>) -> Self {
        if code.params.operand_width < PAIR_BITS {
            return Self::default();
        }
        let mut refused = HashSet::new();
        let phis = phis(code);
        for _ in 0..MAX_ATTEMPTS {
            let (pairs, wrong) = attempt(code, &phis, &refused);
            if wrong.is_empty() {
                return pairs;
            }
            refused.extend(wrong);
        }
        let all = phis.iter().map(|(first, _)| *first).collect();
        attempt(code, &phis, &all).0
    }

    /// The first of a pair whose second is `value`, if that is an operation.
    pub fn first_of(&self, value: Value) -> Option<Value> {
        is_operation(value).then(|| self.first.get(&value).copied())?
    }

    fn add(&mut self, first: Value, second: Value) {
        self.first.insert(second, first);
        self.second.insert(first, second);
    }

    fn holds(&self, first: Value, second: Value) -> bool {
        self.second.get(&first) == Some(&second)
    }

    fn is_free(&self, value: Value) -> bool {
        !self.first.contains_key(&value) && !self.second.contains_key(&value)
    }
}

/// Whether a value is one register of floats in single precision or below.
fn is_packable(code: &Code<'_>, value: Value) -> bool {
    let layout = code.register_layout(value);
    layout.is_vector && layout.registers == 1 && layout.is_float && layout.bits <= 32
}

/// Whether a value is computed by an operation with a packed form.
fn is_operation(value: Value) -> bool {
    if !value.is_instruction() {
        return false;
    }
    match value.opcode() {
        Opcode::LLVMFAdd
        | Opcode::LLVMFSub
        | Opcode::LLVMFMul
        | Opcode::LLVMFNeg
        | Opcode::LLVMFDiv => true,
        Opcode::LLVMCall => value.called_function().is_some_and(|function| {
            let name = function.name();
            [
                "llvm.fma",
                "llvm.fmuladd",
                "llvm.minnum",
                "llvm.maxnum",
                "llvm.fabs",
                "llvm.sqrt",
            ]
            .iter()
            .any(|known| name.starts_with(known))
        }),
        _ => false,
    }
}

/// Whether a value is the same in all lanes, and so in both halves: a constant or a broadcast.
fn is_for_all(value: Value) -> bool {
    if !value.is_instruction() {
        return value.is_constant();
    }
    value.is(Opcode::LLVMShuffleVector) && {
        let mask = value.shuffle_mask();
        mask.iter().all(|from| *from == mask[0])
    }
}

/// Candidate pairs of φs: those of one block that are computed alike.
fn phis(code: &Code<'_>) -> Vec<(Value, Value)> {
    let mut kinds: HashMap<Value, u64> = HashMap::new();
    let packable: Vec<Value> = code
        .instructions
        .iter()
        .flatten()
        .copied()
        .filter(|value| is_packable(code, *value))
        .collect();
    let has_phis = packable.iter().any(|value| value.is(Opcode::LLVMPHI));
    for _ in 0..if has_phis { 5 } else { 0 } {
        let of = |value: &Value| match kinds.get(value) {
            Some(kind) => *kind,
            None if is_for_all(*value) => 1,
            None => 2,
        };
        let mut next = HashMap::with_capacity(packable.len());
        for &value in &packable {
            let mut hasher = DefaultHasher::new();
            (value.opcode() as u32).hash(&mut hasher);
            if value.is(Opcode::LLVMCall) {
                value.called_function().hash(&mut hasher);
            }
            if value.is(Opcode::LLVMPHI) {
                for (from, _) in value.incoming() {
                    of(&from).hash(&mut hasher);
                }
            } else {
                for operand in value.operands() {
                    of(&operand).hash(&mut hasher);
                }
            }
            next.insert(value, hasher.finish());
        }
        kinds = next;
    }
    let mut found = Vec::new();
    for instructions in &code.instructions {
        let mut waiting: HashMap<u64, Value> = HashMap::new();
        for &phi in instructions {
            if !phi.is(Opcode::LLVMPHI) {
                break;
            }
            let Some(kind) = kinds.get(&phi) else {
                continue;
            };
            match waiting.remove(kind) {
                Some(first) => found.push((first, phi)),
                None => {
                    waiting.insert(*kind, phi);
                }
            }
        }
    }
    found
}

/// What an operand is to the two operations of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operand {
    /// A half of the pair with this first value.
    Of(Value),
    /// A value that is the same in all lanes.
    ForAll,
    /// A value that both operations must share.
    Same(Value),
}

/// What two operations must have in common to be a pair: opcode, callee and operands.
type Kind = (u32, Option<Value>, Vec<Operand>);

/// The pairs that follow if the candidates that are not refused hold, and the candidates that this
/// refutes.
fn attempt(
    code: &Code<'_>,
    phis: &[(Value, Value)],
    refused: &HashSet<Value>,
) -> (Pairs, Vec<Value>) {
    let mut pairs = Pairs::default();
    let kept: Vec<(Value, Value)> = phis
        .iter()
        .copied()
        .filter(|(first, _)| !refused.contains(first))
        .collect();
    for &(first, second) in &kept {
        pairs.add(first, second);
    }
    for instructions in &code.instructions {
        // Operations without a partner so far: of first halves, of second halves, and of neither.
        let mut waiting: [HashMap<Kind, Value>; 3] = Default::default();
        let mut components: HashMap<(Value, usize), Value> = HashMap::new();
        for &value in instructions {
            if !is_packable(code, value) {
                continue;
            }
            if value.is(Opcode::LLVMShuffleVector) {
                component(code, value, &mut components, &mut pairs);
                continue;
            }
            if !is_operation(value) {
                continue;
            }
            let Some((side, kind)) = kind(code, &pairs, value) else {
                continue;
            };
            let other = if side == 2 { 2 } else { 1 - side };
            match waiting[other].remove(&kind) {
                Some(before) if side == 0 => pairs.add(value, before),
                Some(before) => pairs.add(before, value),
                None => {
                    waiting[side].insert(kind, value);
                }
            }
        }
    }
    let agree =
        |a: Value, b: Value| a == b || pairs.holds(a, b) || (is_for_all(a) && is_for_all(b));
    let wrong = kept
        .iter()
        .filter(|(first, second)| {
            let others = second.incoming();
            !first.incoming().iter().all(|(value, from)| {
                others
                    .iter()
                    .find(|(_, block)| block == from)
                    .is_some_and(|(other, _)| agree(*value, *other))
            })
        })
        .map(|(first, _)| *first)
        .collect();
    (pairs, wrong)
}

/// Pairs a component of a de-interleaved vector with its neighbour.
fn component(
    code: &Code<'_>,
    shuffle: Value,
    components: &mut HashMap<(Value, usize), Value>,
    pairs: &mut Pairs,
) {
    let lanes = code.params.lanes as usize;
    let mask = shuffle.shuffle_mask();
    let source = shuffle.operand(0);
    let (_, width) = source.ty().vector_elements();
    let parts = width as usize / lanes.max(1);
    let Some(&Some(first)) = mask.first() else {
        return;
    };
    let apart = (0..mask.len()).all(|lane| mask[lane] == Some(first + lane * parts));
    if parts < 2 || !apart || mask.len() != lanes {
        return;
    }
    components.insert((source, first), shuffle);
    let other = components.get(&(source, first ^ 1)).copied();
    if let Some(other) = other.filter(|other| pairs.is_free(*other) && pairs.is_free(shuffle)) {
        if first % 2 == 1 {
            pairs.add(other, shuffle);
        } else {
            pairs.add(shuffle, other);
        }
    }
}

/// Which half of its operands' pairs an operation uses (2: no operand is paired), and its kind.
fn kind(code: &Code<'_>, pairs: &Pairs, value: Value) -> Option<(usize, Kind)> {
    let mut side = None;
    let mut operands = Vec::new();
    for operand in value.operands() {
        if operand.is_function() {
            continue;
        }
        let (of, this) = if is_for_all(operand) {
            (Operand::ForAll, None)
        } else if pairs.second.contains_key(&operand) {
            (Operand::Of(operand), Some(0))
        } else if let Some(first) = pairs.first.get(&operand) {
            (Operand::Of(*first), Some(1))
        } else {
            (Operand::Same(operand), None)
        };
        if let (Some(side), Some(this)) = (side, this)
            && side != this
        {
            return None;
        }
        side = side.or(this);
        operands.push(of);
    }
    let fuses = code.contracted_operand(value);
    let kind = value.opcode() as u32 + fuses.map_or(0, |place| 1000 * (place + 1));
    Some((side.unwrap_or(2), (kind, value.called_function(), operands)))
}
