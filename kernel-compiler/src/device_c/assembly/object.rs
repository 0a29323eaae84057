//! An assembled file as a module.

use super::image;
use super::interface::Interface;
use super::{ASSEMBLED, EXECUTE, EXECUTE_STATEMENT, MOST_ARGUMENTS, STATEMENT, TABLE_SECTION};
use crate::device_c::gsm;
use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::{Context, Module};
use crate::process_end::Use;
use crate::target;
use device_assembly::{Assembled, DataItem, DataObject, Operand, Program, Section, assemble};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// Assembles a text that is in `file` to bitcode. Thread-safe.
///
/// # Errors
/// All that is wrong with it, in clang's form.
pub fn compile(file: &str, text: &str) -> Result<Vec<u8>, BuildFailure> {
    let _in_use = Use::begin()?;
    let assembled = assemble(file, text).map_err(|errors| BuildFailure::new(errors.to_string()))?;
    let bitcode = guard::run(|| {
        let context = Context::create();
        parse(&context, &assembled, None).map(|module| module.bitcode())
    });
    match bitcode {
        Ok(bitcode) => {
            bitcode.map_err(|error: String| BuildFailure::new(format!("{file}: error: {error}\n")))
        }
        Err(stopped) => Err(BuildFailure::stopped(file, &stopped)),
    }
}

/// The module of an assembled text, of a file or of the statement that has an interface. To be called guarded.
///
/// # Errors
/// Data has the address of a label that is not global.
pub fn parse<'c>(
    context: &'c Context,
    assembled: &Assembled,
    statement: Option<&Interface>,
) -> Result<Module<'c>, String> {
    let module = context.parse_ir(&module(assembled, statement)?)?;
    let machine = target::any_machine(true);
    module.set_triple(&machine.get_triple());
    module.set_layout(&machine.get_target_data().get_data_layout());
    module.verify()?;
    Ok(module)
}

/// The code in assembly of an object file or an image, by file.
///
/// # Errors
/// It is no bitcode of this version of LLVM, or the code is of another version.
pub fn programs_of(bitcode: &[u8]) -> Result<Vec<Program>, BuildFailure> {
    let _in_use = Use::begin()?;
    let found = guard::run(|| {
        let context = Context::create();
        image::programs(context.parse_bitcode(bitcode)?.handle())
    });
    match found {
        Ok(programs) => programs.map_err(BuildFailure::new),
        Err(stopped) => Err(BuildFailure::stopped("reading code", &stopped)),
    }
}

/// The types of a function's parameters.
fn parameters() -> String {
    ["i64"; MOST_ARGUMENTS].join(", ")
}

/// The module as text.
fn module(assembled: &Assembled, statement: Option<&Interface>) -> Result<String, String> {
    let program = &assembled.program;
    let used = used_symbols(program);
    let functions: Vec<_> = program.labels.iter().filter(|one| one.is_global).collect();
    let mut defined: HashSet<&str> = functions.iter().map(|one| one.name.as_str()).collect();
    defined.extend(assembled.data.iter().map(|object| object.name.as_str()));
    let mut needed: BTreeSet<&str> = used.iter().flatten().copied().collect();
    for item in assembled.data.iter().flat_map(|object| &object.items) {
        if let DataItem::Address(name, _) = item {
            needed.insert(name);
        }
    }
    let is_inside = |name: &&&str| {
        let mut labels = program.labels.iter();
        labels.any(|label| label.name == ***name && !label.is_global)
    };
    if let Some(label) = needed.iter().find(is_inside) {
        return Err(format!(
            "'{label}' is not global: data cannot have its address"
        ));
    }
    let mut text = String::new();
    // A String accepts all text.
    for object in &assembled.data {
        define_object(object, &mut text);
    }
    for name in needed.into_iter().filter(|name| !defined.contains(name)) {
        let _ = writeln!(text, "declare i64 @\"{name}\"({})", parameters());
    }
    if program.packets.is_empty() {
        return Ok(text);
    }
    let code = program.encode();
    let (size, code) = (code.len(), escaped(&code));
    let _ = writeln!(
        text,
        "@__ht_code = internal constant [{size} x i8] c\"{code}\""
    );
    let count = used.len();
    let addresses: Vec<String> = used
        .iter()
        .map(|symbol| symbol.map_or("ptr null".to_owned(), |name| format!("ptr @\"{name}\"")))
        .collect();
    let _ = writeln!(
        text,
        "@__ht_table = internal constant {{ [{count} x ptr], ptr }} \
         {{ [{count} x ptr] [{}], ptr @__ht_code }}, section \"{TABLE_SECTION}\"",
        addresses.join(", ")
    );
    for function in functions {
        match statement {
            Some(interface) => text += &interface.function(&function.name, function.packet),
            None => define_function(&function.name, function.packet, &mut text),
        }
    }
    text += &match statement {
        Some(_) => {
            format!(
                "declare void @{EXECUTE_STATEMENT}(ptr, i32, ptr)\n\
                 attributes #0 = {{ noinline \"{ASSEMBLED}\" \"{STATEMENT}\" }}\n"
            )
        }
        None => format!(
            "declare i64 @{EXECUTE}(ptr, i32, ptr)\nattributes #0 = {{ noinline \"{ASSEMBLED}\" }}\n"
        ),
    };
    Ok(text)
}

