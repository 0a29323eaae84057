//! Instrumentation of the checking mode: each access of local and global memory reports its
//! address, so that `host_exec::dma_checker` finds accesses that race with a DMA transfer.

use super::access::{accesses, marked};
use crate::intrinsics::{DMA_TRANSFER, address_space};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use crate::kernel::interface::KernelInterface;
use host_exec::dma_checker::Site;

/// An access: address, bytes, whether it writes, number of its site.
pub const ACCESS: &str = "__mocl3_checked_access";
/// Number of the site of the transfer that comes next.
pub const TRANSFER_SITE: &str = "__mocl3_transfer_site";

/// Longest chain of instructions followed to find the origin of an address.
const DEPTH: u32 = 24;

/// Instruments the marked accesses of all functions; returns their sites.
pub fn insert(module: ModuleRef, interface: &KernelInterface) -> Vec<Site> {
    let mut sites = Vec::new();
    for function in ir::functions(module) {
        if function.is_declaration() {
            continue;
        }
        let b = Builder::new(function.ty().context());
        let layout = DataLayout::of(module);
        let is_kernel = function.name() == interface.name;
        let transfers = function.instructions().into_iter();
        let transfers = transfers.filter(|instruction| instruction.calls(DMA_TRANSFER));
        for instruction in transfers.chain(marked(function)) {
            let mut site = |what: String| {
                let (file, line) = instruction.source().unwrap_or_default();
                sites.push(Site { what, file, line });
                sites.len() as u64 - 1
            };
            let name = |address: Value| match is_kernel {
                true => origin(address, function, interface, DEPTH),
                false => None,
            };
            if instruction.calls(DMA_TRANSFER) {
                let what = name(instruction.operand(0)).unwrap_or_else(|| "memory".into());
                let number = b.i64().constant(site(what));
                b.before(instruction);
                let report = declared(module, &b, TRANSFER_SITE, &[b.i64()]);
                b.call(report, &[number]);
                continue;
            }
            for access in accesses(&b, layout, instruction) {
                let space = access.pointer.ty().address_space();
                let of_the_space = match space {
                    address_space::LOCAL => "local memory",
                    address_space::GLOBAL => "global memory",
                    _ => continue,
                };
                let what = name(access.pointer).unwrap_or_else(|| of_the_space.into());
                let number = b.i64().constant(site(what));
                b.before(instruction);
                let address = b.address_space_cast(access.pointer, Type::pointer(b.context, 0));
                let writes = b.i64().constant(access.writes.into());
                let arguments = [address, access.bytes, writes, number];
                let types = arguments.map(|argument| argument.ty());
                let report = declared(module, &b, ACCESS, &types);
                b.call(report, &arguments);
            }
        }
    }
    sites
}

/// The kernel argument or local variable that an address comes from, by name.
fn origin(
    address: Value,
    kernel: Value,
    interface: &KernelInterface,
    depth: u32,
) -> Option<String> {
    let from = |index: u32| origin(address.operand(index), kernel, interface, depth - 1);
    if depth == 0 {
        return None;
    }
    if let Some(number) = kernel.parameters().iter().position(|p| *p == address) {
        let name = &interface.arguments.get(number)?.name;
        return Some(format!("argument `{name}`"));
    }
    if address.is_global_variable() {
        // clang calls it `kernel.variable`.
        let name = address.name();
        let name = name.rsplit('.').next().unwrap_or(&name);
        return Some(format!("local variable `{name}`"));
    }
    if address.is_constant_expression() {
        return from(0);
    }
    if !address.is_instruction() {
        return None;
    }
    match address.opcode() {
        Opcode::LLVMGetElementPtr
        | Opcode::LLVMBitCast
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMFreeze
        | Opcode::LLVMIntToPtr
        | Opcode::LLVMPtrToInt => from(0),
        Opcode::LLVMSelect => from(1).or_else(|| from(2)),
        Opcode::LLVMPHI => address
            .incoming()
            .into_iter()
            .find_map(|(value, _)| origin(value, kernel, interface, depth / 2)),
        _ => None,
    }
}

fn declared(module: ModuleRef, b: &Builder, name: &str, parameters: &[Type]) -> Value {
    ir::function(module, name).unwrap_or_else(|| {
        let made = ir::add_function(
            module,
            name,
            Type::function(Type::void(b.context), parameters),
        );
        made.add_attribute("nounwind");
        made
    })
}
