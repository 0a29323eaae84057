//! Values over lanes: one scalar where the shape says the rest, else a vector for each
//! component of the work-item's value.

use super::linearise::VectorBuilder;
use crate::analysis::lane_shape::Shape;
use crate::intrinsics::address_space;
use crate::ir::{Opcode, Type, TypeKind, Value, constant_vector};
use llvm_sys::LLVMIntPredicate::*;

/// A value of the body for a group of lanes.
#[derive(Clone, Debug)]
pub enum Form {
    /// Lane 0's; the shape says the others'.
    Scalar(Value),
    /// For each component (an element of an OpenCL vector, a field of a structure; one for
    /// a scalar) a vector with an element for each lane.
    Lanes(Vec<Value>),
}

/// Where a value is kept for other blocks.
#[derive(Clone, Debug)]
pub enum Variable {
    /// Of a scalar.
    Scalar(Value, Type),
    /// Of each component.
    Lanes(Vec<(Value, Type)>),
}

/// The types of a value's components; none if it is made in other ways than these.
pub fn components(ty: Type) -> Option<Vec<Type>> {
    let is_scalar = |ty: Type| {
        matches!(
            ty.kind(),
            TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMHalfTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind
                | TypeKind::LLVMPointerTypeKind
        )
    };
    let parts = match ty.kind() {
        TypeKind::LLVMVectorTypeKind => {
            let (element, count) = ty.vector_elements();
            vec![element; count as usize]
        }
        TypeKind::LLVMStructTypeKind => ty.fields(),
        TypeKind::LLVMArrayTypeKind => {
            let (element, count) = ty.array_elements();
            vec![element; usize::try_from(count).ok().filter(|count| *count <= 64)?]
        }
        _ => vec![ty],
    };
    parts.iter().all(|part| is_scalar(*part)).then_some(parts)
}

