//! Names of types in C.

use super::unsupported::Unsupported;
use crate::ir::{DataLayout, ModuleRef, Type, TypeKind, Value};
use std::collections::{BTreeSet, HashSet};

/// The types of a file.
pub struct Types {
    pub layout: DataLayout,
    /// The program's variables that the file has used so far.
    pub variables: HashSet<Value>,
    /// Element and length of the vectors that are used.
    vectors: BTreeSet<(String, u32)>,
    /// The types of the parts of structures and arrays that values have, in the order of definition.
    structures: Vec<Vec<String>>,
}

/// The types of the parts of a structure or an array.
pub fn parts(ty: Type) -> Option<Vec<Type>> {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => Some(ty.fields()),
        TypeKind::LLVMArrayTypeKind => {
            let (element, count) = ty.array_elements();
            Some(vec![element; count as usize])
        }
        _ => None,
    }
}

/// The name of a part of a structure.
pub fn part_name(number: u32) -> String {
    format!("part{number}")
}

/// A part of a value that is neither a structure nor an array.
pub struct Leaf {
    /// What follows the value's name in C.
    pub path: String,
    /// In memory, bytes.
    pub offset: u64,
    pub ty: Type,
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
            variables: HashSet::new(),
            vectors: BTreeSet::new(),
            structures: Vec::new(),
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
        if let Some(parts) = parts(ty) {
            return self.structure(&parts);
        }
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

    /// The name of the structure with these parts.
    fn structure(&mut self, parts: &[Type]) -> Result<String, Unsupported> {
        let names = parts.iter().map(|part| self.name(*part));
        let names: Vec<_> = names.collect::<Result<_, _>>()?;
        let known = self.structures.iter().position(|known| *known == names);
        let number = known.unwrap_or_else(|| {
            self.structures.push(names);
            self.structures.len() - 1
        });
        Ok(format!("structure{number}"))
    }

    /// The parts of a value, those of its parts instead of these; the value itself if it has none.
    pub fn leaves(&self, ty: Type) -> Vec<Leaf> {
        let Some(parts) = parts(ty) else {
            let (path, offset) = (String::new(), 0);
            return vec![Leaf { path, offset, ty }];
        };
        let mut leaves = Vec::new();
        for (part, number) in parts.into_iter().zip(0..) {
            let start = match ty.kind() {
                TypeKind::LLVMStructTypeKind => self.layout.field_offset(ty, number),
                _ => u64::from(number) * self.layout.size(part),
            };
            leaves.extend(self.leaves(part).into_iter().map(|leaf| Leaf {
                path: format!(".{}{}", part_name(number), leaf.path),
                offset: start + leaf.offset,
                ty: leaf.ty,
            }));
        }
        leaves
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

    /// The definitions of vectors and structures.
    pub fn definitions(&self) -> String {
        let lines = self.vectors.iter().map(|(element, count)| {
            format!(
                "typedef {element} {element}x{count} __attribute__((ext_vector_type({count})));\n"
            )
        });
        let structures = self.structures.iter().enumerate().map(|(number, parts)| {
            let parts = parts.iter().zip(0..);
            let parts = parts.map(|(ty, part)| format!(" {ty} {};", part_name(part)));
            format!(
                "typedef struct {{{} }} structure{number};\n",
                parts.collect::<String>()
            )
        });
        lines.chain(structures).collect()
    }
}

/// The bits of an integer, or of the integers of a vector.
pub fn integer_bits(ty: Type) -> Option<u32> {
    let element = ty.scalar();
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
