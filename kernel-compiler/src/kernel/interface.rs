//! A kernel's name and arguments, read from its function and clang's metadata.

use crate::intrinsics::{address_space, ends_region};
use crate::ir::{self, DataLayout, Metadata, ModuleRef, Type, TypeKind, Value};
use serde::{Deserialize, Serialize};

/// The kind of an argument, for `clSetKernelArg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentKind {
    /// Passed by value: scalars, vectors, structs.
    Value,
    /// Pointer to `__global` memory; the block holds its address.
    GlobalPointer,
    /// Pointer to `__constant` memory; the block holds its address.
    ConstantPointer,
    /// Pointer to `__local` memory; the block holds its offset in bytes from
    /// `WorkGroupContext::local_memory` as u64.
    LocalPointer,
    /// An image; the block holds the address of its descriptor.
    Image,
    /// A sampler; the block holds its bits as u64.
    Sampler,
}

/// One argument of a kernel: its place in the argument block and what
/// `clGetKernelArgInfo` reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelArgument {
    /// What may be set here.
    pub kind: ArgumentKind,
    /// Offset in the argument block, bytes.
    pub offset: usize,
    /// Size that `clSetKernelArg` must be given, bytes (8 for buffers; any for `LocalPointer`).
    pub size: usize,
    /// Name in the source.
    pub name: String,
    /// Type as written, without qualifiers, for example `float*`.
    pub type_name: String,
    /// Type with typedefs resolved.
    pub base_type: String,
    /// `CL_KERNEL_ARG_ADDRESS_QUALIFIER`
    pub address: AddressQualifier,
    /// `CL_KERNEL_ARG_ACCESS_QUALIFIER`
    pub access: AccessQualifier,
    /// `CL_KERNEL_ARG_TYPE_QUALIFIER`
    pub type_qualifiers: TypeQualifiers,
}

/// The address space that an argument points to; `Private` for arguments passed by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AddressQualifier {
    /// `__private`
    Private,
    /// `__global`
    Global,
    /// `__constant`
    Constant,
    /// `__local`
    Local,
}

impl AddressQualifier {
    fn from_clang(space: u32) -> Self {
        match space {
            address_space::GLOBAL => Self::Global,
            address_space::CONSTANT => Self::Constant,
            address_space::LOCAL => Self::Local,
            _ => Self::Private,
        }
    }
}

/// How a kernel may access an image argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccessQualifier {
    /// The argument is no image.
    None,
    /// `read_only`
    ReadOnly,
    /// `write_only`
    WriteOnly,
    /// `read_write`
    ReadWrite,
}

impl AccessQualifier {
    /// The qualifier as OpenCL C spells it; `none` for arguments that are not images.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ReadOnly => "read_only",
            Self::WriteOnly => "write_only",
            Self::ReadWrite => "read_write",
        }
    }

    fn from_clang(text: &str) -> Self {
        [Self::ReadOnly, Self::WriteOnly, Self::ReadWrite]
            .into_iter()
            .find(|access| access.name() == text)
            .unwrap_or(Self::None)
    }
}

bitflags::bitflags! {
    /// Qualifiers of the type that an argument points to.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TypeQualifiers: u8 {
        /// `const`
        const CONST = 1;
        /// `restrict`
        const RESTRICT = 1 << 1;
        /// `volatile`
        const VOLATILE = 1 << 2;
    }
}

/// The qualifiers in the order in which clang lists them.
const TYPE_QUALIFIERS: [(TypeQualifiers, &str); 3] = [
    (TypeQualifiers::RESTRICT, "restrict"),
    (TypeQualifiers::CONST, "const"),
    (TypeQualifiers::VOLATILE, "volatile"),
];

