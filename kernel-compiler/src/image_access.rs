//! How kernels get at images: the builtin library asks for the descriptor behind an
//! image, and reads it as constant memory.

use crate::executable::{ArgumentKind, KernelInterface, Specialisation};
use crate::image_argument::{ImageDescriptor, KnownArgument};
use crate::intrinsics::{IMAGE, address_space};
use crate::ir::{self, Builder, Opcode, Type};
use crate::ir::{DataLayout, Value};
use crate::shim::{self, Failure};
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use llvm_sys::prelude::LLVMModuleRef;
use std::mem::offset_of;

/// The library's functions that are not inlined unless formats and samplers are known.
const SAMPLING: &str = "__image_sample_";
const PIXELS: [&str; 2] = ["__image_load_", "__image_store_"];

/// Accesses to pixels in one kernel up to which each is made for its format in place.
const INLINED_ACCESSES: usize = 200;

const FOLD: &str = "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,\
    early-cse,simplifycfg)";

/// Replaces the library's calls by the pointers they are given: an image is the address
/// of its descriptor, in global memory as clang has it.
pub fn lower(module: LLVMModuleRef) {
    let Some(intrinsic) = ir::function(module, IMAGE) else {
        return;
    };
    let builder = Builder::new(intrinsic.ty().context());
    let descriptor = Type::pointer(builder.context, address_space::CONSTANT);
    for call in intrinsic.users() {
        builder.before(call);
        call.replace_all_uses_with(builder.address_space_cast(call.operand(0), descriptor));
        call.erase();
    }
    intrinsic.delete_function();
}

/// Tells LLVM that constant memory does not change while a kernel runs, so that what is
/// read of a descriptor is read once.
pub fn mark_constant_loads(module: LLVMModuleRef) {
    for function in ir::functions(module) {
        for load in function.instructions() {
            if load.opcode() == Opcode::LLVMLoad
                && load.operand(0).ty().address_space() == address_space::CONSTANT
            {
                let context = load.ty().context();
                let kind = ir::metadata_kind(context, "invariant.load");
                load.set_metadata(kind, ir::metadata_node(context, &[]));
            }
        }
    }
}

/// Makes a kernel one for the formats and samplers that are known. What asks for them
/// gets constants, and the library's functions, which are short then, are inlined.
///
/// # Errors
/// LLVM's passes failed.
pub fn specialise(
    module: &Module<'_>,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    machine: &TargetMachine,
) -> Result<(), Failure> {
    if specialisation.images.is_empty() {
        return Ok(());
    }
    let llvm = module.as_mut_ptr();
    let kernel = ir::function(llvm, &interface.name).expect("the module holds the kernel");
    let arguments = kernel.parameters().into_iter().zip(&interface.arguments);
    let known: Vec<(Value, KnownArgument)> = arguments
        .filter(|(_, argument)| {
            matches!(argument.kind, ArgumentKind::Image | ArgumentKind::Sampler)
        })
        .map(|(parameter, _)| parameter)
        .zip(specialisation.images.iter().copied())
        .collect();
    for (parameter, known) in &known {
        if let KnownArgument::Sampler(bits) = known {
            parameter.replace_all_uses_with(parameter.ty().constant_pointer(*bits));
        }
    }
    inline(llvm, |name| name.starts_with(SAMPLING));
    shim::run_passes(module, FOLD, machine)?;
    let layout = DataLayout::of(llvm);
    for (parameter, known) in &known {
        for cast in parameter.users() {
            if cast.opcode() == Opcode::LLVMAddrSpaceCast {
                fold_format(cast, known, layout);
            }
        }
    }
    let is_pixel = |name: &str| PIXELS.iter().any(|prefix| name.starts_with(prefix));
    let accesses = kernel.instructions().into_iter().filter(|instruction| {
        let called = instruction.called_function();
        called.is_some_and(|function| is_pixel(&function.name()))
    });
    if accesses.count() <= INLINED_ACCESSES {
        inline(llvm, is_pixel);
    }
    shim::run_passes(module, FOLD, machine)
}

fn inline(module: LLVMModuleRef, of: impl Fn(&str) -> bool) {
    for function in ir::functions(module) {
        if !function.is_declaration() && of(&function.name()) {
            function.add_attribute("alwaysinline");
        }
    }
}

/// Replaces what is read of the format in a descriptor.
fn fold_format(descriptor: Value, known: &KnownArgument, layout: DataLayout) {
    let KnownArgument::Image {
        channel_order,
        channel_data_type,
        element_size,
    } = *known
    else {
        return;
    };
    let fields = [
        (offset_of!(ImageDescriptor, channel_order), channel_order),
        (
            offset_of!(ImageDescriptor, channel_data_type),
            channel_data_type,
        ),
        (offset_of!(ImageDescriptor, element_size), element_size),
    ];
    let i32 = Type::integer(descriptor.ty().context(), 32);
    for address in descriptor.users() {
        let offset = address.constant_offset(layout);
        let Some(field) = fields.iter().find(|(at, _)| Some(*at as u64) == offset) else {
            continue;
        };
        for load in address.users() {
            if load.opcode() == Opcode::LLVMLoad && load.ty() == i32 {
                load.replace_all_uses_with(i32.constant(u64::from(field.1)));
                load.erase();
            }
        }
    }
}
