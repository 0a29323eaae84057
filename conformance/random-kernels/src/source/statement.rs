//! Statements.

use super::Printer;
use super::spelling::{
    atomic_prefix, declaration, fences, name, pointer_declaration, scalar_constant,
};
use crate::ast::*;
use crate::types::{Scalar, Shape};

impl Printer<'_> {
    fn initial(&self, initial: &Initial) -> String {
        match initial {
            Initial::Value(value) => self.expression(value),
            Initial::List(elements) => {
                let elements: Vec<String> = elements.iter().map(|e| self.initial(e)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            Initial::Copy(place) => self.place(place),
            Initial::Unset => String::new(),
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare(variable, initial) => self.declare(*variable, initial),
            Statement::DeclarePointer(variable, pointer) => {
                self.declare_pointer(*variable, pointer);
            }
            Statement::Assign(place, operator, value) => {
                let operator = operator.map_or("", Operator::sign);
                self.line(&format!(
                    "{} {operator}= {};",
                    self.place(place),
                    self.expression(value)
                ));
            }
            Statement::Copy(to, from) => {
                self.line(&format!("{} = {};", self.place(to), self.place(from)));
            }
            Statement::VectorStore { value, offset, to } => {
                self.vector_store(value, offset, to);
            }
            Statement::If(condition, then, otherwise) => {
                self.branch(condition, then, otherwise);
            }
            Statement::For {
                variable,
                from,
                to,
                step,
                body,
            } => self.for_loop(*variable, [from, to], *step, body),
            Statement::While(condition, body) => {
                self.line(&format!("while ({}) {{", self.expression(condition)));
                self.block(body);
                self.line("}");
            }
            Statement::DoWhile(body, condition) => {
                self.line("do {");
                self.block(body);
                self.line(&format!("}} while ({});", self.expression(condition)));
            }
            Statement::Switch(value, cases) => self.switch(value, cases),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(None) => self.line("return;"),
            Statement::Return(Some(value)) => {
                self.line(&format!("return {};", self.expression(value)));
            }
            Statement::ReturnObject(place) => {
                self.line(&format!("return {};", self.place(place)));
            }
            Statement::Goto(label) => self.line(&format!("goto L{label};")),
            Statement::Label(label) => self.line(&format!("L{label}:;")),
            Statement::Barrier { local, global } => {
                self.line(&format!("barrier({});", fences(*local, *global)));
            }
            Statement::Fence { local, global } => {
                self.line(&format!("mem_fence({});", fences(*local, *global)));
            }
            Statement::Atomic(atomic, place, value) => self.atomic(*atomic, place, value),
            Statement::Ticket {
                counter,
                up,
                total,
                factor,
            } => self.ticket(counter, *up, total, *factor),
            Statement::GroupCopy { to, from, count } => self.group_copy(to, from, *count),
            Statement::Call {
                helper,
                arguments,
                result,
            } => self.call(*helper, arguments, result.as_ref()),
            Statement::Block(block) => {
                self.line("{");
                self.block(block);
                self.line("}");
            }
        }
    }

    fn declare(&mut self, variable: VariableId, initial: &Initial) {
        if let Variable::Object { shape, .. } = &self.program.variables[variable] {
            let declaration = declaration(shape, &name(variable));
            match initial {
                Initial::Unset => self.line(&format!("{declaration};")),
                _ => self.line(&format!("{declaration} = {};", self.initial(initial))),
            }
        }
    }

    fn declare_pointer(&mut self, variable: VariableId, pointer: &Pointer) {
        if let Variable::Pointer { space, element } = &self.program.variables[variable] {
            self.line(&format!(
                "{} = {};",
                pointer_declaration(*space, element, variable),
                self.pointer(pointer)
            ));
        }
    }

    fn vector_store(&mut self, value: &Expression, offset: &Expression, to: &Pointer) {
        self.line(&format!(
            "vstore{}({}, {}, {});",
            value.ty.width,
            self.expression(value),
            self.expression(offset),
            self.pointer(to)
        ));
    }

    fn group_copy(&mut self, to: &Pointer, from: &Pointer, count: usize) {
        self.line(&format!(
            "{{ event_t e = async_work_group_copy({}, {}, {count}, 0); \
             wait_group_events(1, &e); }}",
            self.pointer(to),
            self.pointer(from)
        ));
    }

    fn branch(&mut self, condition: &Expression, then: &Block, otherwise: &Block) {
        self.line(&format!("if ({}) {{", self.expression(condition)));
        self.block(then);
        if !otherwise.is_empty() {
            self.line("} else {");
            self.block(otherwise);
        }
        self.line("}");
    }

    fn for_loop(
        &mut self,
        variable: VariableId,
        [from, to]: [&Expression; 2],
        step: i128,
        body: &Block,
    ) {
        let variable = name(variable);
        self.line(&format!(
            "for (int {variable} = {}; {variable} < {}; {variable} += {step}) {{",
            self.expression(from),
            self.expression(to)
        ));
        self.block(body);
        self.line("}");
    }

    fn call(&mut self, helper: usize, arguments: &[Argument], result: Option<&Place>) {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value) => self.expression(value),
                Argument::Object(place) => self.place(place),
                Argument::Pointer(pointer) => self.pointer(pointer),
            })
            .collect();
        let call = format!("f{helper}({});", arguments.join(", "));
        match result {
            None => self.line(&call),
            Some(place) => self.line(&format!("{} = {call}", self.place(place))),
        }
    }

    fn switch(&mut self, value: &Expression, cases: &[Case]) {
        self.line(&format!("switch ({}) {{", self.expression(value)));
        for case in cases {
            if case.values.is_empty() {
                self.line("default: {");
            } else {
                let labels: Vec<String> = case
                    .values
                    .iter()
                    .map(|&label| format!("case {}:", scalar_constant(value.ty.scalar, label)))
                    .collect();
                self.line(&format!("{} {{", labels.join(" ")));
            }
            self.block(&case.body);
            self.line(if case.falls_through { "}" } else { "} break;" });
        }
        self.line("}");
    }

    fn atomic(&mut self, atomic: Atomic, place: &Place, value: &Expression) {
        let prefix = atomic_prefix(value.ty.scalar);
        let function = match atomic {
            Atomic::Add => "add",
            Atomic::Subtract => "sub",
            Atomic::Increment => "inc",
            Atomic::Decrement => "dec",
            Atomic::And => "and",
            Atomic::Or => "or",
            Atomic::Xor => "xor",
            Atomic::Min => "min",
            Atomic::Max => "max",
        };
        let place = self.place(place);
        let line = match atomic {
            Atomic::Increment | Atomic::Decrement => format!("{prefix}_{function}(&{place});"),
            _ => format!("{prefix}_{function}(&{place}, {});", self.expression(value)),
        };
        self.line(&line);
    }

    fn ticket(&mut self, counter: &Place, up: bool, total: &Place, factor: i128) {
        let scalar = |place| match self.program.shape_of(place) {
            Some(Shape::Value(ty)) => ty.scalar,
            _ => Scalar::Uint,
        };
        let (from, to) = (scalar(counter), scalar(total));
        let line = format!(
            "{}_add(&{}, ({})((ulong){}_{}(&{}) * {factor}UL));",
            atomic_prefix(to),
            self.place(total),
            to.name(),
            atomic_prefix(from),
            if up { "inc" } else { "dec" },
            self.place(counter),
        );
        self.line(&line);
    }
}
