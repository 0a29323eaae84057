//! How kernels get at images: the builtin library asks for the descriptor behind an
//! image, and reads it as constant memory.

use crate::intrinsics::{IMAGE, address_space};
use crate::ir::{self, Builder, Opcode, Type};
use llvm_sys::prelude::LLVMModuleRef;

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
