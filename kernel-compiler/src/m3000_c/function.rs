//! Functions: a label for each block, and jumps between them.

use super::body::{self, Body};
use super::instructions;
use super::print;
use super::types::Types;
use super::unsupported::Unsupported;
use crate::ir::{Block, Opcode, Value};
use std::collections::HashMap;
use std::fmt::Write;

/// The declaration of a function, without a semicolon.
pub fn prototype(types: &mut Types, function: Value) -> Result<String, Unsupported> {
    let mut parameters = Vec::new();
    for (number, parameter) in function.parameters().into_iter().enumerate() {
        parameters.push(format!("{} a{number}", types.name(parameter.ty())?));
    }
    if parameters.is_empty() {
        parameters.push("void".to_owned());
    }
    let result = types.name(function.function_type().result())?;
    let name = body::defined_name(function);
    Ok(format!("static {result} {name}({})", parameters.join(", ")))
}

/// The definition of a function.
pub fn function(types: &mut Types, function: Value) -> Result<String, Unsupported> {
    let head = prototype(types, function)?;
    let mut body = Body {
        types,
        names: HashMap::new(),
        blocks: HashMap::new(),
        variables: String::new(),
        text: String::new(),
    };
    for (number, parameter) in function.parameters().into_iter().enumerate() {
        body.names.insert(parameter, format!("a{number}"));
    }
    let blocks = function.blocks();
    for (number, block) in blocks.iter().enumerate() {
        body.blocks.insert(*block, number);
    }
    for instruction in function.instructions() {
        if !print::is_format(instruction) {
            body.define(instruction)?;
        }
    }
    for block in blocks {
        body.block(block)?;
    }
    Ok(format!("{head}\n{{\n{}{}}}\n\n", body.variables, body.text))
}

impl Body<'_> {
    fn block(&mut self, block: Block) -> Result<(), Unsupported> {
        // A declaration must not follow a label.
        let number = self.blocks[&block];
        let _ = writeln!(self.text, "block{number}:;");
        for instruction in block.instructions() {
            if instruction.is_terminator() {
                self.terminator(block, instruction)?;
            } else if instruction.is(Opcode::LLVMPHI) {
                let name = self.value(instruction)?;
                self.statement(&format!("{name} = {name}_next;"));
            } else {
                instructions::write(self, instruction)?;
            }
        }
        Ok(())
    }

    /// The jump from a block to another, with the values that it gives φs there.
    fn jump(&mut self, from: Block, to: Block) -> Result<String, Unsupported> {
        let mut text = String::new();
        for phi in to.instructions() {
            if !phi.is(Opcode::LLVMPHI) {
                break;
            }
            let incoming = phi.incoming().into_iter().find(|(_, block)| *block == from);
            if let Some((value, _)) = incoming {
                let value = self.value(value)?;
                let _ = write!(text, "{}_next = {value}; ", self.names[&phi]);
            }
        }
        let _ = write!(text, "goto block{};", self.blocks[&to]);
        Ok(text)
    }

    fn terminator(&mut self, block: Block, terminator: Value) -> Result<(), Unsupported> {
        match terminator.opcode() {
            Opcode::LLVMRet => {
                let text = match terminator.operands().first() {
                    Some(value) => format!("return {};", self.value(*value)?),
                    None => "return;".to_owned(),
                };
                self.statement(&text);
            }
            Opcode::LLVMUnreachable => self.statement("__builtin_unreachable();"),
            Opcode::LLVMSwitch => self.switch(block, terminator)?,
            _ => match (terminator.successors().as_slice(), terminator.operands()) {
                (&[to], _) => {
                    let jump = self.jump(block, to)?;
                    self.statement(&jump);
                }
                (&[then, other], operands) => {
                    let condition = self.value(operands[0])?;
                    let (then, other) = (self.jump(block, then)?, self.jump(block, other)?);
                    self.statement(&format!("if ({condition}) {{ {then} }}"));
                    self.statement(&other);
                }
                _ => return Err(Unsupported::Instruction(terminator.text())),
            },
        }
        Ok(())
    }

    fn switch(&mut self, block: Block, switch: Value) -> Result<(), Unsupported> {
        let condition = self.value(switch.operand(0))?;
        // The operands after the default are pairs of value and block; the successors begin with it.
        for (number, to) in switch.successors().into_iter().enumerate().skip(1) {
            let case = switch.switch_case(number as u32);
            let case = self.value(case)?;
            let jump = self.jump(block, to)?;
            self.statement(&format!("if ({condition} == {case}) {{ {jump} }}"));
        }
        let jump = self.jump(block, switch.switch_default())?;
        self.statement(&jump);
        Ok(())
    }
}
