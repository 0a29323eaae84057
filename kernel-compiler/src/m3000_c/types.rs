//! Names of types in C.

use super::unsupported::Unsupported;
use crate::ir::{DataLayout, ModuleRef, Type, TypeKind};
use std::collections::BTreeSet;

/// The types of a file.
pub struct Types {
    pub layout: DataLayout,
    /// Element and length of the vectors that are used.
    vectors: BTreeSet<(String, u32)>,
}

/// Whether integers have a sign.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Unsigned,
    Signed,
}

impl Types {
    pub fn new(module: ModuleRef) -> Self {
        Self {
            layout: DataLayout::of_module(module),
            vectors: BTreeSet::new(),
        }
    }

    /// The name of a type whose integers have no sign. An `i1` is 0 or 1 in a byte.
    pub fn name(&mut self, ty: Type) -> Result<String, Unsupported> {
        self.with_sign(ty, Sign::Unsigned)
    }

    /// The same type with signed integers.
    pub fn signed(&mut self, ty: Type) -> Result<String, Unsupported> {
        self.with_sign(ty, Sign::Signed)
    }

    fn with_sign(&mut self, ty: Type, sign: Sign) -> Result<String, Unsupported> {
        if !ty.is_vector() {
            return scalar(ty, sign);
        }
        let (element, count) = ty.vector_elements();
        if element.is_pointer() || scalar(element, sign)?.contains('(') {
            return Err(Unsupported::Type(ty.text()));
        }
        let element = scalar(element, sign)?;
        Ok(self.vector(&element, count))
    }

    /// The name of a vector of scalars that have this name.
    pub fn vector(&mut self, element: &str, count: u32) -> String {
        self.vectors.insert((element.to_owned(), count));
        format!("{element}x{count}")
    }

    /// The vector of integers, with or without sign, whose elements are as large as those of another.
    pub fn mask(&mut self, ty: Type, sign: Sign) -> Result<String, Unsupported> {
        let (element, count) = ty.vector_elements();
        let letter = if sign == Sign::Signed { 'i' } else { 'u' };
        let bits = 8 * self.layout.stored(element);
        Ok(self.vector(&format!("{letter}{bits}"), count))
    }

    /// The definitions of the vectors.
    pub fn definitions(&self) -> String {
        let lines = self.vectors.iter().map(|(element, count)| {
            format!(
                "typedef {element} {element}x{count} __attribute__((ext_vector_type({count})));\n"
            )
        });
        lines.collect()
    }
}

/// The bits of an integer, or of the integers of a vector.
pub fn integer_bits(ty: Type) -> Option<u32> {
    let element = if ty.is_vector() {
        ty.vector_elements().0
    } else {
        ty
    };
    element.is_integer().then(|| element.integer_bits())
}

fn scalar(ty: Type, sign: Sign) -> Result<String, Unsupported> {
    let letter = if sign == Sign::Signed { 'i' } else { 'u' };
    Ok(match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => match ty.integer_bits() {
            1 => format!("{letter}8"),
            bits @ (8 | 16 | 32 | 64 | 128) => format!("{letter}{bits}"),
            bits if sign == Sign::Signed => format!("_BitInt({bits})"),
            bits => format!("unsigned _BitInt({bits})"),
        },
        TypeKind::LLVMHalfTypeKind => "f16".to_owned(),
        TypeKind::LLVMFloatTypeKind => "f32".to_owned(),
        TypeKind::LLVMDoubleTypeKind => "f64".to_owned(),
        TypeKind::LLVMPointerTypeKind => "pointer".to_owned(),
        TypeKind::LLVMVoidTypeKind => "void".to_owned(),
        _ => return Err(Unsupported::Type(ty.text())),
    })
}
