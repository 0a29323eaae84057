//! Lowers functions to lists of instructions, between which a work-item can stop. Checks C's rules
//! for names and labels.

use super::undefined::Undefined;
use crate::ast::*;
use crate::walk::{self, Part};
use std::collections::HashMap;

/// One step of a work-item. Targets are indices of instructions.
pub enum Instruction<'a> {
    /// Executes a statement without control flow.
    Do(&'a Statement),
    /// Initialises a loop variable.
    Start(VariableId, &'a Expression),
    /// Increments a loop variable.
    Count(VariableId, i128),
    /// Continues if the loop variable is less than the limit, and jumps otherwise.
    Below(VariableId, &'a Expression, usize),
    /// Jumps.
    Jump(usize),
    /// Jumps if the condition has this value.
    JumpIf(bool, &'a Expression, usize),
    /// Jumps to the target of the value, or to the default target.
    Switch(&'a Expression, Vec<(i128, usize)>, usize),
    /// Ends the function.
    End,
}

/// A function's instructions.
pub type Code<'a> = Vec<Instruction<'a>>;

/// Lowers a function.
///
/// # Errors
/// The function is not valid C: a name is out of scope, `break` is outside of loops, a label is
/// missing.
pub fn function<'a>(program: &Program, function: &'a Function) -> Result<Code<'a>, Undefined> {
    check_names(program, function)?;
    let mut lowering = Lowering::default();
    lowering.block(&function.body)?;
    lowering.code.push(Instruction::End);
    for (position, label) in lowering.gotos {
        let target = *lowering
            .labels
            .get(&label)
            .ok_or_else(|| Undefined::new("goto without its label"))?;
        lowering.code[position] = Instruction::Jump(target);
    }
    Ok(lowering.code)
}

#[derive(Default)]
struct Lowering<'a> {
    code: Code<'a>,
    labels: HashMap<Label, usize>,
    gotos: Vec<(usize, Label)>,
    /// Jumps whose targets are set at the end of the loop or switch.
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
}

impl<'a> Lowering<'a> {
    fn jump(&mut self) -> usize {
        self.code.push(Instruction::Jump(0));
        self.code.len() - 1
    }

    fn land(&mut self, jumps: Vec<usize>, target: usize) {
        for position in jumps {
            match &mut self.code[position] {
                Instruction::Jump(to)
                | Instruction::JumpIf(_, _, to)
                | Instruction::Below(_, _, to) => *to = target,
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &'a Block) -> Result<(), Undefined> {
        block.iter().try_for_each(|inner| self.statement(inner))
    }

    /// Lowers a loop's body. Returns the positions of `continue`.
    fn body(&mut self, block: &'a Block) -> Result<Vec<usize>, Undefined> {
        self.breaks.push(Vec::new());
        self.continues.push(Vec::new());
        self.block(block)?;
        Ok(self.continues.pop().unwrap_or_default())
    }

    fn leave(&mut self) {
        let breaks = self.breaks.pop().unwrap_or_default();
        let end = self.code.len();
        self.land(breaks, end);
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Undefined> {
        match statement {
            Statement::If(condition, then, otherwise) => {
                let test = self.code.len();
                self.code.push(Instruction::JumpIf(false, condition, 0));
                self.block(then)?;
                let end_of_then = self.jump();
                let start = self.code.len();
                self.land(vec![test], start);
                self.block(otherwise)?;
                let end = self.code.len();
                self.land(vec![end_of_then], end);
            }
            Statement::For {
                variable,
                from,
                to,
                step,
                body,
            } => {
                self.code.push(Instruction::Start(*variable, from));
                let test = self.code.len();
                self.code.push(Instruction::Below(*variable, to, 0));
                let continues = self.body(body)?;
                let count = self.code.len();
                self.land(continues, count);
                self.code.push(Instruction::Count(*variable, *step));
                self.code.push(Instruction::Jump(test));
                let end = self.code.len();
                self.land(vec![test], end);
                self.leave();
            }
            Statement::While(condition, body) => {
                let test = self.code.len();
                self.code.push(Instruction::JumpIf(false, condition, 0));
                let continues = self.body(body)?;
                self.land(continues, test);
                self.code.push(Instruction::Jump(test));
                let end = self.code.len();
                self.land(vec![test], end);
                self.leave();
            }
            Statement::DoWhile(body, condition) => {
                let start = self.code.len();
                let continues = self.body(body)?;
                let test = self.code.len();
                self.land(continues, test);
                self.code.push(Instruction::JumpIf(true, condition, start));
                self.leave();
            }
            Statement::Switch(value, cases) => self.switch(value, cases)?,
            Statement::Break => {
                let jump = self.jump();
                self.breaks
                    .last_mut()
                    .ok_or_else(|| Undefined::new("break outside of loops"))?
                    .push(jump);
            }
            Statement::Continue => {
                let jump = self.jump();
                self.continues
                    .last_mut()
                    .ok_or_else(|| Undefined::new("continue outside of loops"))?
                    .push(jump);
            }
            Statement::Goto(label) => {
                let jump = self.jump();
                self.gotos.push((jump, *label));
            }
            Statement::Label(label) => {
                if self.labels.insert(*label, self.code.len()).is_some() {
                    return Err(Undefined::new("a label twice"));
                }
            }
            Statement::Block(block) => self.block(block)?,
            _ => self.code.push(Instruction::Do(statement)),
        }
        Ok(())
    }

    fn switch(&mut self, value: &'a Expression, cases: &'a [Case]) -> Result<(), Undefined> {
        let select = self.code.len();
        self.code.push(Instruction::Switch(value, Vec::new(), 0));
        let mut targets = Vec::new();
        let mut default = None;
        self.breaks.push(Vec::new());
        for case in cases {
            let start = self.code.len();
            targets.extend(case.values.iter().map(|&label| (label, start)));
            if case.values.is_empty() && default.replace(start).is_some() {
                return Err(Undefined::new("two default labels"));
            }
            self.block(&case.body)?;
            if !case.falls_through {
                let jump = self.jump();
                self.breaks.last_mut().expect("pushed above").push(jump);
            }
        }
        let end = self.code.len();
        self.leave();
        self.code[select] = Instruction::Switch(value, targets, default.unwrap_or(end));
        Ok(())
    }
}

/// Checks that each name is in scope where it is used.
fn check_names(program: &Program, function: &Function) -> Result<(), Undefined> {
    let mut visible: Vec<VariableId> = program.constants.iter().map(|c| c.variable).collect();
    visible.extend(&function.parameters);
    visible.extend(&function.local_arrays);
    // The walk yields mutable parts, of a copy that is not changed.
    let mut body = function.body.clone();
    let mut missing = false;
    check_block(&mut body, &mut visible, &mut missing);
    if missing {
        return Err(Undefined::new("a name out of scope"));
    }
    Ok(())
}

fn check_block(block: &mut Block, visible: &mut Vec<VariableId>, missing: &mut bool) {
    let outer = visible.len();
    for statement in block {
        let inner = visible.len();
        if let Statement::For { variable, .. } = statement {
            // The limits of the loop do not use its variable.
            visible.push(*variable);
        }
        walk::statement(statement, &mut |part| check_part(part, visible, missing));
        visible.truncate(inner);
        match statement {
            Statement::Declare(variable, _) | Statement::DeclarePointer(variable, _) => {
                visible.push(*variable);
            }
            _ => {}
        }
    }
    visible.truncate(outer);
}

fn check_part(part: Part<'_>, visible: &mut Vec<VariableId>, missing: &mut bool) {
    match part {
        Part::Block(block) => check_block(block, visible, missing),
        Part::Place(place) => {
            *missing |= !visible.contains(&place.root);
            walk::place(place, &mut |part| check_part(part, visible, missing));
        }
        Part::Expression(expression) => {
            walk::expression(expression, &mut |part| check_part(part, visible, missing));
        }
    }
}
