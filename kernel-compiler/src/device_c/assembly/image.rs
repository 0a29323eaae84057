//! The assembled code of an image.

use super::{ASSEMBLED, MOST_ARGUMENTS, TABLE_SECTION};
use crate::device_c::words;
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use crate::shim::Refused;
use device_assembly::Program;
use llvm_sys::LLVMLinkage;
use serde::{Deserialize, Serialize};

/// The table of C's functions that assembly may call: each with the function that calls it with words.
const CALLS: &str = "__ht_calls";

/// The assembled code of a file, of an image that is not loaded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredProgram {
    /// The symbol of its table of symbols.
    pub table: String,
    /// The code.
    #[serde(with = "serde_bytes")]
    pub code: Vec<u8>,
}

/// That of all files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StoredAssembly {
    /// The files.
    pub programs: Vec<StoredProgram>,
    /// The symbol of the table of calls, and its entries; none without assembly.
    pub calls: Option<(String, usize)>,
}

/// Whether a function is in assembly.
pub fn is_assembled(function: Value) -> bool {
    function.has_text_attribute(ASSEMBLED)
}

/// The assembled code of a module, whose tables of symbols get names by which they are found.
///
/// # Errors
/// It is damaged, or of another version.
pub fn take_programs(module: ModuleRef) -> Result<(StoredAssembly, Vec<Program>), Refused> {
    let mut stored = StoredAssembly::default();
    let mut programs = Vec::new();
    for variable in ir::globals(module) {
        if variable.section() != TABLE_SECTION {
            continue;
        }
        let table = format!("{TABLE_SECTION}.{}", programs.len());
        variable.remove_section();
        variable.set_name(&table);
        variable.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        let code = code_of(variable);
        programs.push(Program::decode(&code).map_err(|error| Refused(error.to_string()))?);
        stored.programs.push(StoredProgram { table, code });
    }
    Ok((stored, programs))
}

/// The assembled code of a module.
///
/// # Errors
/// It is damaged, or of another version.
pub fn programs(module: ModuleRef) -> Result<Vec<Program>, String> {
    let tables = ir::globals(module).into_iter();
    let tables = tables.filter(|variable| variable.section() == TABLE_SECTION);
    let programs = tables.map(|table| Program::decode(&code_of(table)));
    programs
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

/// The stored form of the code that a table belongs to.
fn code_of(table: Value) -> Vec<u8> {
    let code = table.initializer().map(|fields| fields.operand(1));
    code.and_then(Value::constant_string).unwrap_or_default()
}

/// Adds functions by which assembly calls those of C whose addresses are used: they take arguments from an array
/// of words, and give a word.
pub fn add_thunks(module: ModuleRef, stored: &mut StoredAssembly) {
    if stored.programs.is_empty() {
        return;
    }
    let callable = ir::functions(module).into_iter();
    let callable: Vec<Value> = callable
        .filter(|one| !is_assembled(*one) && is_callable(*one) && has_used_address(*one))
        .collect();
    let mut table = Vec::new();
    for function in callable {
        table.extend([function, thunk(module, function)]);
    }
    let entries = table.len() / 2;
    ir::add_constant_pointers(module, CALLS, &table);
    stored.calls = Some((CALLS.to_owned(), entries));
}

/// Whether a function of C has arguments and a result that have registers.
pub fn is_callable(function: Value) -> bool {
    let parameters = function.parameters();
    let ty = function.function_type();
    let result = ty.result();
    !function.name().starts_with("llvm.")
        && (!ty.is_variadic() || is_without_prototype(function))
        && (result.is_void() || words::has_register(result))
        && (0u32..).zip(parameters).all(|(number, parameter)| {
            words::has_register(parameter.ty()) && function.by_value_type(number).is_none()
        })
}

/// Whether a function is declared without parameters that it has: `int f();`.
fn is_without_prototype(function: Value) -> bool {
    function.is_declaration()
        && function.function_type().is_variadic()
        && function.parameters().is_empty()
}

/// Whether something else is done with a function than to call it.
fn has_used_address(function: Value) -> bool {
    function.users().into_iter().any(|user| {
        let is_call = user.is_instruction() && user.is(Opcode::LLVMCall);
        let mut arguments = user.operands();
        arguments.pop();
        !is_call || user.called_function() != Some(function) || arguments.contains(&function)
    })
}

fn thunk(module: ModuleRef, function: Value) -> Value {
    let context = function.ty().context();
    let layout = DataLayout::of_module(module);
    let b = Builder::new(context);
    let ty = Type::function(b.i64(), &[Type::pointer(context, 0)]);
    let thunk = ir::add_function(module, &format!("__ht_call.{}", function.name()), ty);
    thunk.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    b.at_end(thunk.append_block("entry"));
    let parameters: Vec<Type> = match is_without_prototype(function) {
        true => vec![b.i64(); MOST_ARGUMENTS],
        false => function.parameters().into_iter().map(Value::ty).collect(),
    };
    let words = thunk.parameters()[0];
    let arguments = words::load(&b, words, parameters.iter().copied(), layout);
    let ty = Type::function(function.function_type().result(), &parameters);
    let result = b.call_as(ty, function, &arguments);
    let word = match result.ty().is_void() {
        true => b.i64().constant(0),
        false => words::from_value(&b, result, function.has_unsigned_result()),
    };
    b.return_value(word);
    thunk
}
