//! Lowers accesses to images: the builtin library gets the descriptor of an image by an intrinsic
//! and reads it as constant memory.

use crate::intrinsics::{IMAGE, address_space};
use crate::ir::{self, Builder, DataLayout, Module, ModuleRef, Opcode, Type, Value};
use crate::kernel::image_argument::{ImageDescriptor, KnownArgument};
use crate::kernel::interface::{ArgumentKind, KernelInterface};
use crate::kernel::specialisation::Specialisation;
use crate::shim::{self, Refused};
use inkwell::targets::TargetMachine;
use std::mem::offset_of;

/// The library's functions that are inlined once formats and samplers are known, and not
/// as they stand, being long. Sampling comes to pixels by the second group.
const SAMPLING: &str = "__image_sample_";
const PIXELS: [&str; 2] = ["__image_load_", "__image_store_"];

/// Accesses to pixels in one kernel up to which each is made for its format in place.
const INLINED_ACCESSES: usize = 200;

/// Inlines, and drops what constants make superfluous.
const FOLD: &str = "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,\
    early-cse,simplifycfg)";

/// Replaces the library's calls by the pointers they are given: an image is the address
/// of its descriptor, in global memory as clang has it.
pub fn lower(module: ModuleRef) {
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

/// Marks loads of constant memory as invariant, so that LLVM loads each field of a descriptor
/// once.
pub fn mark_constant_loads(module: ModuleRef) {
    for function in ir::functions(module) {
        for load in function.instructions() {
            if load.opcode() == Opcode::LLVMLoad
                && load.operand(0).ty().address_space() == address_space::CONSTANT
            {
                load.mark_invariant();
            }
        }
    }
}

/// Specialises a kernel for known formats and samplers: replaces loads of them by constants, and
/// inlines the library's functions, which are short then.
///
/// # Errors
/// LLVM's passes failed.
pub fn specialise(
    module: &Module<'_>,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    machine: &TargetMachine,
) -> Result<(), Refused> {
    if specialisation.images.is_empty() {
        return Ok(());
    }
    let kernel =
        || ir::function(module.handle(), &interface.name).expect("the module holds the kernel");
    let known_parameters = || {
        let arguments = kernel().parameters().into_iter().zip(&interface.arguments);
        arguments
            .filter(|(_, argument)| {
                matches!(argument.kind, ArgumentKind::Image | ArgumentKind::Sampler)
            })
            .map(|(parameter, _)| parameter)
            .zip(&specialisation.images)
    };
    for (parameter, known) in known_parameters() {
        if let KnownArgument::Sampler(bits) = known {
            parameter.replace_all_uses_with(parameter.ty().constant_pointer(*bits));
        }
    }
    inline(module.handle(), |name| name.starts_with(SAMPLING));
    shim::run_passes(module, FOLD, machine)?;
    let layout = DataLayout::of_module(module.handle());
    for (parameter, known) in known_parameters() {
        for cast in parameter.users() {
            if cast.opcode() == Opcode::LLVMAddrSpaceCast {
                fold_format(cast, known, layout);
            }
        }
    }
    let is_pixel = |name: &str| PIXELS.iter().any(|prefix| name.starts_with(prefix));
    let accesses = kernel().instructions().into_iter().filter(|instruction| {
        let called = instruction.called_function();
        called.is_some_and(|function| is_pixel(&function.name()))
    });
    if accesses.count() <= INLINED_ACCESSES {
        inline(module.handle(), is_pixel);
    }
    shim::run_passes(module, FOLD, machine)
}

fn inline(module: ModuleRef, of: impl Fn(&str) -> bool) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Context;
    use crate::kernel::interface::KernelArgument;
    use crate::target;

    fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
        context
            .parse_ir(text)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// The lines of kernel `k`.
    fn kernel(module: &Module<'_>) -> Vec<String> {
        module.verify().unwrap_or_else(|error| panic!("{error}"));
        let text = ir::function(module.handle(), "k").unwrap().text();
        text.lines()
            .map(|line| line.trim().to_owned())
            .skip_while(|line| !line.starts_with("define"))
            .collect()
    }

    #[test]
    fn an_image_is_the_address_of_its_descriptor() {
        let context = Context::create();
        let module = parse(
            &context,
            "declare ptr addrspace(2) @__mocl3_image(ptr addrspace(1))
             define ptr addrspace(2) @k(ptr addrspace(1) %image) {
               %descriptor = call ptr addrspace(2) @__mocl3_image(ptr addrspace(1) %image)
               ret ptr addrspace(2) %descriptor
             }",
        );
        lower(module.handle());
        let lines = kernel(&module);
        assert_eq!(
            lines[1],
            "%1 = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)"
        );
        assert!(ir::function(module.handle(), IMAGE).is_none());
    }

    #[test]
    fn constant_memory_is_read_once() {
        let context = Context::create();
        let module = parse(
            &context,
            "define i32 @k(ptr addrspace(1) %a, ptr addrspace(2) %b) {
               %1 = load i32, ptr addrspace(1) %a
               %2 = load i32, ptr addrspace(2) %b
               %3 = add i32 %1, %2
               ret i32 %3
             }",
        );
        mark_constant_loads(module.handle());
        let lines = kernel(&module);
        assert!(!lines[1].contains("invariant"), "{}", lines[1]);
        assert!(lines[2].contains("!invariant.load"), "{}", lines[2]);
    }

    const USES: &str = "
        define i32 @__image_load_integer(i32 %order, i32 %type) {
          %known = icmp eq i32 %order, 4277
          br i1 %known, label %yes, label %no
        yes:
          ret i32 %type
        no:
          ret i32 0
        }
        define i32 @__image_sample_integer_1d(ptr addrspace(2) %descriptor, i32 %sampler) {
          %order_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 40
          %order = load i32, ptr addrspace(2) %order_at
          %type_at = getelementptr inbounds i8, ptr addrspace(2) %descriptor, i64 44
          %type = load i32, ptr addrspace(2) %type_at
          %color = call i32 @__image_load_integer(i32 %order, i32 %type)
          %sum = add i32 %color, %sampler
          ret i32 %sum
        }
        define i32 @k(ptr addrspace(1) %out, ptr addrspace(1) %image, ptr addrspace(2) %sampler) {
          %descriptor = addrspacecast ptr addrspace(1) %image to ptr addrspace(2)
          %bits = ptrtoint ptr addrspace(2) %sampler to i64
          %low = trunc i64 %bits to i32
          %color = call i32 @__image_sample_integer_1d(ptr addrspace(2) %descriptor, i32 %low)
          ret i32 %color
        }";

    fn specialised(images: Vec<KnownArgument>) -> Vec<String> {
        let context = Context::create();
        let module = parse(&context, USES);
        let interface = KernelInterface {
            name: "k".into(),
            arguments: vec![
                KernelArgument::of_kind(ArgumentKind::GlobalPointer),
                KernelArgument::of_kind(ArgumentKind::Image),
                KernelArgument::of_kind(ArgumentKind::Sampler),
            ],
            argument_block_size: 24,
            required_work_group_size: None,
            attributes: String::new(),
            has_barriers: false,
        };
        let specialisation = Specialisation {
            images,
            ..Default::default()
        };
        if specialise(&module, &interface, &specialisation, &target::machine(true)).is_err() {
            panic!("LLVM refused");
        }
        kernel(&module)
    }

    #[test]
    fn known_formats_are_constants() {
        let image = KnownArgument::Image {
            channel_order: 4277,
            channel_data_type: 1000,
            element_size: 4,
        };
        let lines = specialised(vec![image, KnownArgument::Sampler(0x25)]);
        assert_eq!(lines[1..], ["ret i32 1037", "}"]);
    }

    #[test]
    fn unknown_formats_are_loaded() {
        let lines = specialised(Vec::new());
        assert!(
            lines
                .iter()
                .any(|line| line.contains("call i32 @__image_sample"))
        );
    }
}