impl TypeQualifiers {
    /// The qualifiers as OpenCL C spells them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        TYPE_QUALIFIERS
            .into_iter()
            .filter(move |(qualifier, _)| self.contains(*qualifier))
            .map(|(_, name)| name)
    }

    fn from_clang(text: &str) -> Self {
        TYPE_QUALIFIERS
            .into_iter()
            .filter(|(_, name)| text.split(' ').any(|word| word == *name))
            .map(|(qualifier, _)| qualifier)
            .collect()
    }
}

impl KernelArgument {
    /// An argument of 8 bytes without name and type.
    pub(crate) fn of_kind(kind: ArgumentKind) -> Self {
        Self {
            kind,
            offset: 0,
            size: 8,
            name: String::new(),
            type_name: String::new(),
            base_type: String::new(),
            address: AddressQualifier::Private,
            access: AccessQualifier::None,
            type_qualifiers: TypeQualifiers::empty(),
        }
    }
}

/// The interface of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelInterface {
    /// Function name.
    pub name: String,
    /// Its arguments in order.
    pub arguments: Vec<KernelArgument>,
    /// Bytes of the argument block.
    pub argument_block_size: usize,
    /// `reqd_work_group_size`, if the source demands one.
    pub required_work_group_size: Option<[u64; 3]>,
    /// Attributes as `CL_KERNEL_ATTRIBUTES` shows them.
    pub attributes: String,
    /// Whether it has barriers; in a linked program, those of called functions included.
    pub has_barriers: bool,
}

/// Size in the argument block of a pointer, image, sampler or offset in local memory, bytes.
const POINTER_SIZE: usize = 8;

/// LLVM's number of the calling convention that clang gives kernels.
const KERNEL_CONVENTION: u32 = 76;

/// The kernels of a module, in source order.
pub fn kernels(module: ModuleRef) -> Vec<KernelInterface> {
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

fn interface(module: ModuleRef, kernel: Value) -> KernelInterface {
    let layout = DataLayout::of_module(module);
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
        let by_value = kernel.by_value_type(index as u32);
        let access = AccessQualifier::from_clang(&at(&access, index));
        let kind = match by_value {
            Some(_) => ArgumentKind::Value,
            None => kind(parameter.ty(), access, space),
        };
        let (size, alignment) = match kind {
            ArgumentKind::Value => {
                let ty = by_value.unwrap_or(parameter.ty());
                (layout.size(ty) as usize, layout.alignment(ty) as usize)
            }
            _ => (POINTER_SIZE, POINTER_SIZE),
        };
        // A forged binary may have types of any size.
        let offset = end
            .checked_next_multiple_of(alignment.max(1))
            .unwrap_or(usize::MAX);
        end = offset.saturating_add(size);
        arguments.push(KernelArgument {
            kind,
            offset,
            size,
            name: at(&names, index),
            type_name: at(&types, index),
            base_type: at(&base_types, index),
            address: AddressQualifier::from_clang(space),
            access,
            type_qualifiers: TypeQualifiers::from_clang(&at(&qualifiers, index)),
        });
    }
    KernelInterface {
        name: kernel.name(),
        arguments,
        argument_block_size: end,
        required_work_group_size: sizes(kernel, "reqd_work_group_size"),
        attributes: attributes(kernel),
        has_barriers: kernel.instructions().into_iter().any(ends_region),
    }
}

/// The kind of an argument that is not passed in memory. Names do not count, since a program may
/// give its own types any name: clang writes an access qualifier for images alone, and of the
/// types that become pointers only samplers are in private memory.
fn kind(ty: Type, access: AccessQualifier, space: u32) -> ArgumentKind {
    if ty.kind() != TypeKind::LLVMPointerTypeKind {
        return ArgumentKind::Value;
    }
    match space {
        _ if access != AccessQualifier::None => ArgumentKind::Image,
        address_space::GLOBAL => ArgumentKind::GlobalPointer,
        address_space::CONSTANT => ArgumentKind::ConstantPointer,
        address_space::LOCAL => ArgumentKind::LocalPointer,
        address_space::PRIVATE => ArgumentKind::Sampler,
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
