//! The direct parts of statements, expressions and lvalues.

use super::ast::*;

/// A part of a statement, expression or lvalue.
pub enum Part<'a> {
    /// A block within a statement.
    Block(&'a mut Block),
    /// An expression.
    Expression(&'a mut Expression),
    /// An lvalue that is read, written or passed.
    Place(&'a mut Place),
}

type Visit<'v> = &'v mut dyn FnMut(Part<'_>);

/// Visits all blocks, expressions and lvalues of a program's functions, outer ones before inner ones.
pub fn program(program: &mut Program, visit: Visit<'_>) {
    fn all(part: Part<'_>, visit: Visit<'_>) {
        match part {
            Part::Block(block) => {
                visit(Part::Block(block));
                for inner in block {
                    statement(inner, &mut |part| all(part, visit));
                }
            }
            Part::Expression(value) => {
                visit(Part::Expression(value));
                expression(value, &mut |part| all(part, visit));
            }
            Part::Place(lvalue) => {
                visit(Part::Place(lvalue));
                place(lvalue, &mut |part| all(part, visit));
            }
        }
    }
    for function in program.helpers.iter_mut().chain([&mut program.kernel]) {
        all(Part::Block(&mut function.body), visit);
    }
}

/// Visits the direct parts of a statement.
pub fn statement(statement: &mut Statement, visit: Visit<'_>) {
    match statement {
        Statement::Declare(_, initial_value) => initial(initial_value, visit),
        Statement::DeclarePointer(_, value) => pointer(value, visit),
        Statement::Assign(place, _, value) | Statement::Atomic(_, place, value) => {
            visit(Part::Place(place));
            visit(Part::Expression(value));
        }
        Statement::Ticket { counter, total, .. } => {
            visit(Part::Place(counter));
            visit(Part::Place(total));
        }
        Statement::Copy(to, from) => {
            visit(Part::Place(to));
            visit(Part::Place(from));
        }
        Statement::VectorStore { value, offset, to } => {
            visit(Part::Expression(value));
            visit(Part::Expression(offset));
            pointer(to, visit);
        }
        Statement::If(condition, then, otherwise) => {
            visit(Part::Expression(condition));
            visit(Part::Block(then));
            visit(Part::Block(otherwise));
        }
        Statement::For { from, to, body, .. } => {
            visit(Part::Expression(from));
            visit(Part::Expression(to));
            visit(Part::Block(body));
        }
        Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
            visit(Part::Expression(condition));
            visit(Part::Block(body));
        }
        Statement::Switch(value, cases) => {
            visit(Part::Expression(value));
            for case in cases {
                visit(Part::Block(&mut case.body));
            }
        }
        Statement::Return(Some(value)) => visit(Part::Expression(value)),
        Statement::ReturnObject(place) => visit(Part::Place(place)),
        Statement::GroupCopy { to, from, .. } => {
            pointer(to, visit);
            pointer(from, visit);
        }
        Statement::Call {
            arguments, result, ..
        } => {
            for argument in arguments {
                match argument {
                    Argument::Value(value) => visit(Part::Expression(value)),
                    Argument::Object(place) => visit(Part::Place(place)),
                    Argument::Pointer(value) => pointer(value, visit),
                }
            }
            if let Some(place) = result {
                visit(Part::Place(place));
            }
        }
        Statement::Block(block) => visit(Part::Block(block)),
        Statement::Break
        | Statement::Continue
        | Statement::Return(None)
        | Statement::Goto(_)
        | Statement::Label(_)
        | Statement::Barrier { .. }
        | Statement::Fence { .. } => {}
    }
}

fn initial(value: &mut Initial, visit: Visit<'_>) {
    match value {
        Initial::Value(value) => visit(Part::Expression(value)),
        Initial::List(values) => values.iter_mut().for_each(|value| initial(value, visit)),
        Initial::Copy(place) => visit(Part::Place(place)),
        Initial::Unset => {}
    }
}

fn pointer(value: &mut Pointer, visit: Visit<'_>) {
    match value {
        Pointer::To(place, offset) => {
            visit(Part::Place(place));
            if let Some(offset) = offset {
                visit(Part::Expression(offset));
            }
        }
        Pointer::Either(condition, pointers) => {
            visit(Part::Expression(condition));
            pointers.iter_mut().for_each(|value| pointer(value, visit));
        }
    }
}

/// Visits the direct parts of an expression.
pub fn expression(expression: &mut Expression, visit: Visit<'_>) {
    match &mut expression.kind {
        Kind::Constant(_) => {}
        Kind::Load(place) => visit(Part::Place(place)),
        Kind::VectorLoad { offset, from } => {
            visit(Part::Expression(offset));
            pointer(from, visit);
        }
        Kind::WorkItem(_, value)
        | Kind::Negate(value)
        | Kind::Complement(value)
        | Kind::Not(value)
        | Kind::Convert { value, .. }
        | Kind::Reinterpret(value)
        | Kind::Splat(value)
        | Kind::Swizzle(value, _) => visit(Part::Expression(value)),
        Kind::Binary { operands, .. } | Kind::Compare(_, operands) | Kind::Logical(_, operands) => {
            operands
                .iter_mut()
                .for_each(|value| visit(Part::Expression(value)));
        }
        Kind::Ternary(parts) => {
            parts
                .iter_mut()
                .for_each(|value| visit(Part::Expression(value)));
        }
        Kind::Assemble(values) | Kind::Call(_, values) | Kind::Helper(_, values) => {
            values
                .iter_mut()
                .for_each(|value| visit(Part::Expression(value)));
        }
    }
}

/// Visits the indices of an lvalue.
pub fn place(place: &mut Place, visit: Visit<'_>) {
    for step in &mut place.steps {
        if let Step::Index(index) = step {
            visit(Part::Expression(index));
        }
    }
}
