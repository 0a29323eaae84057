//! Assembly in C (`__asm__`): each statement becomes a function in assembly that is called in its place (`interface`).
//! Assembly outside functions is assembled as a file is.

use super::exits;
use super::interface::Interface;
use super::object;
use super::placement::Placed;
use super::template::{self, Operand};
use crate::device_c::{scheduling_points, words};
use crate::ir::{self, Builder, Context, InlineAssembly, Module, Value};
use device_assembly::assemble;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The constraint of statements past which no access of memory may be moved.
const CLOBBERED_MEMORY: &str = "~{memory}";

/// Assembles what a module that clang has made of a file has in assembly. `key` distinguishes the file's functions
/// from those of other files.
///
/// # Errors
/// All that is wrong with it, in clang's form.
pub fn assemble_in<'c>(
    context: &'c Context,
    module: &Module<'c>,
    file: &str,
    key: &impl Hash,
) -> Result<(), String> {
    let mut errors = String::new();
    let mut assembled = Vec::new();
    let mut add = |text: &str, interface| match assemble(file, text) {
        Ok(part) => assembled.push((part, interface)),
        Err(wrong) => errors.push_str(&wrong.to_string()),
    };
    let outside = ir::take_assembly(module.handle());
    if !outside.trim().is_empty() {
        let text = format!("# 1 \"{file}: assembly outside functions\"\n{outside}");
        add(&text, None);
    }
    let mut wrong = Vec::new();
    for function in ir::functions(module.handle()) {
        let mut number = 0;
        for call in function.instructions() {
            let Some(assembly) = call.inline_assembly() else {
                continue;
            };
            let mut hasher = DefaultHasher::new();
            (key, file, function.name(), number).hash(&mut hasher);
            let name = format!("{}.asm{:016x}", function.name(), hasher.finish());
            number += 1;
            match replace(call, &assembly, &name, file) {
                Ok(Some((text, interface))) => add(&text, Some(interface)),
                Ok(None) => {}
                Err(message) => wrong.push(refusal(call, file, &message)),
            }
        }
    }
    errors.extend(wrong);
    if !errors.is_empty() {
        return Err(errors);
    }
    for (part, interface) in &assembled {
        module.link(object::parse(context, part, interface.as_ref())?)?;
    }
    Ok(())
}

/// Says what is wrong with a statement.
fn refusal(call: Value, file: &str, message: &str) -> String {
    let function = call.block().function().name();
    match call.source() {
        Some((file, line)) => {
            let column = call.source_column();
            format!("{file}:{line}:{column}: error: assembly: {message}\n")
        }
        None => format!("{file}: error: assembly in function '{function}': {message}\n"),
    }
}

/// Replaces a statement by a call of a function of a name; the text and the interface of that, if the statement has any
/// text.
fn replace(
    call: Value,
    assembly: &InlineAssembly,
    name: &str,
    file: &str,
) -> Result<Option<(String, Interface)>, String> {
    let operands = template::operands(&assembly.constraints)?;
    if assembly.template.trim().is_empty() && !exits::has_exits(call) {
        if operands.is_empty() && assembly.constraints.contains(CLOBBERED_MEMORY) {
            // The program may busy-wait for what another thread writes.
            scheduling_points::insert_before(call);
        }
        if remove(call, &operands) {
            return Ok(None);
        }
    }
    let placed = Placed::find(call, &operands, &assembly.template)?;
    let body = template::expand(&assembly.template, &placed.names)?;
    let place = match call.source() {
        Some((file, line)) => format!("# {line} \"{file}\""),
        None => {
            let function = call.block().function().name();
            format!("# 1 \"{file}: assembly in function '{function}'\"")
        }
    };
    call_function(call, name, &placed);
    let exits = placed.exits_text();
    let text = format!("\t.global {name}\n{name}:\n{place}\n{body}\n\tSBR R63\n\tSNOP 6\n{exits}");
    Ok(Some((text, placed.interface)))
}

/// Removes a statement without text, which only keeps compilers from moving code; false if its output is that of no
/// input.
fn remove(call: Value, operands: &[Operand]) -> bool {
    if !call.ty().is_void() {
        let inputs = operands.iter().filter(|one| one.has_argument());
        let values = inputs.zip(call.operands());
        let mut tied = values.filter(|(one, _)| **one == Operand::Tied(0));
        let Some((_, value)) = tied.next() else {
            return false;
        };
        if value.ty() != call.ty() {
            return false;
        }
        call.replace_all_uses_with(value);
    }
    call.erase();
    true
}

/// Calls a function in place of a statement.
fn call_function(call: Value, name: &str, placed: &Placed) {
    let function = call.block().function();
    let b = Builder::new(function.ty().context());
    b.before(call);
    b.of_the_line_of(call);
    let vector = b.i64().vector(16);
    let arguments: Vec<Value> = placed
        .passed
        .iter()
        .map(|value| match value.ty().is_vector() {
            true => b.bit_cast(*value, vector),
            false => words::from_value(&b, *value, false),
        })
        .collect();
    let ty = placed.interface.ty(b.context);
    let called = ir::add_function(function.module(), name, ty);
    let results = b.call(called, &arguments);
    if exits::has_exits(call) {
        exits::branch(&b, call, b.extract_value(results, 0));
        call.erase();
        return;
    }
    let outputs = placed.outputs.iter().zip(0..);
    let outputs = outputs.map(|(ty, number)| {
        let output = b.extract_value(results, number);
        match ty.is_vector() {
            true => b.bit_cast(output, *ty),
            false => words::to_value(&b, output, *ty),
        }
    });
    let outputs: Vec<Value> = outputs.collect();
    match outputs[..] {
        [] => {}
        [one] => call.replace_all_uses_with(one),
        _ => {
            let all = outputs.into_iter().zip(0..);
            let all = all.fold(call.ty().poison(), |all, (one, number)| {
                b.insert_value(all, one, number)
            });
            call.replace_all_uses_with(all);
        }
    }
    call.erase();
}
