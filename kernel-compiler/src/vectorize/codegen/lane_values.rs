//! Values over lanes: one scalar if the other lanes' values follow from the shape, else a vector
//! for each component of the work-item's value.

use crate::ir::{Builder, Type, Value};

/// A value of the body for all lanes.
#[derive(Clone, Debug)]
pub enum LaneValue {
    /// Lane 0's; those of the others follow from the shape.
    Scalar(Value),
    /// For each component a vector with an element for each lane.
    Vectors(Vec<Value>),
}

/// Stack variables that hold a value, which other blocks read; LLVM makes φs of them.
#[derive(Clone, Debug)]
pub enum Slot {
    /// Of a scalar.
    Scalar(Value, Type),
    /// Of each component's vector.
    Vectors(Vec<(Value, Type)>),
}

impl Slot {
    /// Loads the value.
    pub fn read(&self, b: &Builder) -> LaneValue {
        let read = |variable: Value, ty: Type| b.load(ty, variable, variable.alignment());
        match self {
            Self::Scalar(variable, ty) => LaneValue::Scalar(read(*variable, *ty)),
            Self::Vectors(parts) => {
                let parts = parts.iter().map(|(variable, ty)| read(*variable, *ty));
                LaneValue::Vectors(parts.collect())
            }
        }
    }

    /// Stores a value; whether it is a scalar or vectors follows from the shape of what the slot
    /// was made for.
    pub fn write(&self, b: &Builder, value: LaneValue) {
        match (self, value) {
            (Self::Scalar(variable, _), LaneValue::Scalar(value)) => {
                b.store(value, *variable, variable.alignment());
            }
            (Self::Vectors(parts), LaneValue::Vectors(values)) => {
                for ((variable, _), value) in parts.iter().zip(values) {
                    b.store(value, *variable, variable.alignment());
                }
            }
            _ => unreachable!("slot and value have the same shape"),
        }
    }

    /// Stores the lanes of a mask; the others keep their values.
    pub fn write_masked(&self, b: &Builder, value: LaneValue, mask: Value) {
        let (LaneValue::Vectors(before), LaneValue::Vectors(values)) = (self.read(b), value) else {
            unreachable!("values vary where divergent lanes join");
        };
        let merged = before.into_iter().zip(values);
        let merged = merged.map(|(before, value)| b.select(mask, value, before));
        self.write(b, LaneValue::Vectors(merged.collect()));
    }

    /// Stores poison, so that LLVM does not keep the value alive.
    pub fn poison(&self, b: &Builder) {
        let poison = |variable: Value, ty: Type| {
            b.store(ty.poison(), variable, variable.alignment());
        };
        match self {
            Self::Scalar(variable, ty) => poison(*variable, *ty),
            Self::Vectors(parts) => {
                for (variable, ty) in parts {
                    poison(*variable, *ty);
                }
            }
        }
    }
}
