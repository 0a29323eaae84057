//! The state of vector code being written: which values have been computed for all lanes, and
//! which lanes are active.

use super::lane_values::{LaneValue, Slot};
use crate::analysis::lane_shape::Shape;
use crate::intrinsics::address_space;
use crate::ir::{Block, Builder, Opcode, Type, TypeKind, Value, constant_vector};
use crate::vectorize::instruction_queries::components;
use crate::vectorize::plan::VectorPlan;
use std::collections::HashMap;

/// Writes the vector code of a plan's body, block by block.
///
/// A value of the body is available in the block that defines it. Other blocks read it from its
/// slot; which values have one is decided before the first block is written.
pub struct VectorBuilder<'a> {
    ir: &'a Builder,
    plan: &'a VectorPlan<'a>,
    /// Number of lane 0's work-item.
    base: Value,
    /// The slots of values that are used outside their block.
    slots: HashMap<Value, Slot>,
    /// All lanes' private arrays in place of one work-item's.
    arrays: HashMap<Value, Value>,
    /// Values available in the current block.
    available: HashMap<Value, LaneValue>,
    /// The vectors of those that are needed as such.
    vectors: HashMap<Value, Vec<Value>>,
    /// Lanes that are active in the current block; none if all are.
    mask: Option<Value>,
    /// Number of the first of them, once it is needed.
    first_active_lane: Option<Value>,
}

/// The values that were available at a point of a block.
pub struct Available {
    values: HashMap<Value, LaneValue>,
    vectors: HashMap<Value, Vec<Value>>,
}

impl<'a> VectorBuilder<'a> {
    /// Starts code in which lane 0 runs work-item `base`.
    pub fn new(ir: &'a Builder, plan: &'a VectorPlan<'a>, base: Value) -> Self {
        Self {
            ir,
            plan,
            base,
            slots: HashMap::new(),
            arrays: HashMap::new(),
            available: HashMap::new(),
            vectors: HashMap::new(),
            mask: None,
            first_active_lane: None,
        }
    }

    /// Makes the private arrays of all lanes.
    pub fn add_arrays(&mut self) {
        for (array, layout) in self.plan.arrays() {
            let ty = self.ir.i8().array(layout.bytes);
            let all = self.ir.alloca(ty, "lanes.private");
            all.set_alignment(array.alignment());
            self.arrays.insert(array, all);
        }
    }

