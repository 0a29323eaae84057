//! Functions at which threads start. The arguments of a kernel arrive as 64-bit words: integers and
//! pointers as such, `double` and `float` as their bits in the low part of the word.

use crate::ir::{self, Builder, DataLayout, ModuleRef, Type, TypeKind, Value};

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
            is_word(parameter.ty()) && function.by_value_type(number).is_none()
        })
}

/// Whether a value of that type is passed in one word.
fn is_word(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => ty.integer_bits() <= 64,
        TypeKind::LLVMPointerTypeKind
        | TypeKind::LLVMFloatTypeKind
        | TypeKind::LLVMDoubleTypeKind => true,
        _ => false,
    }
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
    let words = entry.parameters()[0];
    let arguments: Vec<Value> = (0u64..)
        .zip(kernel.parameters())
        .map(|(number, parameter)| {
            let word = builder.offset(words, builder.i64().constant(8 * number));
            builder.load(parameter.ty(), word, layout.alignment(parameter.ty()))
        })
        .collect();
    builder.call(kernel, &arguments);
    builder.return_void();
}
