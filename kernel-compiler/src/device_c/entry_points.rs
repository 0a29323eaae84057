//! Functions at which threads start. The arguments of a kernel arrive as 64-bit words: integers and
//! pointers as such, `double` and `float` as their bits in the low part of the word. Pointers may be the machine's
//! addresses of AM and SM.

use super::{literal_addresses, words};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Type, Value};

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

/// Adds an entry for each kernel of a module; the kernels' names.
pub fn add(module: ModuleRef) -> Vec<String> {
    let kernels: Vec<Value> = ir::functions(module)
        .into_iter()
        .filter(|function| {
            !function.is_declaration() && !function.is_local() && is_kernel(*function)
        })
        .collect();
    kernels
        .into_iter()
        .map(|kernel| {
            add_entry(module, kernel);
            kernel.name()
        })
        .collect()
}

fn add_entry(module: ModuleRef, kernel: Value) {
    let context = kernel.ty().context();
    let layout = DataLayout::of_module(module);
    let ty = Type::function(Type::void(context), &[Type::pointer(context, 0)]);
    let entry = ir::add_function(module, &symbol(&kernel.name()), ty);
    let builder = Builder::new(context);
    builder.at_end(entry.append_block("entry"));
    let types = kernel.parameters().into_iter().map(Value::ty);
    let arguments = words::load(&builder, entry.parameters()[0], types, layout);
    let arguments = arguments
        .into_iter()
        .map(|one| match one.ty().is_pointer() {
            true => literal_addresses::of_thread(module, &builder, one),
            false => one,
        });
    let arguments: Vec<Value> = arguments.collect();
    builder.call(kernel, &arguments);
    builder.return_void();
}
