//! Calls of functions in assembly from C, which declares them with types of its own.

use super::image::{self, is_assembled};
use super::{MOST_ARGUMENTS, STATEMENT};
use crate::device_c::words;
use crate::ir::{self, Builder, ModuleRef, Opcode, Value};
use device_assembly::Operand;
use device_assembly::table::Action;

/// Lets C's calls of functions in assembly pass words, and checks what assembly calls.
///
/// # Errors
/// An argument or a result has no register, or assembly calls what is no such function.
pub fn adapt(module: ModuleRef) -> Result<(), String> {
    check_called(module)?;
    for function in ir::functions(module) {
        if !is_assembled(function) || function.has_text_attribute(STATEMENT) {
            continue;
        }
        for user in function.users() {
            let is_call = user.is_instruction() && user.is(Opcode::LLVMCall);
            if is_call && user.called_function() == Some(function) {
                adapt_call(user, function)?;
            }
        }
    }
    Ok(())
}

/// Checks the functions to which branches lead.
fn check_called(module: ModuleRef) -> Result<(), String> {
    for program in image::programs(module)? {
        let instructions = program.packets.iter().flat_map(|one| &one.instructions);
        for instruction in instructions {
            let (Action::Branch(_), Some(Operand::Symbol(number, _))) =
                (instruction.mnemonic.action, instruction.operands.first())
            else {
                continue;
            };
            let name = program.symbols.get(*number as usize);
            let name = name.map_or("", String::as_str);
            let function = ir::function(module, name);
            if !function.is_some_and(|one| is_assembled(one) || image::is_callable(one)) {
                return Err(format!(
                    "{}:{}: `{name}' cannot be called: it is no function, or its result or an argument is neither \
                     a number nor a pointer",
                    program.file, instruction.line
                ));
            }
        }
    }
    Ok(())
}

fn adapt_call(call: Value, function: Value) -> Result<(), String> {
    let refuse = |what: &str| {
        let (caller, callee) = (call.block().function().name(), function.name());
        Err(format!(
            "in function `{caller}': call of `{callee}', which is in assembly: {what}"
        ))
    };
    // The function is the last operand.
    let mut arguments = call.operands();
    arguments.pop();
    if arguments.len() > MOST_ARGUMENTS {
        return refuse(&format!("more than {MOST_ARGUMENTS} arguments"));
    }
    for (number, argument) in (0u32..).zip(&arguments) {
        if !words::has_register(argument.ty()) || call.by_value_argument_type(number).is_some() {
            let place = number + 1;
            return refuse(&format!(
                "argument {place} is neither a number nor a pointer"
            ));
        }
    }
    let result = call.ty();
    if !result.is_void() && !words::has_register(result) {
        return refuse("the result is neither a number nor a pointer");
    }
    let b = Builder::new(function.ty().context());
    b.before(call);
    b.of_the_line_of(call);
    let mut passed: Vec<Value> = (0u32..)
        .zip(arguments)
        .map(|(number, one)| words::from_value(&b, one, call.has_unsigned_argument(number)))
        .collect();
    passed.resize(MOST_ARGUMENTS, b.i64().constant(0));
    let word = b.call(function, &passed);
    if !result.is_void() {
        call.replace_all_uses_with(words::to_value(&b, word, result));
    }
    call.erase();
    Ok(())
}
