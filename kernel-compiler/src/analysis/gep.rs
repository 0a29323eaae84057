//! The address that a `getelementptr` computes, as a sum.

use crate::ir::{DataLayout, TypeKind, Value};

/// What a `getelementptr` adds to its base pointer for one of its indices, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The offset of a structure's field.
    Field { offset: u64 },
    /// `index * scale`: the index of an array's element, or the first one.
    Element { index: Value, scale: u64 },
    /// `index * scale`: the index of a vector's element.
    VectorElement { index: Value, scale: u64 },
}

/// The terms of a `getelementptr`, one per index; none if a field's number is not a constant.
pub fn terms(gep: Value, layout: DataLayout) -> Option<Vec<Term>> {
    let mut ty = gep.indexed_type();
    let mut terms = Vec::new();
    for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
        if position == 0 {
            let scale = layout.size(ty);
            terms.push(Term::Element { index, scale });
            continue;
        }
        terms.push(match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                let field = u32::try_from(splat_constant(index)?).ok()?;
                let offset = layout.field_offset(ty, field);
                ty = *ty.fields().get(field as usize)?;
                Term::Field { offset }
            }
            TypeKind::LLVMArrayTypeKind => {
                ty = ty.array_elements().0;
                let scale = layout.size(ty);
                Term::Element { index, scale }
            }
            TypeKind::LLVMVectorTypeKind => {
                ty = ty.vector_elements().0;
                let scale = layout.size(ty);
                Term::VectorElement { index, scale }
            }
            _ => return None,
        });
    }
    Some(terms)
}

/// The bytes that a `getelementptr` with constant indices adds.
pub fn constant_offset(gep: Value, layout: DataLayout) -> Option<i64> {
    let mut sum = 0i64;
    for term in terms(gep, layout)? {
        let bytes = match term {
            Term::Field { offset } => i64::try_from(offset).ok()?,
            Term::Element { index, scale } | Term::VectorElement { index, scale } => {
                let scale = i64::try_from(scale).ok()?;
                index.as_signed_integer()?.checked_mul(scale)?
            }
        };
        sum = sum.checked_add(bytes)?;
    }
    Some(sum)
}

/// The number of a field: a constant, or a vector of one constant.
fn splat_constant(index: Value) -> Option<u64> {
    if index.ty().is_vector() {
        index.constant_element(0)?.as_integer()
    } else {
        index.as_integer()
    }
}
