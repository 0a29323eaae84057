//! Reports uses of values from memory that was never written (`Checks::UNINITIALISED`). LLVM's
//! MemorySanitizer computes which bits are undefined (`compiler-resources/shim/uninitialised.cpp`); its reports become
//! calls of the platform here.

use super::bounds::argument_bytes;
use super::calls;
use super::first_values;
use super::sites::Sites;
use crate::intrinsics::{DEFINED_MEMORY, UNDEFINED_FINDING};
use crate::ir::{
    self, ArgumentShadow, Builder, DataLayout, Module, Type, UndefinedOrigin, UndefinedUse, Value,
};
use crate::kernel::interface::{ArgumentKind, KernelInterface};
use host_exec::definedness::uses::{Use, UseKind, UseTable};
use host_exec::memory_checker::access_table::{CheckedObject, Space};

/// What the shim calls to report a value, and where memory is written of which it does not know the
/// object.
const UNDEFINED_VALUE: &str = "mocl3.undefined_value";
const DEFINED: &str = "mocl3.defined_memory";

/// Instruments a kernel; returns what the numbers in its reports mean. Handles cannot be used
/// afterwards.
pub fn insert(module: &Module<'_>, interface: &KernelInterface) -> UseTable {
    let kernel = kernel_of(module, interface);
    argument_bytes(kernel, &Builder::new(kernel.ty().context()));
    let shadows = shadows(kernel, interface);
    let found = ir::check_uninitialised(module, &interface.name, &shadows);
    let kernel = kernel_of(module, interface);
    let handle = module.handle();
    let mut sites = Sites::new(kernel, interface, DataLayout::of_module(handle));
    let b = Builder::new(kernel.ty().context());
    let mut table = UseTable::default();
    for found in &found {
        let number = b.i64().constant(table.uses.len() as u64);
        table.uses.push(described(&mut sites, found));
        b.before(found.call);
        b.of_the_line_of(found.call);
        let [x, y, z] = calls::local_id(&b, handle);
        let arguments = [calls::context(&b, handle), number, x, y, z];
        let void = Type::void(b.context);
        calls::outside(&b, handle, UNDEFINED_FINDING, void, &arguments);
        found.call.erase();
    }
    for instruction in kernel.instructions() {
        if instruction.calls(DEFINED) {
            b.before(instruction);
            let [address, bytes] = [instruction.operand(0), instruction.operand(1)];
            let arguments = [calls::context(&b, handle), address, bytes];
            calls::writer(&b, handle, DEFINED_MEMORY, &arguments);
            instruction.erase();
        }
    }
    first_values::drop_markers(kernel);
    for name in [UNDEFINED_VALUE, DEFINED] {
        if let Some(function) = ir::function(handle, name) {
            function.delete_function();
        }
    }
    table
}

fn kernel_of(module: &Module<'_>, interface: &KernelInterface) -> Value {
    ir::function(module.handle(), &interface.name).expect("the module holds the kernel")
}

fn shadows(kernel: Value, interface: &KernelInterface) -> Vec<ArgumentShadow> {
    let arguments = interface.arguments.iter().enumerate();
    arguments
        .map(|(index, argument)| match argument.kind {
            _ if kernel.by_value_type(index as u32).is_some() => ArgumentShadow::None,
            ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer => ArgumentShadow::Buffer,
            ArgumentKind::LocalPointer => ArgumentShadow::Local,
            ArgumentKind::Value | ArgumentKind::Image | ArgumentKind::Sampler => {
                ArgumentShadow::None
            }
        })
        .collect()
}

fn described(sites: &mut Sites<'_>, found: &UndefinedUse) -> Use {
    let object = match &found.origin {
        None => None,
        Some(UndefinedOrigin::Object(object)) => Some(sites.described(*object)),
        Some(UndefinedOrigin::Variable(name, bytes)) => Some(CheckedObject::Variable {
            name: name.split('.').next().unwrap_or_default().to_owned(),
            space: Space::Private,
            bytes: *bytes,
        }),
    };
    Use {
        kind: match found.kind {
            0 => UseKind::Branch,
            1 => UseKind::Address,
            2 => UseKind::Stored,
            _ => UseKind::Argument,
        },
        site: sites.site(found.call),
        object,
    }
}