impl VectorBuilder<'_> {
    /// How many lanes there are.
    pub fn width(&self) -> u32 {
        self.plan.lanes
    }

    /// A value's shape.
    pub fn shape(&self, value: Value) -> Shape {
        self.plan.divergence.of(value)
    }

    /// New variables for a value.
    pub fn variable(&self, value: Value) -> Variable {
        if self.shape(value).is_scalar() {
            let ty = value.ty();
            return Variable::Scalar(self.b.alloca(ty, ""), ty);
        }
        let parts = components(value.ty()).expect("checked before");
        Variable::Lanes(
            parts
                .into_iter()
                .map(|part| {
                    let ty = part.vector(self.width());
                    (self.b.alloca(ty, ""), ty)
                })
                .collect(),
        )
    }

    /// What a variable holds.
    pub fn read(&self, variable: &Variable) -> Form {
        let read = |variable: Value, ty: Type| self.b.load(ty, variable, variable.alignment());
        match variable {
            Variable::Scalar(variable, ty) => Form::Scalar(read(*variable, *ty)),
            Variable::Lanes(parts) => Form::Lanes(
                parts
                    .iter()
                    .map(|(variable, ty)| read(*variable, *ty))
                    .collect(),
            ),
        }
    }

    /// Writes a variable.
    pub fn write(&self, variable: &Variable, form: Form) {
        match (variable, form) {
            (Variable::Scalar(variable, _), Form::Scalar(value)) => {
                self.b.store(value, *variable, variable.alignment());
            }
            (Variable::Lanes(parts), Form::Lanes(values)) => {
                for ((variable, _), value) in parts.iter().zip(values) {
                    self.b.store(value, *variable, variable.alignment());
                }
            }
            _ => unreachable!("forms follow from shapes"),
        }
    }

    /// Writes the lanes of a mask.
    pub fn write_where(&self, variable: &Variable, form: Form, mask: Value) {
        let (Form::Lanes(before), Form::Lanes(values)) = (self.read(variable), form) else {
            unreachable!("where lanes meet, values vary");
        };
        let merged = before
            .into_iter()
            .zip(values)
            .map(|(before, value)| self.b.select(mask, value, before))
            .collect();
        self.write(variable, Form::Lanes(merged));
    }

    /// Makes what a variable holds meaningless.
    pub fn poison(&self, variable: &Variable) {
        match variable {
            Variable::Scalar(variable, ty) => {
                self.b.store(ty.poison(), *variable, variable.alignment());
            }
            Variable::Lanes(parts) => {
                for (variable, ty) in parts {
                    self.b.store(ty.poison(), *variable, variable.alignment());
                }
            }
        }
    }

    /// Keeps a value for other blocks, if they use it.
    pub fn save(&self, value: Value) {
        if let Some(crossing) = self.crossing.get(&value) {
            self.write(&crossing.made, self.forms[&value].clone());
        }
    }

    fn form(&mut self, value: Value) -> Form {
        if let Some(form) = self.forms.get(&value) {
            return form.clone();
        }
        let form = if value == self.plan.work_items.induction {
            Form::Scalar(self.base)
        } else if let Some(array) = self.private.get(&value) {
            Form::Scalar(*array)
        } else if self.is_inside(value) {
            self.read(&self.crossing[&value].made)
        } else {
            Form::Scalar(value)
        };
        self.forms.insert(value, form.clone());
        form
    }

    /// Lane 0's value of what is uniform or strided.
    pub fn scalar(&mut self, value: Value) -> Value {
        match self.form(value) {
            Form::Scalar(value) => value,
            Form::Lanes(_) => unreachable!("{} varies", value.text()),
        }
    }

    /// A value's components over all lanes.
    pub fn lanes_of(&mut self, value: Value) -> Vec<Value> {
        if let Some(wide) = self.wide.get(&value) {
            return wide.clone();
        }
        let wide = match self.form(value) {
            Form::Lanes(parts) => parts,
            Form::Scalar(scalar) => {
                let step = self.shape(value).step().expect("a scalar's shape");
                self.spread(scalar, step)
            }
        };
        self.wide.insert(value, wide.clone());
        wide
    }

    /// Lane 0's value and the step from lane to lane as vectors.
    fn spread(&self, scalar: Value, step: i64) -> Vec<Value> {
        let ty = scalar.ty();
        if step != 0 {
            let first = self.b.splat(scalar, self.width());
            let steps = |ty: Type| {
                let steps: Vec<Value> = (0..i64::from(self.width()))
                    .map(|lane| ty.constant((lane * step) as u64))
                    .collect();
                constant_vector(&steps)
            };
            return vec![if ty.is_pointer() {
                self.b.offset_each(first, steps(self.b.i64()))
            } else {
                self.b.binary(Opcode::LLVMAdd, first, steps(ty))
            }];
        }
        let parts = self.parts_of(scalar);
        parts
            .into_iter()
            .map(|part| self.b.splat(part, self.width()))
            .collect()
    }

    /// The components of one work-item's value.
    pub fn parts_of(&self, value: Value) -> Vec<Value> {
        let ty = value.ty();
        let count = components(ty).expect("checked before").len() as u32;
        match ty.kind() {
            TypeKind::LLVMVectorTypeKind => (0..count)
                .map(|i| {
                    self.b
                        .extract_element(value, self.b.i64().constant(u64::from(i)))
                })
                .collect(),
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                (0..count).map(|i| self.b.extract_value(value, i)).collect()
            }
            _ => vec![value],
        }
    }

    /// One work-item's value of its components.
    pub fn whole_of(&self, ty: Type, parts: &[Value]) -> Value {
        let mut whole = ty.poison();
        for (index, part) in parts.iter().enumerate() {
            whole = match ty.kind() {
                TypeKind::LLVMVectorTypeKind => {
                    let index = self.b.i64().constant(index as u64);
                    self.b.insert_element(whole, *part, index)
                }
                TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                    self.b.insert_value(whole, *part, index as u32)
                }
                _ => *part,
            };
        }
        whole
    }

    /// A value as the lane of that number has it.
    pub fn in_lane(&mut self, value: Value, lane: Value) -> Value {
        if !value.is_instruction() && !self.private.contains_key(&value) {
            return value;
        }
        if let Form::Scalar(scalar) = self.form(value)
            && self.shape(value).is_uniform()
        {
            return scalar;
        }
        let parts: Vec<Value> = self
            .lanes_of(value)
            .into_iter()
            .map(|part| self.b.extract_element(part, lane))
            .collect();
        self.whole_of(value.ty(), &parts)
    }

    /// A value as lane 0 has it.
    pub fn first_lane(&mut self, value: Value) -> Value {
        match self.form(value) {
            Form::Scalar(scalar) => scalar,
            Form::Lanes(_) => {
                let lane = self.b.i64().constant(0);
                self.in_lane(value, lane)
            }
        }
    }

    /// The type of masks.
    pub fn mask_type(&self) -> Type {
        Type::integer(self.b.context, 1).vector(self.width())
    }

    /// The type of masks in variables.
    pub fn mask_variable_type(&self) -> Type {
        if self.plan.vectors.mask_registers {
            self.mask_type()
        } else {
            // As comparisons leave them in vector registers.
            self.b.i32().vector(self.width())
        }
    }

    /// The mask in a variable.
    pub fn read_mask(&self, variable: Value) -> Value {
        let ty = self.mask_variable_type();
        let mask = self.b.load(ty, variable, variable.alignment());
        if self.plan.vectors.mask_registers {
            mask
        } else {
            self.b.compare(LLVMIntSLT, mask, ty.zero())
        }
    }

    /// Writes a mask into a variable.
    pub fn write_mask(&self, mask: Value, variable: Value) {
        let kept = if self.plan.vectors.mask_registers {
            mask
        } else {
            self.b.sign_extend(mask, self.mask_variable_type())
        };
        self.b.store(kept, variable, variable.alignment());
    }

    /// The mask of all lanes.
    pub fn all_lanes(&self) -> Value {
        Type::integer(self.b.context, 1)
            .constant(1)
            .in_all_elements(self.width())
    }

    /// The lanes that are not in a mask.
    pub fn not(&self, mask: Value) -> Value {
        self.b.binary(Opcode::LLVMXor, mask, self.all_lanes())
    }

    /// Lanes of `mask` (all, for none) for which a condition holds. Where a lane is not in the
    /// mask its condition may be meaningless.
    pub fn both(&self, mask: Option<Value>, condition: Value) -> Value {
        match mask {
            None => condition,
            Some(mask) => self.b.select(mask, condition, self.mask_type().zero()),
        }
    }

    /// The lanes of a mask as bits of an integer.
    pub fn bits(&self, mask: Value) -> Value {
        self.b
            .bit_cast(mask, Type::integer(self.b.context, self.width()))
    }

    /// Whether a lane is in a mask.
    pub fn any(&self, mask: Value) -> Value {
        let bits = self.bits(mask);
        self.b.compare(LLVMIntNE, bits, bits.ty().constant(0))
    }

    /// Whether all lanes are in a mask.
    pub fn every(&self, mask: Value) -> Value {
        let bits = self.bits(mask);
        let all = bits.ty().constant((1 << self.width()) - 1);
        self.b.compare(LLVMIntEQ, bits, all)
    }

    /// A place that lanes may read which take no part, with the address space and the alignment
    /// that a load expects.
    pub fn somewhere(&self, load: Value) -> Value {
        let space = load.operand(0).ty().address_space();
        let position = self.b.position();
        self.b
            .before(self.plan.function.entry_block().instructions()[0]);
        let place = self.b.alloca(load.ty(), "somewhere");
        place.set_alignment(place.alignment().max(load.alignment()));
        self.b.at_end(position);
        if space == address_space::PRIVATE {
            place
        } else {
            self.b
                .address_space_cast(place, Type::pointer(self.b.context, space))
        }
    }
}
