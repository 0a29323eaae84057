//! Assembly in C (`__asm__`): each statement becomes a function in assembly that is called in its place, with its
//! inputs in the registers of arguments. Assembly outside functions is assembled as a file is.

use super::MOST_ARGUMENTS;
use super::object;
use super::template::{self, Operand};
use crate::device_c::words;
use crate::ir::{self, Builder, Context, InlineAssembly, Module, Opcode, Type, Value};
use device_assembly::assemble;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The register of the first argument, and of the result; arguments have every second one from there on.
const FIRST_REGISTER: usize = 10;

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
    let mut add = |text: &str| match assemble(file, text) {
        _ if text.is_empty() => {}
        Ok(part) => assembled.push(part),
        Err(wrong) => errors.push_str(&wrong.to_string()),
    };
    let outside = ir::take_assembly(module.handle());
    if !outside.trim().is_empty() {
        add(&format!(
            "# 1 \"{file}: assembly outside functions\"\n{outside}"
        ));
    }
    let mut wrong = Vec::new();
    for function in ir::functions(module.handle()) {
        let mut number = 0;
        for call in function.instructions() {
            if call.is(Opcode::LLVMCallBr) {
                wrong.push(refusal(call, file, "it must not leave by a label"));
            }
            let Some(assembly) = call.inline_assembly() else {
                continue;
            };
            let mut hasher = DefaultHasher::new();
            (key, file, function.name(), number).hash(&mut hasher);
            let name = format!("{}.asm{:016x}", function.name(), hasher.finish());
            number += 1;
            match replace(call, &assembly, &name, file) {
                Ok(text) => add(text.as_deref().unwrap_or_default()),
                Err(message) => wrong.push(refusal(call, file, &message)),
            }
        }
    }
    errors.extend(wrong);
    if !errors.is_empty() {
        return Err(errors);
    }
    for part in &assembled {
        module.link(object::parse(context, part)?)?;
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

/// Replaces a statement by a call of a function of a name; the text of that, if the statement has any.
fn replace(
    call: Value,
    assembly: &InlineAssembly,
    name: &str,
    file: &str,
) -> Result<Option<String>, String> {
    let operands = template::operands(&assembly.constraints)?;
    if assembly.template.trim().is_empty() && remove(call, &operands) {
        return Ok(None);
    }
    let placed = Placed::find(call, &operands)?;
    let body = template::expand(&assembly.template, &placed.names)?;
    let place = match call.source() {
        Some((file, line)) => format!("# {line} \"{file}\""),
        None => {
            let function = call.block().function().name();
            format!("# 1 \"{file}: assembly in function '{function}'\"")
        }
    };
    call_function(call, name, &placed.passed);
    let end = match placed.result {
        Some(register) if register != FIRST_REGISTER => {
            format!("\tSNOP 5\n\tSMOV R{register}, R{FIRST_REGISTER}\n")
        }
        _ => "\tSNOP 6\n".to_owned(),
    };
    Ok(Some(format!(
        "\t.global {name}\n{name}:\n{place}\n{body}\n\tSBR R63\n{end}"
    )))
}

/// Where a statement has its operands.
struct Placed {
    /// The text of each operand.
    names: Vec<String>,
    /// What the registers of arguments get, in order.
    passed: Vec<Value>,
    /// The register of the output, if there is one.
    result: Option<usize>,
}

impl Placed {
    fn find(call: Value, operands: &[Operand]) -> Result<Self, String> {
        let mut values = call.operands();
        // What is called is the last one.
        values.pop();
        let inputs = operands.iter().enumerate();
        let inputs = inputs.filter(|(_, operand)| **operand != Operand::Output);
        let mut names = vec![String::new(); operands.len()];
        let mut passed = Vec::new();
        let mut of_output = None;
        for ((number, operand), value) in inputs.zip(values) {
            if *operand == Operand::Constant {
                let constant = value.as_signed_integer();
                let constant =
                    constant.ok_or_else(|| format!("operand {number} is no constant number"))?;
                names[number] = constant.to_string();
                continue;
            }
            if !words::has_register(value.ty()) {
                return Err(format!(
                    "operand {number} is neither a number nor a pointer"
                ));
            }
            let register = FIRST_REGISTER + 2 * passed.len();
            names[number] = format!("R{register}");
            if let Operand::Tied(_) = operand {
                of_output = Some(register);
            }
            passed.push(value);
        }
        if passed.len() > MOST_ARGUMENTS {
            return Err(format!("more than {MOST_ARGUMENTS} inputs"));
        }
        let is_output = |operand: &&Operand| **operand == Operand::Output;
        let result = match operands.iter().filter(is_output).count() {
            0 => None,
            1 => Some(of_output.unwrap_or(FIRST_REGISTER + 2 * passed.len())),
            _ => return Err("more than one output".to_owned()),
        };
        if let Some(register) = result {
            if !words::has_register(call.ty()) {
                return Err("the output is neither a number nor a pointer".to_owned());
            }
            // Outputs come first.
            names[0] = format!("R{register}");
        }
        Ok(Self {
            names,
            passed,
            result,
        })
    }
}

/// Removes a statement without text, which only keeps compilers from moving code; false if its output is that of no
/// input.
fn remove(call: Value, operands: &[Operand]) -> bool {
    if !call.ty().is_void() {
        let inputs = operands.iter().filter(|one| **one != Operand::Output);
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
fn call_function(call: Value, name: &str, passed: &[Value]) {
    let function = call.block().function();
    let b = Builder::new(function.ty().context());
    b.before(call);
    b.of_the_line_of(call);
    let mut arguments: Vec<Value> = passed
        .iter()
        .map(|value| words::from_value(&b, *value, false))
        .collect();
    arguments.resize(MOST_ARGUMENTS, b.i64().constant(0));
    let ty = Type::function(b.i64(), &[b.i64(); MOST_ARGUMENTS]);
    let called = ir::add_function(function.module(), name, ty);
    let word = b.call(called, &arguments);
    if !call.ty().is_void() {
        call.replace_all_uses_with(words::to_value(&b, word, call.ty()));
    }
    call.erase();
}
