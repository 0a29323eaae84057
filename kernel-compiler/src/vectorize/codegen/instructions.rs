//! Vector code of single instructions.

use super::builder::VectorBuilder;
use crate::analysis::all_lanes;
use crate::analysis::effects::is_annotation;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Opcode, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::instruction_queries::{
    components, is_integer_division, uses_double_division,
};
use llvm_sys::LLVMIntPredicate::*;

impl VectorBuilder<'_> {
    /// Writes the vector code of an instruction that is neither φ nor terminator.
    pub fn instruction(&mut self, instruction: Value) {
        let shape = self.shape(instruction);
        match instruction.opcode() {
            Opcode::LLVMLoad => self.load(instruction),
            Opcode::LLVMStore => self.store(instruction),
            Opcode::LLVMFence => {
                self.ir().insert(instruction.clone_instruction());
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                match self.plan().atomic_access_kind(instruction) {
                    AccessKind::UniformAtomic => self.uniform_atomic(instruction),
                    _ => self.scalarize(instruction),
                }
            }
            Opcode::LLVMCall => {
                if is_annotation(instruction) {
                    return;
                }
                if shape.is_scalar() && !instruction.ty().is_void() {
                    self.scalar_instruction(instruction, shape);
                } else if instruction.is_elementwise_call() {
                    self.elementwise_call(instruction);
                } else {
                    self.scalarize(instruction);
                }
            }
            Opcode::LLVMFreeze if all_lanes::is_condition(instruction) => {
                self.all_lanes_have(instruction);
            }
            _ if shape.is_scalar() => self.scalar_instruction(instruction, shape),
            _ if uses_double_division(instruction) => self.divide_by_doubles(instruction),
            Opcode::LLVMExtractElement => self.extract(instruction),
            Opcode::LLVMInsertElement => self.insert(instruction),
            Opcode::LLVMShuffleVector => self.shuffle(instruction),
            Opcode::LLVMExtractValue => {
                let parts = self.vectors_of(instruction.operand(0));
                let index = instruction.aggregate_indices()[0] as usize;
                self.define(instruction, vec![parts[index]]);
            }
            Opcode::LLVMInsertValue => {
                let mut parts = self.vectors_of(instruction.operand(0));
                let index = instruction.aggregate_indices()[0] as usize;
                parts[index] = self.vectors_of(instruction.operand(1))[0];
                self.define(instruction, parts);
            }
            Opcode::LLVMBitCast => self.bit_cast(instruction),
            Opcode::LLVMGetElementPtr => self.address(instruction),
            _ => self.elementwise(instruction),
        }
    }

    /// Whether all active lanes have a condition.
    fn all_lanes_have(&mut self, instruction: Value) {
        let condition = instruction.operand(0);
        if self.shape(condition).is_uniform() {
            let condition = self.scalar(condition);
            return self.define_scalar(instruction, condition);
        }
        if self.mask().is_none()
            && self.plan().has_checks()
            && let Some(every) = self.all_below(condition)
        {
            return self.define_scalar(instruction, every);
        }
        let mut lanes = self.vectors_of(condition)[0];
        if let Some(mask) = self.mask() {
            lanes = self.ir().select(mask, lanes, self.all_lanes());
        }
        let every = self.every(lanes);
        self.define_scalar(instruction, every);
    }

    /// Whether all lanes are below a limit that they share, of the first and last ones if the lanes
    /// are equally far from each other; none for other conditions. A check of bounds is such a
    /// condition. Unless the limit is negative as a signed number, no lane between two that are below
    /// it wraps around to above it.
    fn all_below(&mut self, condition: Value) -> Option<Value> {
        if condition.is(Opcode::LLVMAnd) {
            let first = self.all_below_or_uniform(condition.operand(0))?;
            let second = self.all_below_or_uniform(condition.operand(1))?;
            return Some(self.ir().and(first, second));
        }
        if !condition.is(Opcode::LLVMICmp) || condition.predicate() != LLVMIntULT {
            return None;
        }
        let (index, limit) = (condition.operand(0), condition.operand(1));
        let step = self.shape(index).stride_of(index)?.step;
        let distance = step.checked_mul(i64::from(self.lanes()) - 1)?;
        let is_wide = index.ty().is_integer() && index.ty().integer_bits() == 64;
        if !is_wide || !self.shape(limit).is_uniform() || i32::try_from(distance).is_err() {
            return None;
        }
        let (first, limit) = (self.scalar(index), self.scalar(limit));
        let b = self.ir();
        let last = b.add(first, index.ty().constant(distance as u64));
        let is_below = |lane| b.compare(LLVMIntULT, lane, limit);
        let both = b.and(is_below(first), is_below(last));
        let is_positive = b.compare(LLVMIntSGE, limit, limit.ty().constant(0));
        Some(b.and(is_positive, both))
    }

    fn all_below_or_uniform(&mut self, condition: Value) -> Option<Value> {
        match self.shape(condition).is_uniform() {
            true => Some(self.scalar(condition)),
            false => self.all_below(condition),
        }
    }

    /// Computes a value whose shape is scalar, for lane 0 only.
    fn scalar_instruction(&mut self, instruction: Value, shape: Shape) {
        if matches!(instruction.opcode(), Opcode::LLVMZExt | Opcode::LLVMSExt)
            && let Some(extended) = self.extended_from_active_lane(instruction, shape)
        {
            self.define_scalar(instruction, extended);
            return;
        }
        let operands = self.operands_in_lane_0(instruction);
        if instruction.opcode() == Opcode::LLVMOr && !shape.is_uniform() {
            // In an inactive lane 0 the operands may have common bits; only their sum is the right
            // distance from the active lanes' values.
            let sum = self.ir().add(operands[0], operands[1]);
            self.define_scalar(instruction, sum);
            return;
        }
        let copy = instruction.clone_instruction();
        for (index, operand) in operands.into_iter().enumerate() {
            copy.set_operand(index as u32, operand);
        }
        // What the flags promise may not hold for an inactive lane 0.
        if self.mask().is_some() && !shape.is_uniform() {
            copy.drop_promises();
        }
        self.ir().insert(copy);
        self.define_scalar(instruction, copy);
    }

    fn operands_in_lane_0(&mut self, instruction: Value) -> Vec<Value> {
        let operands = instruction.operands().into_iter();
        operands
            .map(|operand| {
                if operand.is_function() {
                    operand
                } else if self.shape(operand).is_scalar() {
                    self.scalar(operand)
                } else {
                    self.lane_0_index(operand)
                }
            })
            .collect()
    }

    /// Lane 0's value of an index that is strided only as part of its address.
    fn lane_0_index(&mut self, index: Value) -> Value {
        let operands = self.operands_in_lane_0(index);
        let copy = index.clone_instruction();
        for (number, operand) in operands.into_iter().enumerate() {
            copy.set_operand(number as u32, operand);
        }
        if self.mask().is_some() {
            copy.drop_promises();
        }
        self.ir().insert(copy);
        copy
    }

    /// The extension of lane 0's value where lane 0 may be inactive: the narrow value may wrap
    /// there. Extends the first active lane's value and subtracts the lanes' distance. None if
    /// the plain extension is right.
    fn extended_from_active_lane(&mut self, instruction: Value, shape: Shape) -> Option<Value> {
        let operand = instruction.operand(0);
        let from = self.shape(operand).stride_of(operand)?;
        let step = shape.step()?;
        let mask = self.mask()?;
        if from.step == 0 {
            return None;
        }
        if from.valid_if_inactive {
            // A value may be negative in an inactive lane 0 only.
            let may_be_negative = instruction.opcode() == Opcode::LLVMZExt && !from.unsigned;
            return may_be_negative.then(|| {
                let value = self.scalar(operand);
                self.ir().sign_extend(value, instruction.ty())
            });
        }
        let first = self.first_active_lane(mask);
        let value = self.scalar(operand);
        let narrow = self.ir().resize(first, operand.ty());
        let distance = self
            .ir()
            .multiply(narrow, operand.ty().constant(from.step as u64));
        let in_lane = self.ir().add(value, distance);
        let extended = if instruction.opcode() == Opcode::LLVMSExt {
            self.ir().sign_extend(in_lane, instruction.ty())
        } else {
            self.ir().zero_extend(in_lane, instruction.ty())
        };
        let wide = self.ir().resize(first, instruction.ty());
        let distance_to_0 = self
            .ir()
            .multiply(wide, instruction.ty().constant(step as u64));
        Some(self.ir().binary(Opcode::LLVMSub, extended, distance_to_0))
    }

    fn elementwise(&mut self, instruction: Value) {
        let results = components(instruction.ty()).expect("checked before");
        let operands: Vec<Vec<Value>> = instruction
            .operands()
            .into_iter()
            .map(|operand| self.vectors_of(operand))
            .collect();
        let divides = is_integer_division(instruction);
        let parts = results
            .iter()
            .enumerate()
            .map(|(part, ty)| {
                let mut operands: Vec<Value> = operands
                    .iter()
                    .map(|parts| *parts.get(part).unwrap_or(&parts[0]))
                    .collect();
                if divides
                    && !is_safe_divisor(operands[1])
                    && let Some(mask) = self.mask()
                {
                    // Inactive lanes must not divide by zero.
                    let one = ty.constant(1).in_all_elements(self.lanes());
                    operands[1] = self.ir().select(mask, operands[1], one);
                }
                self.ir()
                    .alike(instruction, &operands, ty.vector(self.lanes()))
            })
            .collect();
        self.define(instruction, parts);
    }

    fn elementwise_call(&mut self, call: Value) {
        let results = components(call.ty()).expect("checked before");
        let count = call.operands().len() as u32 - 1;
        let operands: Vec<Vec<Value>> = (0..count)
            .map(|index| {
                let operand = call.operand(index);
                if call.operand_stays_scalar(index) {
                    vec![operand]
                } else {
                    self.vectors_of(operand)
                }
            })
            .collect();
        let parts = results
            .iter()
            .enumerate()
            .map(|(part, ty)| {
                let operands: Vec<Value> = operands
                    .iter()
                    .map(|parts| *parts.get(part).unwrap_or(&parts[0]))
                    .collect();
                self.ir().alike(call, &operands, ty.vector(self.lanes()))
            })
            .collect();
        self.define(call, parts);
    }

    fn address(&mut self, instruction: Value) {
        let operands: Vec<Value> = instruction
            .operands()
            .into_iter()
            .map(|operand| {
                if self.shape(operand).is_uniform() {
                    self.scalar(operand)
                } else {
                    self.vectors_of(operand)[0]
                }
            })
            .collect();
        let address = self.ir().alike(instruction, &operands, instruction.ty());
        // The addresses of inactive lanes may be out of bounds.
        if self.mask().is_some() && address.is_instruction() {
            address.drop_promises();
        }
        self.define(instruction, vec![address]);
    }

    fn extract(&mut self, instruction: Value) {
        let parts = self.vectors_of(instruction.operand(0));
        let index = instruction.operand(1);
        let part = match index.as_integer() {
            Some(index) => parts
                .get(index as usize)
                .copied()
                .unwrap_or_else(|| parts[0].ty().poison()),
            None => {
                let index = self.vectors_of(index)[0];
                let mut found = parts[0];
                for (number, part) in parts.iter().enumerate().skip(1) {
                    let here = self.equals_number(index, number);
                    found = self.ir().select(here, *part, found);
                }
                found
            }
        };
        self.define(instruction, vec![part]);
    }

    fn insert(&mut self, instruction: Value) {
        let mut parts = self.vectors_of(instruction.operand(0));
        let element = self.vectors_of(instruction.operand(1))[0];
        let index = instruction.operand(2);
        match index.as_integer() {
            Some(index) => {
                if let Some(part) = parts.get_mut(index as usize) {
                    *part = element;
                }
            }
            None => {
                let index = self.vectors_of(index)[0];
                for (number, part) in parts.iter_mut().enumerate() {
                    let here = self.equals_number(index, number);
                    *part = self.ir().select(here, element, *part);
                }
            }
        }
        self.define(instruction, parts);
    }

    fn equals_number(&self, index: Value, number: usize) -> Value {
        let (ty, _) = index.ty().vector_elements();
        let number = ty.constant(number as u64).in_all_elements(self.lanes());
        self.ir().compare(LLVMIntEQ, index, number)
    }

    fn shuffle(&mut self, instruction: Value) {
        let mut parts = self.vectors_of(instruction.operand(0));
        parts.extend(self.vectors_of(instruction.operand(1)));
        let nothing = parts[0].ty().poison();
        let chosen = instruction
            .shuffle_mask()
            .into_iter()
            .map(|element| element.map_or(nothing, |element| parts[element]))
            .collect();
        self.define(instruction, chosen);
    }

    fn bit_cast(&mut self, instruction: Value) {
        let from = components(instruction.operand(0).ty()).expect("checked before");
        let to = components(instruction.ty()).expect("checked before");
        let parts = self.vectors_of(instruction.operand(0));
        let cast: Vec<Value> = if from.len() == to.len() {
            parts
                .iter()
                .zip(&to)
                .map(|(part, ty)| self.ir().bit_cast(*part, ty.vector(self.lanes())))
                .collect()
        } else {
            // The bits are the same in the order of memory.
            let all = self.ir().interleave(&parts);
            let ty = to[0].vector(self.lanes() * to.len() as u32);
            let all = self.ir().bit_cast(all, ty);
            self.ir().deinterleave(all, to.len())
        };
        self.define(instruction, cast);
    }
}

/// Whether any integer can be divided by a constant: it is neither 0 nor -1.
fn is_safe_divisor(divisors: Value) -> bool {
    let element = divisors.is_constant().then(|| divisors.constant_element(0));
    let constant = element.flatten().and_then(Value::as_signed_integer);
    constant.is_some_and(|constant| !matches!(constant, 0 | -1))
}
