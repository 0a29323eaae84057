//! Transposes in registers: where each lane accesses a place of its own, and the next row the places
//! behind these, the lane accesses those of several rows at once. Tiles that are stored or loaded
//! column by column are accessed so.

use super::transposition::transpose;
use crate::analysis::effects::{Effect, effect};
use crate::ir::{Builder, DataLayout, Opcode, Type, Value};
use crate::vectorize::instruction_queries::{accessed_type, component_bytes, pointer_of};
use std::collections::HashMap;

/// Loads or stores of scalars, one for each lane of a vector.
pub struct TransposedAccess {
    /// The accesses, by lane; all are in one block.
    of_lanes: Vec<Value>,
    /// The one of them that is executed first.
    first: Value,
    /// The vector that is stored, or the one with all that is loaded.
    vector: Value,
}

/// Those of a row's instructions, which are in the function's order. `is_next_to` says whether the
/// next row's address is that number of bytes behind an address.
pub fn find(
    row_instructions: &[Value],
    layout: DataLayout,
    is_next_to: impl Fn(Value, u64) -> bool,
) -> Vec<TransposedAccess> {
    let is_fit = |access: Value, kind: Effect| {
        let ty = accessed_type(access);
        effect(access) == kind
            && !ty.is_pointer()
            && component_bytes(ty, layout)
                .filter(|bytes| matches!(bytes, 4 | 8))
                .is_some_and(|bytes| is_next_to(pointer_of(access), bytes))
    };
    let mut stores: Vec<(Value, Vec<(u64, Value)>)> = Vec::new();
    let mut loads = Vec::new();
    for &instruction in row_instructions {
        if instruction.is(Opcode::LLVMStore) {
            let Some((vector, lane)) = extracted_lane(instruction.operand(0)) else {
                continue;
            };
            if is_fit(instruction, Effect::Write) {
                match stores.iter_mut().rev().find(|(of, _)| *of == vector) {
                    Some((_, lanes)) => lanes.push((lane, instruction)),
                    None => stores.push((vector, vec![(lane, instruction)])),
                }
            }
        } else if instruction.is(Opcode::LLVMInsertElement) {
            let is_last = !instruction.has_user(|user| user.is(Opcode::LLVMInsertElement));
            let lanes = if is_last { inserted(instruction) } else { None };
            let is_load = |value: Value| value.is(Opcode::LLVMLoad) && is_fit(value, Effect::Read);
            if let Some(lanes) = lanes.filter(|lanes| lanes.iter().all(|(_, of)| is_load(*of))) {
                loads.push((instruction, lanes));
            }
        }
    }
    let all = stores.into_iter().chain(loads);
    all.filter_map(|(vector, lanes)| TransposedAccess::new(vector, lanes))
        .collect()
}

/// The vector that an element was taken from, and the element's number.
fn extracted_lane(value: Value) -> Option<(Value, u64)> {
    let is_extract = value.is_instruction() && value.is(Opcode::LLVMExtractElement);
    is_extract.then(|| Some((value.operand(0), value.operand(1).as_integer()?)))?
}

/// The instructions whose values a chain of insertions puts into a vector, with their lanes; in the
/// order of the insertions.
fn inserted(last: Value) -> Option<Vec<(u64, Value)>> {
    let mut lanes = Vec::new();
    let mut vector = last;
    while vector.is_instruction() && vector.is(Opcode::LLVMInsertElement) {
        let element = vector.operand(1);
        if !element.is_instruction() {
            return None;
        }
        lanes.push((vector.operand(2).as_integer()?, element));
        vector = vector.operand(0);
    }
    lanes.reverse();
    vector.is_undefined().then_some(lanes)
}

impl TransposedAccess {
    /// None if not each lane has one access. They are in their order.
    fn new(vector: Value, lanes: Vec<(u64, Value)>) -> Option<Self> {
        let (_, first) = *lanes.first()?;
        let (_, length) = vector.ty().vector_elements();
        let is_scattered = lanes.iter().any(|(_, of)| of.block() != first.block());
        if is_scattered || lanes.len() != length as usize || !matches!(length, 4 | 8 | 16 | 32) {
            return None;
        }
        let by_lane: HashMap<u64, Value> = lanes.into_iter().collect();
        let of_lanes = (0..u64::from(length)).map(|lane| by_lane.get(&lane).copied());
        Some(Self {
            of_lanes: of_lanes.collect::<Option<_>>()?,
            first,
            vector,
        })
    }

    /// Accesses all rows of an iteration at once. `rows` maps the first row's values to those of the
    /// others; there are two or four rows.
    pub fn merge(&self, rows: &[HashMap<Value, Value>], layout: DataLayout, builder: &Builder) {
        let of_rows = |value: Value| {
            let others = rows.iter();
            let others = others.map(move |row| row.get(&value).copied().unwrap_or(value));
            std::iter::once(value).chain(others).collect::<Vec<_>>()
        };
        let vectors = of_rows(self.vector);
        if self.first.is(Opcode::LLVMStore) {
            self.store_columns(&vectors, layout, builder);
            for store in self.of_lanes.iter().flat_map(|store| of_rows(*store)) {
                store.erase();
            }
        } else {
            self.load_columns(&vectors, layout, builder);
        }
    }

    /// Stores the vectors of all rows, which are computed before the first store.
    fn store_columns(&self, vectors: &[Value], layout: DataLayout, builder: &Builder) {
        let rows = vectors.len() as u32;
        builder.before(self.first);
        let (element, length) = self.vector.ty().vector_elements();
        let context = element.context();
        let number = match layout.size(element) {
            4 => Type::float(context),
            _ => Type::double(context),
        };
        // LLVM would shuffle each column by itself.
        let columns = transpose(vectors, layout, builder)
            .into_iter()
            .map(|columns| {
                let numbers = builder.bit_cast(columns, number.vector(length));
                builder.bit_cast(builder.arithmetic_fence(numbers), columns.ty())
            });
        let sets: Vec<Value> = columns.collect();
        for (lane, store) in (0..).zip(&self.of_lanes) {
            builder.before(*store);
            let columns = sets[(lane % rows) as usize];
            let start = lane / rows * rows;
            let elements: Vec<u32> = (start..start + rows).collect();
            let column = builder.shuffle(columns, columns.ty().poison(), &elements);
            builder.store(column, pointer_of(*store), store.alignment());
        }
    }

    /// Loads what the vectors of all rows then consist of.
    fn load_columns(&self, vectors: &[Value], layout: DataLayout, builder: &Builder) {
        let rows = vectors.len();
        let mut columns = Vec::new();
        for load in &self.of_lanes {
            builder.before(*load);
            let ty = load.ty().vector(rows as u32);
            columns.push(builder.load(ty, pointer_of(*load), load.alignment()));
        }
        builder.before(self.vector);
        let sets: Vec<Value> = (0..rows)
            .map(|set| {
                let of_set = columns.iter().skip(set).step_by(rows);
                builder.concatenate(&of_set.copied().collect::<Vec<_>>())
            })
            .collect();
        for (vector, transposed) in vectors.iter().zip(transpose(&sets, layout, builder)) {
            vector.replace_all_uses_with(transposed);
        }
    }
}