    /// Runs `make` with the builder at the function's stack variables.
    pub fn at_allocas<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let position = self.ir.position();
        let entry = self.plan.function().entry_block();
        self.ir.before(entry.instructions()[0]);
        let made = make(self);
        self.ir.at_end(position);
        made
    }

    /// The instruction builder.
    pub fn ir(&self) -> &'a Builder {
        self.ir
    }

    /// The plan of the code.
    pub fn plan(&self) -> &'a VectorPlan<'a> {
        self.plan
    }

    /// Lanes of a vector.
    pub fn lanes(&self) -> u32 {
        self.plan.lanes()
    }

    /// A value's shape.
    pub fn shape(&self, value: Value) -> Shape {
        self.plan.shape(value)
    }

    /// The active lanes; none if all are.
    pub fn mask(&self) -> Option<Value> {
        self.mask
    }

    /// A new block of the body.
    pub fn new_block(&self, name: &str) -> Block {
        self.plan.work_items().header.insert_before(name)
    }

    /// Begins a block: nothing is available yet, and all lanes are active until `activate`.
    pub fn begin_block(&mut self) {
        self.available.clear();
        self.vectors.clear();
        self.first_active_lane = None;
        self.mask = None;
    }

    /// The lanes that run the rest of the block.
    pub fn activate(&mut self, mask: Option<Value>) {
        self.mask = mask;
        self.first_active_lane = None;
    }

    /// Number of the first active lane where there is a mask, as 64 bits.
    pub fn first_active_lane(&mut self, mask: Value) -> Value {
        if let Some(first) = self.first_active_lane {
            return first;
        }
        let first = self.ir.count_trailing_zeros(self.bits(mask));
        let first = self.ir.resize(first, self.ir.i64());
        self.first_active_lane = Some(first);
        first
    }

    /// What is available now, to be made available again in another block that this point
    /// dominates.
    pub fn available(&self) -> Available {
        Available {
            values: self.available.clone(),
            vectors: self.vectors.clone(),
        }
    }

    /// Makes values available again.
    pub fn resume(&mut self, available: &Available) {
        self.available.clone_from(&available.values);
        self.vectors.clone_from(&available.vectors);
    }

    /// Defines a value by its components' vectors.
    pub fn define(&mut self, value: Value, parts: Vec<Value>) {
        self.define_as(value, LaneValue::Vectors(parts));
    }

    /// Defines a value whose shape is scalar, by lane 0's.
    pub fn define_scalar(&mut self, value: Value, lane_0: Value) {
        self.define_as(value, LaneValue::Scalar(lane_0));
    }

    /// Defines a value of the body in the current block.
    pub fn define_as(&mut self, value: Value, lanes: LaneValue) {
        self.available.insert(value, lanes);
    }

    /// A new slot of a value's shape.
    pub fn new_slot(&self, value: Value) -> Slot {
        if self.shape(value).is_scalar() {
            let ty = value.ty();
            return Slot::Scalar(self.ir.alloca(ty, ""), ty);
        }
        let vector = |part: Type| {
            let ty = part.vector(self.lanes());
            (self.ir.alloca(ty, ""), ty)
        };
        let parts = components(value.ty()).expect("checked before");
        Slot::Vectors(parts.into_iter().map(vector).collect())
    }

    /// Gives a value a slot, so that other blocks can read it.
    pub fn add_slot(&mut self, value: Value) {
        let slot = self.new_slot(value);
        self.slots.insert(value, slot);
    }

    /// The slot of a value, if it has one.
    pub fn slot(&self, value: Value) -> Option<&Slot> {
        self.slots.get(&value)
    }

    /// Writes a value of the current block to its slot, if it has one.
    pub fn save(&self, value: Value) {
        if let Some(slot) = self.slots.get(&value) {
            slot.write(self.ir, self.available[&value].clone());
        }
    }

    fn lane_value(&mut self, value: Value) -> LaneValue {
        if let Some(available) = self.available.get(&value) {
            return available.clone();
        }
        let found = if value == self.plan.work_items().induction {
            LaneValue::Scalar(self.base)
        } else if let Some(array) = self.arrays.get(&value) {
            LaneValue::Scalar(*array)
        } else if self.plan.is_inside(value) {
            self.slots[&value].read(self.ir)
        } else {
            LaneValue::Scalar(value)
        };
        self.available.insert(value, found.clone());
        found
    }

    /// Whether a value can be read in this block: other blocks keep only what is used outside of
    /// them.
    pub fn is_available(&self, value: Value) -> bool {
        self.available.contains_key(&value)
            || self.slots.contains_key(&value)
            || self.arrays.contains_key(&value)
            || value == self.plan.work_items().induction
            || !self.plan.is_inside(value)
    }

    /// Lane 0's value of what is uniform or strided.
    pub fn scalar(&mut self, value: Value) -> Value {
        match self.lane_value(value) {
            LaneValue::Scalar(value) => value,
            LaneValue::Vectors(_) => unreachable!("{} varies", value.text()),
        }
    }

    /// The vectors of a value's components.
    pub fn vectors_of(&mut self, value: Value) -> Vec<Value> {
        if let Some(vectors) = self.vectors.get(&value) {
            return vectors.clone();
        }
        let vectors = match self.lane_value(value) {
            LaneValue::Vectors(parts) => parts,
            LaneValue::Scalar(scalar) => {
                let step = self.shape(value).step().expect("a scalar's shape");
                self.spread(scalar, step)
            }
        };
        self.vectors.insert(value, vectors.clone());
        vectors
    }

    /// Vectors of lane 0's value and a step from lane to lane.
    fn spread(&self, scalar: Value, step: i64) -> Vec<Value> {
        let ty = scalar.ty();
        if step != 0 {
            let first = self.ir.splat(scalar, self.lanes());
            let steps = |ty: Type| {
                let steps: Vec<Value> = (0..i64::from(self.lanes()))
                    .map(|lane| ty.constant((lane * step) as u64))
                    .collect();
                constant_vector(&steps)
            };
            return vec![if ty.is_pointer() {
                self.ir.offset_each(first, steps(self.ir.i64()))
            } else {
                self.ir.binary(Opcode::LLVMAdd, first, steps(ty))
            }];
        }
        let parts = self.parts_of(scalar).into_iter();
        parts
            .map(|part| self.ir.splat(part, self.lanes()))
            .collect()
    }

    /// The components of one work-item's value.
    pub fn parts_of(&self, value: Value) -> Vec<Value> {
        let ty = value.ty();
        let count = components(ty).expect("checked before").len() as u32;
        match ty.kind() {
            TypeKind::LLVMVectorTypeKind => (0..count)
                .map(|i| {
                    let index = self.ir.i64().constant(u64::from(i));
                    self.ir.extract_element(value, index)
                })
                .collect(),
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                let parts = (0..count).map(|i| self.ir.extract_value(value, i));
                parts.collect()
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
                    let index = self.ir.i64().constant(index as u64);
                    self.ir.insert_element(whole, *part, index)
                }
                TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                    self.ir.insert_value(whole, *part, index as u32)
                }
                _ => *part,
            };
        }
        whole
    }

    /// Whether the loop's body computes a value, or lays it out for lanes.
    fn is_of_body(&self, value: Value) -> bool {
        value.is_instruction() || self.arrays.contains_key(&value)
    }

    /// Whether the lanes' values of a value are elements of vectors.
    pub fn is_in_vectors(&self, value: Value) -> bool {
        self.is_of_body(value) && !self.shape(value).is_uniform()
    }

    /// The value that a lane has; `lane` is its number.
    pub fn in_lane(&mut self, value: Value, lane: Value) -> Value {
        if !self.is_of_body(value) {
            return value;
        }
        if let LaneValue::Scalar(scalar) = self.lane_value(value)
            && self.shape(value).is_uniform()
        {
            return scalar;
        }
        let parts: Vec<Value> = self
            .vectors_of(value)
            .into_iter()
            .map(|part| self.ir.extract_element(part, lane))
            .collect();
        self.whole_of(value.ty(), &parts)
    }

    /// The value that lane 0 has.
    pub fn in_lane_0(&mut self, value: Value) -> Value {
        match self.lane_value(value) {
            LaneValue::Scalar(scalar) => scalar,
            LaneValue::Vectors(_) => {
                let lane = self.ir.i64().constant(0);
                self.in_lane(value, lane)
            }
        }
    }

    /// Memory that inactive lanes may read, with the address space and the alignment that a load
    /// expects.
    pub fn dummy_memory(&mut self, load: Value) -> Value {
        let space = load.operand(0).ty().address_space();
        let memory = self.at_allocas(|this| {
            let memory = this.ir.alloca(load.ty(), "dummy");
            memory.set_alignment(memory.alignment().max(load.alignment()));
            memory
        });
        if space == address_space::PRIVATE {
            memory
        } else {
            let pointer = Type::pointer(self.ir.context, space);
            self.ir.address_space_cast(memory, pointer)
        }
    }
}