/// A function that has words as arguments and a word as result.
fn define_function(name: &str, packet: u32, text: &mut String) {
    let _ = writeln!(
        text,
        "define i64 @\"{name}\"({}) #0 {{\n  %words = alloca [{MOST_ARGUMENTS} x i64]",
        parameters()
    );
    for number in 0..MOST_ARGUMENTS {
        let _ = writeln!(
            text,
            "  %place{number} = getelementptr i64, ptr %words, i64 {number}\n  \
             store i64 %{number}, ptr %place{number}"
        );
    }
    let _ = writeln!(
        text,
        "  %result = call i64 @{EXECUTE}(ptr @__ht_table, i32 {packet}, ptr %words)\n  \
         ret i64 %result\n}}"
    );
}

/// By number, the symbols whose addresses instructions need.
fn used_symbols(program: &Program) -> Vec<Option<&str>> {
    let mut used = vec![None; program.symbols.len()];
    let instructions = program.packets.iter().flat_map(|one| &one.instructions);
    for operand in instructions.flat_map(|one| &one.operands) {
        if let Operand::Symbol(number, _) = operand
            && let Some(name) = program.symbols.get(*number as usize)
        {
            used[*number as usize] = Some(name.as_str());
        }
    }
    used
}

/// Alignment of arrays of 16 bytes or more in the ABI of x86-64, bytes.
const ARRAY_ALIGNMENT: u64 = 16;

fn define_object(object: &DataObject, text: &mut String) {
    let types: Vec<String> = object
        .items
        .iter()
        .map(|item| match item {
            DataItem::Bytes(bytes) => format!("[{} x i8]", bytes.len()),
            DataItem::Address(..) => "ptr".to_owned(),
        })
        .collect();
    let ty = format!("<{{ {} }}>", types.join(", "));
    let is_zero = |item: &DataItem| matches!(item, DataItem::Bytes(bytes) if bytes.iter().all(|byte| *byte == 0));
    let value = match object.items.iter().all(is_zero) {
        true => "zeroinitializer".to_owned(),
        false => {
            let items = object.items.iter().zip(&types);
            let items: Vec<String> = items.map(|(item, ty)| item_text(item, ty)).collect();
            format!("<{{ {} }}>", items.join(", "))
        }
    };
    let linkage = match (object.is_common, object.is_global) {
        (true, _) => "common ",
        (false, true) => "",
        (false, false) => "internal ",
    };
    let kind = match object.section {
        Section::Constant => "constant",
        Section::Global | Section::Gsm => "global",
    };
    let section = match object.section {
        Section::Gsm => format!(", section \"{}\"", gsm::SECTION),
        Section::Global | Section::Constant => String::new(),
    };
    // clang relies on the alignment that the host's ABI gives to arrays, also to those of other files.
    let alignment = object.alignment.max(ARRAY_ALIGNMENT);
    let name = &object.name;
    let _ = writeln!(
        text,
        "@\"{name}\" = {linkage}{kind} {ty} {value}{section}, align {alignment}"
    );
}

fn item_text(item: &DataItem, ty: &str) -> String {
    match item {
        DataItem::Bytes(bytes) => format!("{ty} c\"{}\"", escaped(bytes)),
        DataItem::Address(name, 0) => format!("ptr @\"{name}\""),
        DataItem::Address(name, added) => {
            format!("ptr getelementptr (i8, ptr @\"{name}\", i64 {added})")
        }
    }
}

/// Bytes as LLVM writes them.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b' '..=b'~' if !matches!(byte, b'"' | b'\\') => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\{byte:02X}");
            }
        }
    }
    text
}
