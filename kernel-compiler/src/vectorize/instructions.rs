//! Instructions that compute, for a group of lanes.

use super::access::AccessKind;
use super::integer_division;
use super::linearise::VectorBuilder;
use super::values::{Form, components};
use crate::analysis::effects::is_annotation;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Opcode, Value};
use llvm_sys::LLVMIntPredicate::*;

impl VectorBuilder<'_> {
    /// Writes an instruction that is neither φ nor terminator.
    pub fn instruction(&mut self, instruction: Value) {
        let shape = self.shape(instruction);
        match instruction.opcode() {
            Opcode::LLVMLoad => self.load(instruction),
            Opcode::LLVMStore => self.store(instruction),
            Opcode::LLVMFence => {
                self.b.insert(instruction.clone_instruction());
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                match self.plan.atomic_access_kind(instruction) {
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
            _ if shape.is_scalar() => self.scalar_instruction(instruction, shape),
            _ if integer_division::uses_double_division(instruction) => {
                self.divide_by_doubles(instruction)
            }
            Opcode::LLVMExtractElement => self.extract(instruction),
            Opcode::LLVMInsertElement => self.insert(instruction),
            Opcode::LLVMShuffleVector => self.shuffle(instruction),
            Opcode::LLVMExtractValue => {
                let parts = self.lanes_of(instruction.operand(0));
                let index = instruction.aggregate_indices()[0] as usize;
                self.define(instruction, vec![parts[index]]);
            }
            Opcode::LLVMInsertValue => {
                let mut parts = self.lanes_of(instruction.operand(0));
                let index = instruction.aggregate_indices()[0] as usize;
                parts[index] = self.lanes_of(instruction.operand(1))[0];
                self.define(instruction, parts);
            }
            Opcode::LLVMBitCast => self.bit_cast(instruction),
            Opcode::LLVMGetElementPtr => self.address(instruction),
            _ => self.elementwise(instruction),
        }
    }

    /// Notes the components of what an instruction makes.
    pub fn define(&mut self, instruction: Value, parts: Vec<Value>) {
        self.forms.insert(instruction, Form::Lanes(parts));
    }

    /// Once for all lanes: lane 0's.
    fn scalar_instruction(&mut self, instruction: Value, shape: Shape) {
        if matches!(instruction.opcode(), Opcode::LLVMZExt | Opcode::LLVMSExt)
            && let Some(extended) = self.extended_from_active_lane(instruction, shape)
        {
            self.forms.insert(instruction, Form::Scalar(extended));
            return;
        }
        let operands: Vec<Value> = (0..instruction.operands().len() as u32)
            .map(|index| {
                let operand = instruction.operand(index);
                if operand.is_function() {
                    operand
                } else if self.shape(operand).is_scalar() {
                    self.scalar(operand)
                } else {
                    self.lane_0_index(operand)
                }
            })
            .collect();
        if instruction.opcode() == Opcode::LLVMOr && !shape.is_uniform() {
            // Where lane 0 takes no part the two may have bits in common: then only a sum has
            // the same step to every lane.
            let sum = self.b.add(operands[0], operands[1]);
            self.forms.insert(instruction, Form::Scalar(sum));
            return;
        }
        let copy = instruction.clone_instruction();
        for (index, operand) in operands.into_iter().enumerate() {
            copy.set_operand(index as u32, operand);
        }
        // Lane 0 may take no part, and what the flags promise not hold for it.
        if self.mask.is_some() && !shape.is_uniform() {
            copy.drop_promises();
        }
        self.b.insert(copy);
        self.forms.insert(instruction, Form::Scalar(copy));
    }

    /// An index that varies as far as is known of it alone; lane 0's is that of the address.
    fn lane_0_index(&mut self, index: Value) -> Value {
        let operands: Vec<Value> = index.operands();
        let operands: Vec<Value> = operands.into_iter().map(|o| self.scalar(o)).collect();
        let copy = index.clone_instruction();
        for (number, operand) in operands.into_iter().enumerate() {
            copy.set_operand(number as u32, operand);
        }
        if self.mask.is_some() {
            copy.drop_promises();
        }
        self.b.insert(copy);
        copy
    }

    /// An extension is right for lanes that take part; so is what is reckoned back from one
    /// of them to lane 0.
    fn extended_from_active_lane(&mut self, instruction: Value, shape: Shape) -> Option<Value> {
        let operand = instruction.operand(0);
        let from = self.shape(operand).stride()?;
        let step = shape.step()?;
        let mask = self.mask?;
        if from.step == 0 {
            return None;
        }
        if from.valid_if_inactive {
            // What is not negative for lanes that take part may be for lane 0.
            let may_be_negative = instruction.opcode() == Opcode::LLVMZExt && !from.unsigned;
            return may_be_negative.then(|| {
                let value = self.scalar(operand);
                self.b.sign_extend(value, instruction.ty())
            });
        }
        let first = match self.first_active {
            Some(first) => first,
            None => {
                let bits = self.bits(mask);
                let first = self.b.count_trailing_zeros(bits);
                let first = self.b.resize(first, self.b.i64());
                self.first_active = Some(first);
                first
            }
        };
        let value = self.scalar(operand);
        let narrow = self.b.resize(first, operand.ty());
        let moved = self
            .b
            .multiply(narrow, operand.ty().constant(from.step as u64));
        let there = self.b.add(value, moved);
        let extended = if instruction.opcode() == Opcode::LLVMSExt {
            self.b.sign_extend(there, instruction.ty())
        } else {
            self.b.zero_extend(there, instruction.ty())
        };
        let wide = self.b.resize(first, instruction.ty());
        let back = self
            .b
            .multiply(wide, instruction.ty().constant(step as u64));
        Some(self.b.binary(Opcode::LLVMSub, extended, back))
    }

    fn elementwise(&mut self, instruction: Value) {
        let results = components(instruction.ty()).expect("checked before");
        let operands: Vec<Vec<Value>> = instruction
            .operands()
            .into_iter()
            .map(|operand| self.lanes_of(operand))
            .collect();
        let divides = matches!(
            instruction.opcode(),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem
        );
        let parts = results
            .iter()
            .enumerate()
            .map(|(part, ty)| {
                let mut operands: Vec<Value> = operands
                    .iter()
                    .map(|parts| *parts.get(part).unwrap_or(&parts[0]))
                    .collect();
                if divides && let Some(mask) = self.mask {
                    // Lanes that take no part must not divide by zero.
                    let one = ty.constant(1).in_all_elements(self.width());
                    operands[1] = self.b.select(mask, operands[1], one);
                }
                self.b
                    .alike(instruction, &operands, ty.vector(self.width()))
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
                    self.lanes_of(operand)
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
                self.b.alike(call, &operands, ty.vector(self.width()))
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
                    self.lanes_of(operand)[0]
                }
            })
            .collect();
        let address = self.b.alike(instruction, &operands, instruction.ty());
        // Lanes that take no part may leave the object.
        if self.mask.is_some() && address.is_instruction() {
            address.drop_promises();
        }
        self.define(instruction, vec![address]);
    }

    fn extract(&mut self, instruction: Value) {
        let parts = self.lanes_of(instruction.operand(0));
        let index = instruction.operand(1);
        let part = match index.as_integer() {
            Some(index) => parts
                .get(index as usize)
                .copied()
                .unwrap_or_else(|| parts[0].ty().poison()),
            None => {
                let index = self.lanes_of(index)[0];
                let mut found = parts[0];
                for (number, part) in parts.iter().enumerate().skip(1) {
                    let here = self.equals_number(index, number);
                    found = self.b.select(here, *part, found);
                }
                found
            }
        };
        self.define(instruction, vec![part]);
    }

    fn insert(&mut self, instruction: Value) {
        let mut parts = self.lanes_of(instruction.operand(0));
        let element = self.lanes_of(instruction.operand(1))[0];
        let index = instruction.operand(2);
        match index.as_integer() {
            Some(index) => {
                if let Some(part) = parts.get_mut(index as usize) {
                    *part = element;
                }
            }
            None => {
                let index = self.lanes_of(index)[0];
                for (number, part) in parts.iter_mut().enumerate() {
                    let here = self.equals_number(index, number);
                    *part = self.b.select(here, element, *part);
                }
            }
        }
        self.define(instruction, parts);
    }

    fn equals_number(&self, index: Value, number: usize) -> Value {
        let (ty, _) = index.ty().vector_elements();
        let number = ty.constant(number as u64).in_all_elements(self.width());
        self.b.compare(LLVMIntEQ, index, number)
    }

    fn shuffle(&mut self, instruction: Value) {
        let mut parts = self.lanes_of(instruction.operand(0));
        parts.extend(self.lanes_of(instruction.operand(1)));
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
        let parts = self.lanes_of(instruction.operand(0));
        let cast: Vec<Value> = if from.len() == to.len() {
            parts
                .iter()
                .zip(&to)
                .map(|(part, ty)| self.b.bit_cast(*part, ty.vector(self.width())))
                .collect()
        } else {
            // Work-item after work-item the bits are the same.
            let all = self.interleave(&parts);
            let ty = to[0].vector(self.width() * to.len() as u32);
            let all = self.b.bit_cast(all, ty);
            self.deinterleave(all, to.len(), to.len())
        };
        self.define(instruction, cast);
    }

    /// Components of all lanes as they are in memory, work-item after work-item.
    pub fn interleave(&self, parts: &[Value]) -> Value {
        let lanes = self.width();
        let count = parts.len() as u32;
        if count == 1 {
            return parts[0];
        }
        let all = self.concatenate(parts);
        let order: Vec<u32> = (0..lanes * count)
            .map(|at| at % count * lanes + at / count)
            .collect();
        self.b.shuffle(all, all.ty().poison(), &order)
    }

    /// VectorUnit of equal length, one after the other.
    pub fn concatenate(&self, parts: &[Value]) -> Value {
        let mut parts = parts.to_vec();
        let (element, length) = parts[0].ty().vector_elements();
        let total = length * parts.len() as u32;
        while !parts.len().is_power_of_two() {
            parts.push(element.vector(length).poison());
        }
        let mut length = length;
        while parts.len() > 1 {
            let order: Vec<u32> = (0..2 * length).collect();
            parts = parts
                .chunks(2)
                .map(|pair| self.b.shuffle(pair[0], pair[1], &order))
                .collect();
            length *= 2;
        }
        if length == total {
            return parts[0];
        }
        let order: Vec<u32> = (0..total).collect();
        self.b.shuffle(parts[0], parts[0].ty().poison(), &order)
    }

    /// The first `count` components of what lies work-item after work-item, `step` elements
    /// from one to the next.
    pub fn deinterleave(&self, all: Value, count: usize, step: usize) -> Vec<Value> {
        if step == 1 {
            return vec![all];
        }
        (0..count)
            .map(|part| {
                let order: Vec<u32> = (0..self.width())
                    .map(|lane| lane * step as u32 + part as u32)
                    .collect();
                self.b.shuffle(all, all.ty().poison(), &order)
            })
            .collect()
    }
}
