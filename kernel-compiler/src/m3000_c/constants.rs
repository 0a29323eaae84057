//! Constants, and variables that the kernel's program defines.

use super::types::{Types, parts as parts_of};
use super::unsupported::Unsupported;
use crate::ir::{DataLayout, Type, TypeKind, Value};
use std::fmt::Write;

/// Bytes on a line of a table.
const LINE: usize = 16;

/// A constant as an expression.
pub fn expression(types: &mut Types, constant: Value) -> Result<String, Unsupported> {
    let ty = constant.ty();
    let unsupported = || Unsupported::Constant(constant.text());
    if constant.is_global_variable() && !constant.is_constant_variable() {
        return Err(unsupported());
    }
    if constant.is_global_variable() {
        types.variables.insert(constant);
        return Ok(format!("((pointer){})", name(constant)));
    }
    let name = types.name(ty)?;
    if constant.is_undefined() || constant.is_zero() {
        return Ok(match ty.is_vector() || parts_of(ty).is_some() {
            true => format!("(({name}){{0}})"),
            false => format!("(({name})0)"),
        });
    }
    if let Some(parts) = parts_of(ty) {
        let parts = (0..parts.len() as u32).map(|number| {
            let part = constant.constant_element(number).ok_or_else(unsupported)?;
            expression(types, part)
        });
        let parts: Vec<_> = parts.collect::<Result<_, _>>()?;
        return Ok(format!("(({name}){{{}}})", parts.join(", ")));
    }
    if ty.is_vector() {
        let (_, count) = ty.vector_elements();
        let elements = (0..count).map(|number| {
            let element = constant.constant_element(number).ok_or_else(unsupported)?;
            expression(types, element)
        });
        let elements: Vec<_> = elements.collect::<Result<_, _>>()?;
        return Ok(format!("(({name}){{{}}})", elements.join(", ")));
    }
    if ty.is_integer() {
        return integer(constant, &name).ok_or_else(unsupported);
    }
    let bits = constant.float_bits().ok_or_else(unsupported)?;
    Ok(match ty.kind() {
        TypeKind::LLVMFloatTypeKind => match f32::from_bits(bits as u32) {
            number if number.is_finite() => format!("{number:?}f"),
            _ => format!("BITS(f32, (u32){bits:#x}u)"),
        },
        TypeKind::LLVMDoubleTypeKind => match f64::from_bits(bits) {
            number if number.is_finite() => format!("{number:?}"),
            _ => format!("BITS(f64, (u64){bits:#x}ul)"),
        },
        _ => format!("BITS(f16, (u16){bits:#x}u)"),
    })
}

fn integer(constant: Value, name: &str) -> Option<String> {
    if constant.ty().integer_bits() <= 64 {
        return constant.as_integer().map(|value| match value {
            0..=0x7fff_ffff => format!("(({name}){value}u)"),
            _ => format!("(({name}){value:#x}ul)"),
        });
    }
    let text = constant.text();
    let value: i128 = text.rsplit(' ').next()?.parse().ok()?;
    let (high, low) = ((value >> 64) as u64, value as u64);
    let high = format!("(({name})(i64){high:#x}ul << 64)");
    (constant.ty().integer_bits() == 128).then(|| format!("({high} | {low:#x}ul)"))
}

/// The name of a variable of the program.
pub fn name(global: Value) -> String {
    format!("global_{}", identifier(&global.name()))
}

/// A name with what C forbids replaced.
pub fn identifier(name: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(valid).collect()
}

/// The bytes of a variable that nothing writes; none if it has no such bytes, for example addresses.
pub fn bytes(layout: &DataLayout, global: Value) -> Option<Vec<u8>> {
    if !global.is_global_variable() || !global.is_constant_variable() {
        return None;
    }
    let mut bytes = vec![0; layout.size(global.value_type()) as usize];
    fill(layout, global.initializer()?, &mut bytes)?;
    Some(bytes)
}

/// The definition of a variable that kernels use, as bytes.
pub fn global(types: &Types, global: Value) -> Result<String, Unsupported> {
    let bytes = bytes(&types.layout, global);
    let bytes = bytes.ok_or_else(|| Unsupported::Constant(global.text()))?;
    let size = bytes.len();
    let alignment = global.alignment().max(8);
    let name = name(global);
    let mut text =
        format!("static const u8 {name}[{size}] __attribute__((aligned({alignment}))) = {{\n");
    for line in bytes.chunks(LINE) {
        let numbers: Vec<_> = line.iter().map(u8::to_string).collect();
        // Writing to a string does not fail.
        let _ = writeln!(text, "    {},", numbers.join(", "));
    }
    Ok(text + "};\n")
}

/// Writes a constant into memory; none if it has an address or another part without bytes.
fn fill(layout: &DataLayout, constant: Value, bytes: &mut [u8]) -> Option<()> {
    if constant.is_undefined() || constant.is_zero() {
        return Some(());
    }
    let ty = constant.ty();
    let put = |bytes: &mut [u8], value: u64| {
        let count = layout.stored(ty) as usize;
        let part = bytes.get_mut(..count)?;
        part.copy_from_slice(value.to_le_bytes().get(..count)?);
        Some(())
    };
    let elements = |element: Type, count: u64, bytes: &mut [u8], stride: u64| {
        for number in 0..count {
            let part = bytes.get_mut((number * stride) as usize..)?;
            debug_assert!(!element.is_void());
            fill(layout, constant.constant_element(number as u32)?, part)?;
        }
        Some(())
    };
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => put(bytes, constant.as_signed_integer()? as u64),
        TypeKind::LLVMArrayTypeKind => {
            let (element, count) = ty.array_elements();
            elements(element, count, bytes, layout.size(element))
        }
        TypeKind::LLVMVectorTypeKind => {
            let (element, count) = ty.vector_elements();
            elements(element, count.into(), bytes, layout.stored(element))
        }
        TypeKind::LLVMStructTypeKind => {
            for number in 0..ty.fields().len() as u32 {
                let start = layout.field_offset(ty, number) as usize;
                fill(
                    layout,
                    constant.constant_element(number)?,
                    bytes.get_mut(start..)?,
                )?;
            }
            Some(())
        }
        _ => put(bytes, constant.float_bits()?),
    }
}
