//! Reads a kernel's interface from its function and the metadata clang leaves.

use crate::executable::{ArgumentKind, KernelArgument, KernelInterface};
use crate::intrinsics::address_space;
use crate::ir::{self, DataLayout, Metadata, Type, TypeKind, Value};
use llvm_sys::prelude::LLVMModuleRef;

/// Size of a pointer, or of what stands for one, in the argument block.
const POINTER_SIZE: usize = 8;

/// LLVM's number of the calling convention that clang gives kernels.
const KERNEL_CONVENTION: u32 = 76;

/// The kernels of a module, in source order.
pub fn kernels(module: LLVMModuleRef) -> Vec<KernelInterface> {
    ir::functions(module)
        .into_iter()
        .filter(|function| is_kernel(*function))
        .map(|function| interface(module, function))
        .collect()
}

/// Whether a function is a kernel that is defined here.
pub fn is_kernel(function: Value) -> bool {
    !function.is_declaration() && function.calling_convention() == KERNEL_CONVENTION
}

fn interface(module: LLVMModuleRef, kernel: Value) -> KernelInterface {
    let layout = DataLayout::of(module);
    let texts = |kind: &str| -> Vec<String> {
        let operands = kernel.function_metadata(kind).unwrap_or_default();
        operands
            .into_iter()
            .map(|operand| match operand {
                Metadata::Text(text) => text,
                _ => String::new(),
            })
            .collect()
    };
    let names = texts("kernel_arg_name");
    let types = texts("kernel_arg_type");
    let access = texts("kernel_arg_access_qual");
    let qualifiers = texts("kernel_arg_type_qual");
    let base_types = texts("kernel_arg_base_type");
    let spaces = kernel
        .function_metadata("kernel_arg_addr_space")
        .unwrap_or_default();
    let at = |texts: &[String], index: usize| texts.get(index).cloned().unwrap_or_default();

    let mut arguments = Vec::new();
    let mut end = 0usize;
    for (index, parameter) in kernel.parameters().into_iter().enumerate() {
        let space = match spaces.get(index) {
            Some(Metadata::Integer(space)) => *space as u32,
            _ => address_space::PRIVATE,
        };
        let base_type = at(&base_types, index);
        let kind = kind(parameter.ty(), &base_type, space);
        let (size, alignment) = match kind {
            ArgumentKind::Value => {
                let ty = kernel.by_value_type(index as u32).unwrap_or(parameter.ty());
                (layout.size(ty) as usize, layout.alignment(ty) as usize)
            }
            _ => (POINTER_SIZE, POINTER_SIZE),
        };
        let offset = end.next_multiple_of(alignment.max(1));
        end = offset + size;
        arguments.push(KernelArgument {
            kind,
            offset,
            size,
            name: at(&names, index),
            type_name: at(&types, index),
            base_type,
            address_space: space,
            access_qualifier: at(&access, index),
            type_qualifier: at(&qualifiers, index),
        });
    }
    KernelInterface {
        name: kernel.name(),
        arguments,
        argument_block_size: end,
        required_work_group_size: sizes(kernel, "reqd_work_group_size"),
        attributes: attributes(kernel),
    }
}

fn kind(ty: Type, base_type: &str, space: u32) -> ArgumentKind {
    if base_type.starts_with("image") {
        return ArgumentKind::Image;
    }
    if base_type == "sampler_t" {
        return ArgumentKind::Sampler;
    }
    match (ty.kind(), space) {
        (TypeKind::LLVMPointerTypeKind, address_space::GLOBAL) => ArgumentKind::GlobalPointer,
        (TypeKind::LLVMPointerTypeKind, address_space::CONSTANT) => ArgumentKind::ConstantPointer,
        (TypeKind::LLVMPointerTypeKind, address_space::LOCAL) => ArgumentKind::LocalPointer,
        _ => ArgumentKind::Value,
    }
}

fn sizes(kernel: Value, kind: &str) -> Option<[u64; 3]> {
    let operands = kernel.function_metadata(kind)?;
    let mut sizes = [1; 3];
    for (size, operand) in sizes.iter_mut().zip(operands) {
        if let Metadata::Integer(value) = operand {
            *size = value;
        }
    }
    Some(sizes)
}

fn attributes(kernel: Value) -> String {
    let mut texts = Vec::new();
    for kind in ["work_group_size_hint", "reqd_work_group_size"] {
        if let Some([x, y, z]) = sizes(kernel, kind) {
            texts.push(format!("{kind}({x},{y},{z})"));
        }
    }
    if let Some(operands) = kernel.function_metadata("vec_type_hint")
        && let Some(Metadata::Other(Some(ty))) = operands.first()
    {
        let signed = matches!(operands.get(1), Some(Metadata::Integer(1)));
        texts.push(format!("vec_type_hint({})", type_name(*ty, signed)));
    }
    texts.join(" ")
}

fn type_name(ty: Type, signed: bool) -> String {
    let integer = |name: &str| format!("{}{name}", if signed { "" } else { "u" });
    match ty.kind() {
        TypeKind::LLVMVectorTypeKind => {
            let (element, width) = ty.vector_elements();
            format!("{}{width}", type_name(element, signed))
        }
        TypeKind::LLVMHalfTypeKind => "half".into(),
        TypeKind::LLVMFloatTypeKind => "float".into(),
        TypeKind::LLVMDoubleTypeKind => "double".into(),
        TypeKind::LLVMIntegerTypeKind => integer(match ty.integer_bits() {
            8 => "char",
            16 => "short",
            32 => "int",
            _ => "long",
        }),
        _ => "unknown".into(),
    }
}
