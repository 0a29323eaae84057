//! Computes with 16 bits what is loaded with 8 or 16 and fits, as sums of pixels do: OpenCL C computes
//! with 32, and vectors of these take twice as many registers.

use crate::analysis::integer_range::{Bound, Range, Ranges};
use crate::ir::{self, Builder, Opcode, Value};
use std::collections::{HashMap, HashSet};

const WIDE: u32 = 32;
const NARROW: u32 = 16;

/// What conversions of a vector of wide integers cost, in operations on a vector of narrow ones.
const EXTENSION_COST: i64 = 2;
const TRUNCATION_COST: i64 = 3;

/// Narrows the expressions of a function in which that saves more than conversions cost.
pub fn narrow_expressions(function: Value) {
    let ranges = Ranges::compute(function);
    let mut candidates = Candidates::find(function, &ranges);
    candidates.keep_profitable();
    if !candidates.order.is_empty() {
        candidates.rewrite(function);
    }
}

/// How the bits above the narrow ones follow from these.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Signed,
    Unsigned,
}

impl Extension {
    fn for_range(range: Range) -> Option<Self> {
        if range.is_within(Range::signed(NARROW)) {
            Some(Self::Signed)
        } else if range.is_within(Range::unsigned(NARROW)) {
            Some(Self::Unsigned)
        } else {
            None
        }
    }

    /// That of numbers which are compared or shifted together.
    fn common(ranges: &[Range]) -> Option<Self> {
        let joined = ranges.iter().copied().reduce(Range::union)?;
        Self::for_range(joined)
    }

    fn opcode(self) -> Opcode {
        match self {
            Self::Signed => Opcode::LLVMSExt,
            Self::Unsigned => Opcode::LLVMZExt,
        }
    }
}

/// How a candidate is computed with narrow integers.
#[derive(Clone, Copy)]
enum Form {
    /// Extended from fewer bits.
    Extended(Opcode),
    /// By the same operation: the lower bits of the result depend on those of the operands only.
    Same(Opcode),
    /// By a shift right of the operand's kind.
    ShiftRight(Opcode),
    Bound(Bound),
    Select,
}

struct Candidate {
    form: Form,
    extension: Extension,
}

struct Candidates {
    found: HashMap<Value, Candidate>,
    /// In the order of the function.
    order: Vec<Value>,
}

impl Candidates {
    fn find(function: Value, ranges: &Ranges) -> Self {
        let mut candidates = Self {
            found: HashMap::new(),
            order: Vec::new(),
        };
        for instruction in function.instructions() {
            let ty = instruction.ty();
            if !ty.is_integer() || ty.integer_bits() != WIDE {
                continue;
            }
            let range = ranges.range(instruction).expect("it has 32 bits");
            let Some(extension) = Extension::for_range(range) else {
                continue;
            };
            if let Some(form) = candidates.form(instruction, ranges) {
                candidates
                    .found
                    .insert(instruction, Candidate { form, extension });
                candidates.order.push(instruction);
            }
        }
        candidates
    }

    /// The form of a value that is computed from loaded ones. Others, such as indices, stay as they
    /// are: their strides would be lost.
    fn form(&self, instruction: Value, ranges: &Ranges) -> Option<Form> {
        let range = |index: u32| ranges.range(instruction.operand(index));
        let of_loaded = |operands: &[u32]| {
            let mut operands = operands.iter().map(|index| instruction.operand(*index));
            operands.any(|operand| self.found.contains_key(&operand))
        };
        let opcode = instruction.opcode();
        match opcode {
            Opcode::LLVMZExt | Opcode::LLVMSExt => {
                let from = instruction.operand(0);
                let is_narrow = (2..=NARROW).contains(&from.ty().integer_bits());
                let is_loaded = from.is_instruction() && from.is(Opcode::LLVMLoad);
                (is_narrow && is_loaded).then_some(Form::Extended(opcode))
            }
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor => of_loaded(&[0, 1]).then_some(Form::Same(opcode)),
            Opcode::LLVMShl => {
                let by = instruction.operand(1).as_integer()?;
                let fits = by < u64::from(NARROW);
                (fits && of_loaded(&[0])).then_some(Form::Same(opcode))
            }
            Opcode::LLVMLShr | Opcode::LLVMAShr => {
                let by = instruction.operand(1).as_integer()?;
                let extension = Extension::for_range(range(0)?)?;
                let keeps_sign = opcode == Opcode::LLVMAShr || range(0)?.is_not_negative();
                let fits = by < u64::from(NARROW) && keeps_sign && of_loaded(&[0]);
                let shift = match extension {
                    Extension::Signed => Opcode::LLVMAShr,
                    Extension::Unsigned => Opcode::LLVMLShr,
                };
                fits.then_some(Form::ShiftRight(shift))
            }
            Opcode::LLVMSelect => of_loaded(&[1, 2]).then_some(Form::Select),
            Opcode::LLVMCall => self.bound(instruction, ranges),
            _ => None,
        }
    }

