//! The text of a function while it is written: variables for its values.

use super::constants::{self, identifier};
use super::types::Types;
use super::unsupported::Unsupported;
use crate::ir::{Block, Opcode, Type, Value};
use crate::work_group;
use std::collections::HashMap;
use std::fmt::Write;

/// A function while its text is written.
pub struct Body<'t> {
    pub types: &'t mut Types,
    /// The variables of values.
    pub names: HashMap<Value, String>,
    /// The numbers of blocks' labels.
    pub blocks: HashMap<Block, usize>,
    /// Definitions of the variables.
    pub variables: String,
    /// The statements.
    pub text: String,
}

/// The name of a function that the program defines.
pub fn defined_name(function: Value) -> String {
    match function.name().as_str() {
        work_group::SYMBOL => "mocl3_work_group".to_owned(),
        name => format!("function_{}", identifier(name)),
    }
}

impl Body<'_> {
    /// Gives the value of an instruction a variable.
    pub fn define(&mut self, instruction: Value) -> Result<(), Unsupported> {
        let ty = instruction.ty();
        let name = format!("v{}", self.names.len());
        if !ty.is_void() {
            let ty = self.types.name(ty)?;
            self.variable(&ty, &name);
            if instruction.is(Opcode::LLVMPHI) {
                self.variable(&ty, &format!("{name}_next"));
            }
        }
        if instruction.is(Opcode::LLVMAlloca) {
            let count = instruction.operand(0).as_integer();
            let count = count.ok_or_else(|| Unsupported::Instruction(instruction.text()))?;
            let size = count * self.types.layout.size(instruction.allocated_type());
            let alignment = instruction.alignment().max(1);
            let size = size.max(1);
            // Writing to a string does not fail.
            let _ = writeln!(
                self.variables,
                "    u8 {name}_memory[{size}] __attribute__((aligned({alignment})));"
            );
        }
        self.names.insert(instruction, name);
        Ok(())
    }

    fn variable(&mut self, ty: &str, name: &str) {
        let _ = writeln!(self.variables, "    {ty} {name};");
    }

    /// A value as an expression.
    pub fn value(&mut self, value: Value) -> Result<String, Unsupported> {
        match self.names.get(&value) {
            Some(name) => Ok(name.clone()),
            None => constants::expression(self.types, value),
        }
    }

    /// A comparison of values of a type as an `i1`, or as a vector of them.
    pub fn truth(&mut self, compared: Type, text: &str) -> String {
        match compared.is_vector() {
            true => {
                let (_, count) = compared.vector_elements();
                let bytes = self.types.vector("u8", count);
                let signed = self.types.vector("i8", count);
                format!("(({bytes})__builtin_convertvector({text}, {signed}) & ({bytes})1)")
            }
            false => format!("(u8)({text})"),
        }
    }

    /// Appends a statement.
    pub fn statement(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }
}
