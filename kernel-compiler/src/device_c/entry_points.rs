//! Functions at which threads start. The arguments of a kernel arrive as 64-bit words: integers and
//! pointers as such, `double` and `float` as their bits in the low part of the word. Pointers may be the machine's
//! addresses of AM, SM and GSM.

use super::{literal_addresses, words};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use std::collections::HashMap;

/// Calls a kernel with arguments from an array of `MAX_ARGUMENTS` words.
pub type Entry = unsafe extern "C" fn(arguments: *const u64);

/// Most arguments of a kernel.
pub const MAX_ARGUMENTS: usize = 30;

/// Precedes the name of a kernel in that of its entry.
const PREFIX: &str = "__ht_entry.";

/// The symbol of a kernel's entry.
pub fn symbol(kernel: &str) -> String {
    format!("{PREFIX}{kernel}")
}

/// Whether threads can start at a function: its parameters are numbers and pointers.
pub fn is_kernel(function: Value) -> bool {
    let parameters = function.parameters();
    parameters.len() <= MAX_ARGUMENTS
        && (0u32..).zip(&parameters).all(|(number, parameter)| {
            words::has_register(parameter.ty()) && function.by_value_type(number).is_none()
        })
}

/// Which parameters of each kernel of a module are addresses. Optimised code does not tell any more.
pub fn addresses(module: ModuleRef) -> HashMap<String, Vec<bool>> {
    let are_addresses = |kernel: &Value| kernel.parameters().into_iter().map(is_address).collect();
    let kernels = kernels(module).into_iter();
    kernels
        .map(|kernel| (kernel.name(), are_addresses(&kernel)))
        .collect()
}

/// Adds an entry for each kernel of a module, whose parameters are these `addresses`; the kernels' names.
pub fn add(module: ModuleRef, addresses: &HashMap<String, Vec<bool>>) -> Vec<String> {
    let add = |kernel: Value| {
        let name = kernel.name();
        let are_addresses = addresses.get(&name).map_or(&[][..], Vec::as_slice);
        add_entry(module, kernel, are_addresses);
        name
    };
    kernels(module).into_iter().map(add).collect()
}

fn kernels(module: ModuleRef) -> Vec<Value> {
    let functions = ir::functions(module).into_iter();
    let has_entry = |function: &Value| {
        !function.is_declaration() && !function.is_local() && is_kernel(*function)
    };
    functions.filter(has_entry).collect()
}

fn add_entry(module: ModuleRef, kernel: Value, are_addresses: &[bool]) {
    let context = kernel.ty().context();
    let layout = DataLayout::of_module(module);
    let ty = Type::function(Type::void(context), &[Type::pointer(context, 0)]);
    let entry = ir::add_function(module, &symbol(&kernel.name()), ty);
    let builder = Builder::new(context);
    builder.at_end(entry.append_block("entry"));
    let types = kernel.parameters().into_iter().map(Value::ty);
    let arguments = words::load(&builder, entry.parameters()[0], types, layout);
    let arguments = arguments.into_iter().zip(are_addresses);
    let arguments = arguments.map(|(argument, is_address)| match is_address {
        true => literal_addresses::of_thread(module, &builder, argument),
        false => argument,
    });
    let arguments: Vec<Value> = arguments.collect();
    builder.call(kernel, &arguments);
    builder.return_void();
}

/// Whether a kernel uses a parameter as a pointer: some programs pass numbers in pointers, which must stay as they are.
fn is_address(parameter: Value) -> bool {
    parameter.ty().is_pointer() && !is_only_number(parameter)
}

/// Whether a pointer is made a number wherever it is used, also from the variable in which unoptimised code keeps it.
fn is_only_number(pointer: Value) -> bool {
    let is_kept = |user: Value| {
        let is_store = user.is(Opcode::LLVMStore) && user.operand(0) == pointer;
        is_store && {
            let variable = user.operand(1);
            let others = |one: &Value| *one != user;
            variable.is_instruction()
                && variable.is(Opcode::LLVMAlloca)
                && variable
                    .users()
                    .into_iter()
                    .filter(others)
                    .all(|one| one.is(Opcode::LLVMLoad) && is_only_number(one))
        }
    };
    let mut users = pointer.users().into_iter();
    users.all(|user| user.is_instruction() && (user.is(Opcode::LLVMPtrToInt) || is_kept(user)))
}