    fn bound(&self, call: Value, ranges: &Ranges) -> Option<Form> {
        let bound = Bound::recognize(call)?;
        let range = |index: u32| ranges.range(call.operand(index));
        if bound == Bound::Absolute {
            let fits = range(0)?.is_within(Range::signed(NARROW));
            let is_loaded = self.found.contains_key(&call.operand(0));
            return (fits && is_loaded).then_some(Form::Bound(bound));
        }
        let both = [range(0)?, range(1)?];
        let is_loaded = (0..2).any(|index| self.found.contains_key(&call.operand(index)));
        let not_negative = both.iter().all(|range| range.is_not_negative());
        let fits = is_loaded && (not_negative || !bound.is_unsigned());
        Extension::common(&both).filter(|_| fits).map(|extension| {
            Form::Bound(match extension {
                Extension::Signed => bound.signed(),
                Extension::Unsigned => bound.unsigned(),
            })
        })
    }

    /// Drops the expressions, connected by their values, in which conversions cost more than narrow
    /// integers save.
    fn keep_profitable(&mut self) {
        let mut groups = Groups::default();
        let mut saved: HashMap<Value, i64> = HashMap::new();
        for value in &self.order {
            for operand in self.narrow_operands(*value) {
                if self.found.contains_key(&operand) {
                    groups.join(*value, operand);
                }
            }
        }
        for value in &self.order {
            let balance = self.saved_by(*value);
            *saved.entry(groups.leader(*value)).or_default() += balance;
        }
        let is_profitable = |value: &Value| saved[&groups.leader(*value)] > 0;
        self.order.retain(is_profitable);
        let kept: HashSet<Value> = self.order.iter().copied().collect();
        self.found.retain(|value, _| kept.contains(value));
    }

    /// Operations that one candidate saves, less those of its conversions.
    fn saved_by(&self, value: Value) -> i64 {
        let operation = match self.found[&value].form {
            Form::Same(Opcode::LLVMMul) => 2,
            _ => 1,
        };
        let is_truncated =
            |operand: &Value| !operand.is_constant() && !self.found.contains_key(operand);
        let operands = match self.found[&value].form {
            Form::Extended(_) => Vec::new(),
            _ => self.narrow_operands(value),
        };
        let truncated = operands
            .iter()
            .filter(|operand| is_truncated(operand))
            .count() as i64;
        let is_extended = value.users().iter().any(|user| self.needs_wide(*user));
        operation - TRUNCATION_COST * truncated - EXTENSION_COST * i64::from(is_extended)
    }

    /// Whether a user of a candidate needs 32 bits.
    fn needs_wide(&self, user: Value) -> bool {
        !is_truncation(user) && !self.found.contains_key(&user)
    }

    /// The operands that a candidate takes with 16 bits.
    fn narrow_operands(&self, value: Value) -> Vec<Value> {
        match self.found[&value].form {
            Form::Extended(_) => Vec::new(),
            Form::Same(_) => vec![value.operand(0), value.operand(1)],
            Form::ShiftRight(_) | Form::Bound(Bound::Absolute) => vec![value.operand(0)],
            Form::Bound(_) => vec![value.operand(0), value.operand(1)],
            Form::Select => vec![value.operand(1), value.operand(2)],
        }
    }

