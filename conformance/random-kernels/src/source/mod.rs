//! Prints programs as OpenCL C.

mod expression;
mod spelling;
mod statement;

use super::ast::*;
use super::types::Shape;
use spelling::{constant, declaration, name, pointer_declaration};
use std::fmt::Write;

/// The kernel's name.
pub const KERNEL: &str = "k";

/// The program's text.
pub fn text(program: &Program) -> String {
    let mut printer = Printer {
        program,
        text: String::new(),
        indent: 0,
    };
    printer.program();
    printer.text
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn program(&mut self) {
        let program = self.program;
        let body_start = self.text.len();
        for (number, fields) in program.structs.iter().enumerate() {
            self.line(&format!("struct S{number} {{"));
            self.indent += 1;
            for (field, shape) in fields.iter().enumerate() {
                self.line(&format!("{};", declaration(shape, &format!("f{field}"))));
            }
            self.indent -= 1;
            self.line("};");
        }
        for table in &program.constants {
            let Variable::Object { shape, .. } = &program.variables[table.variable] else {
                continue;
            };
            let Shape::Array(element, _) = shape else {
                continue;
            };
            let Shape::Value(ty) = **element else {
                continue;
            };
            let elements: Vec<String> = table
                .elements
                .iter()
                .map(|element| constant(ty, element))
                .collect();
            self.line(&format!(
                "__constant {} = {{{}}};",
                declaration(shape, &name(table.variable)),
                elements.join(", ")
            ));
        }
        for (number, helper) in program.helpers.iter().enumerate() {
            let result = match &helper.result {
                None => "void ".to_owned(),
                Some(shape) => declaration(shape, ""),
            };
            let attribute = if helper.noinline {
                "__attribute__((noinline)) "
            } else {
                ""
            };
            self.function(&format!("{attribute}{result}f{number}"), helper);
        }
        let mut head = "__kernel ".to_owned();
        if program.required_local_size {
            let mut sizes = program.geometry.local.clone();
            sizes.resize(3, 1);
            write!(
                head,
                "__attribute__((reqd_work_group_size({}, {}, {}))) ",
                sizes[0], sizes[1], sizes[2]
            )
            .expect("a string takes all");
        }
        self.function(&format!("{head}void {KERNEL}"), &program.kernel);
        if self.text.contains("atom_") {
            let pragmas = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n\
                           #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";
            self.text.insert_str(body_start, pragmas);
        }
    }

    fn function(&mut self, head: &str, function: &Function) {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|&parameter| match &self.program.variables[parameter] {
                Variable::Object { shape, .. } => declaration(shape, &name(parameter)),
                Variable::Pointer { space, element } => {
                    pointer_declaration(*space, element, parameter)
                }
            })
            .collect();
        self.line(&format!("{head}({}) {{", parameters.join(", ")));
        self.indent += 1;
        for &array in &function.local_arrays {
            if let Variable::Object { shape, .. } = &self.program.variables[array] {
                self.line(&format!("__local {};", declaration(shape, &name(array))));
            }
        }
        for statement in &function.body {
            self.statement(statement);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for statement in block {
            self.statement(statement);
        }
        self.indent -= 1;
    }
}
