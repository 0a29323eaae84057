//! Built-in kernels of a program.

use crate::device::{BuiltInKernel, Device};
use accelerator_functions::{Access, Argument, ArgumentKind as FunctionArgument, Function};
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
    pub fn kernel(&self, number: usize) -> Option<&BuiltInKernel> {
        let accelerators = self.device.accelerators()?;
        accelerators.kernels().get(*self.places.get(number)?)
    }

    /// The named ones that the device has, in the order of the names; none if it has none of them.
    pub fn named(device: &Arc<Device>, names: &[&str]) -> Option<Arc<Self>> {
        let kernels = device.accelerators()?.kernels();
        let place = |name: &&str| {
            let mut kernels = kernels.iter();
            kernels.position(|kernel| kernel.function().name == **name)
        };
        let places: Vec<usize> = names.iter().filter_map(place).collect();
        let interface = |place: &usize| interface(kernels[*place].function());
        (!places.is_empty()).then(|| {
            Arc::new(Self {
                device: Arc::clone(device),
                interfaces: places.iter().map(interface).collect(),
                places,
            })
        })
    }
}

/// The interface of a function as a kernel.
fn interface(function: &Function) -> KernelInterface {
    let mut arguments = Vec::new();
    let mut end = 0usize;
    for argument in &function.arguments {
        let next = kernel_argument(argument, end);
        end = next.offset + next.size;
        arguments.push(next);
    }
    KernelInterface {
        name: function.name.clone(),
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
        FunctionArgument::Array { .. } => (
            ArgumentKind::GlobalPointer,
            size_of::<u64>(),
            AddressQualifier::Global,
        ),
        FunctionArgument::Size { .. } | FunctionArgument::Number => (
            ArgumentKind::Value,
            size_of::<u32>(),
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
            FunctionArgument::Array {
                access: Access::Read,
                ..
            } => TypeQualifiers::CONST,
            _ => TypeQualifiers::empty(),
        },
    }
}
