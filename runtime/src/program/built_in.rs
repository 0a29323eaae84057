//! Built-in kernels of a program: those of accelerators, and the vendor's library on clusters.

use crate::device::{BuiltInKernel, Device};
use built_in_kernels::{Access, Argument, ArgumentKind as DeclaredArgument, Declaration, Element};
use kernel_compiler::executable::{
    AccessQualifier, AddressQualifier, ArgumentKind, Executable, KernelArgument, KernelInterface,
    TypeQualifiers,
};
use std::sync::Arc;

/// The built-in kernels of a program on a device.
pub(crate) struct BuiltInKernels {
    device: Arc<Device>,
    /// Their places among those of the device.
    places: Vec<usize>,
    interfaces: Vec<KernelInterface>,
}

/// What kernels of a program are made of for a device.
#[derive(Clone)]
pub(crate) enum KernelCode {
    /// A compiled program.
    Compiled(Arc<Executable>),
    /// Built-in kernels.
    BuiltIn(Arc<BuiltInKernels>),
}

impl KernelCode {
    /// The kernels.
    pub fn kernels(&self) -> &[KernelInterface] {
        match self {
            Self::Compiled(executable) => executable.kernels(),
            Self::BuiltIn(kernels) => &kernels.interfaces,
        }
    }
}

impl BuiltInKernels {
    /// The kernel of the device that has number `number` in the program.
    pub fn kernel(&self, number: usize) -> Option<BuiltInKernel<'_>> {
        let place = *self.places.get(number)?;
        BuiltInKernel::of_device(&self.device).nth(place)
    }

    /// The named ones that the device has, in the order of the names; none if it has none of them.
    pub fn named(device: &Arc<Device>, names: &[&str]) -> Option<Arc<Self>> {
        let known: Vec<&Declaration> = BuiltInKernel::of_device(device)
            .map(BuiltInKernel::declaration)
            .collect();
        let place = |name: &&str| known.iter().position(|kernel| kernel.name == **name);
        let places: Vec<usize> = names.iter().filter_map(place).collect();
        (!places.is_empty()).then(|| {
            Arc::new(Self {
                device: Arc::clone(device),
                interfaces: places
                    .iter()
                    .map(|place| interface(known[*place]))
                    .collect(),
                places,
            })
        })
    }
}

/// The interface of a declared kernel.
fn interface(declaration: &Declaration) -> KernelInterface {
    let mut arguments = Vec::new();
    let mut end = 0usize;
    for argument in &declaration.arguments {
        let next = kernel_argument(argument, end);
        end = next.offset + next.size;
        arguments.push(next);
    }
    KernelInterface {
        name: declaration.name.clone(),
        arguments,
        argument_block_size: end,
        required_work_group_size: None,
        attributes: String::new(),
        has_barriers: false,
    }
}

/// An argument behind the first `used` bytes of the block.
fn kernel_argument(argument: &Argument, used: usize) -> KernelArgument {
    let (kind, size, address) = match &argument.kind {
        DeclaredArgument::Array { .. } => (
            ArgumentKind::GlobalPointer,
            size_of::<u64>(),
            AddressQualifier::Global,
        ),
        DeclaredArgument::Size { .. } => (
            ArgumentKind::Value,
            Element::Integer.bytes() as usize,
            AddressQualifier::Private,
        ),
        DeclaredArgument::Number(element) => (
            ArgumentKind::Value,
            element.bytes() as usize,
            AddressQualifier::Private,
        ),
    };
    // Types are reported without qualifiers.
    let type_name = argument.type_name.trim_start_matches("const ").to_owned();
    KernelArgument {
        kind,
        offset: used.next_multiple_of(size),
        size,
        name: argument.name.clone(),
        base_type: type_name.clone(),
        type_name,
        address,
        access: AccessQualifier::None,
        type_qualifiers: match argument.kind {
            DeclaredArgument::Array {
                access: Access::Read,
                ..
            } => TypeQualifiers::CONST,
            _ => TypeQualifiers::empty(),
        },
    }
}