    fn rewrite(&self, function: Value) {
        let b = Builder::new(function.ty().context());
        let mut rewriting = Rewriting {
            candidates: self,
            narrow: HashMap::new(),
            b,
        };
        for value in &self.order {
            rewriting.b.before(*value);
            rewriting.b.of_the_line_of(*value);
            let narrow = rewriting.computed(*value);
            rewriting.narrow.insert(*value, narrow);
        }
        for value in &self.order {
            rewriting.replace(*value);
        }
        // What is left of their uses is in other candidates.
        for value in &self.order {
            value.replace_all_uses_with(value.ty().poison());
            value.erase();
        }
    }
}

struct Rewriting<'a> {
    candidates: &'a Candidates,
    /// The narrow values of candidates.
    narrow: HashMap<Value, Value>,
    b: Builder,
}

impl Rewriting<'_> {
    fn computed(&self, value: Value) -> Value {
        let b = &self.b;
        let ty = ir::Type::integer(value.ty().context(), NARROW);
        let narrow = |index: u32| self.narrow_of(value.operand(index));
        match self.candidates.found[&value].form {
            Form::Extended(opcode) => {
                let from = value.operand(0);
                if from.ty() == ty {
                    from
                } else {
                    b.cast(opcode, from, ty)
                }
            }
            Form::Same(opcode) => b.binary(opcode, narrow(0), narrow(1)),
            Form::ShiftRight(opcode) => b.binary(opcode, narrow(0), narrow(1)),
            Form::Select => b.select(value.operand(0), narrow(1), narrow(2)),
            Form::Bound(bound) => {
                let second = match bound {
                    // The smallest narrow number has an absolute value, as an unsigned one.
                    Bound::Absolute => value.operand(1).ty().constant(0),
                    _ => narrow(1),
                };
                let module = value.block().function().module();
                let name = bound.intrinsic(NARROW);
                let function = ir::function(module, &name).unwrap_or_else(|| {
                    let parameters = [ty, second.ty()];
                    ir::add_function(module, &name, ir::Type::function(ty, &parameters))
                });
                b.call(function, &[narrow(0), second])
            }
        }
    }

    /// The lower bits of an operand.
    fn narrow_of(&self, operand: Value) -> Value {
        let ty = ir::Type::integer(operand.ty().context(), NARROW);
        match (self.narrow.get(&operand), operand.as_integer()) {
            (Some(narrow), _) => *narrow,
            (None, Some(constant)) => ty.constant(constant & u64::from(u16::MAX)),
            (None, None) => self.b.truncate(operand, ty),
        }
    }

    /// Gives users of a candidate that are none its narrow value, extended where they need that.
    fn replace(&self, value: Value) {
        let narrow = self.narrow[&value];
        let users = value.users();
        for user in users.iter().filter(|user| is_truncation(**user)) {
            self.b.before(*user);
            let same = user.ty() == narrow.ty();
            let truncated = if same {
                narrow
            } else {
                self.b.truncate(narrow, user.ty())
            };
            user.replace_all_uses_with(truncated);
            user.erase();
        }
        if users.iter().any(|user| self.candidates.needs_wide(*user)) {
            self.b.before(value);
            self.b.of_the_line_of(value);
            let extension = self.candidates.found[&value].extension.opcode();
            value.replace_all_uses_with(self.b.cast(extension, narrow, value.ty()));
        }
    }
}

/// Whether an instruction reads at most the narrow part of its operand.
fn is_truncation(user: Value) -> bool {
    user.is(Opcode::LLVMTrunc) && user.ty().integer_bits() <= NARROW
}

/// Disjoint sets of values.
#[derive(Default)]
struct Groups {
    parents: HashMap<Value, Value>,
}

impl Groups {
    fn leader(&self, value: Value) -> Value {
        let mut leader = value;
        while let Some(parent) = self.parents.get(&leader) {
            leader = *parent;
        }
        leader
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.leader(a), self.leader(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }
}
