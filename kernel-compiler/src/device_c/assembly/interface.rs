//! The function of a statement in assembly: its arguments are the values of the inputs, its result those of the
//! outputs. It passes them to the interpreter by an area on the stack (`registers`).

use super::EXECUTE_STATEMENT;
use super::registers::OperandRegister;
use crate::ir::{ContextRef, Type};
use std::fmt::Write;

/// A register that an operand of a statement is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandPlace {
    /// The register.
    pub register: OperandRegister,
    /// Whether it has an argument's value at first, else zero.
    pub is_input: bool,
    /// The number of the output that it has in the end.
    pub output: Option<usize>,
}

/// The registers of a statement's operands; inputs are in the order of the arguments.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// The registers.
    pub places: Vec<OperandPlace>,
}

/// How textual IR names the type of a value: as a word or 16 words, and as one that can be stored whole. A store of
/// a vector would leave out the lanes that the lane mask disables.
struct ValueType {
    name: &'static str,
    stored: &'static str,
}

fn value_type(register: OperandRegister) -> ValueType {
    match register {
        OperandRegister::Vector(_) => ValueType {
            name: "<16 x i64>",
            stored: "i1024",
        },
        OperandRegister::Scalar(_) | OperandRegister::Address(_) => ValueType {
            name: "i64",
            stored: "i64",
        },
    }
}

impl Interface {
    /// The type of the function.
    pub fn ty(&self, context: ContextRef) -> Type {
        let word = Type::integer(context, 64);
        let of = |place: &OperandPlace| match place.register {
            OperandRegister::Vector(_) => word.vector(16),
            OperandRegister::Scalar(_) | OperandRegister::Address(_) => word,
        };
        let inputs: Vec<Type> = self
            .places
            .iter()
            .filter(|one| one.is_input)
            .map(of)
            .collect();
        let outputs: Vec<Type> = self.outputs().into_iter().map(of).collect();
        let result = match outputs[..] {
            [] => Type::void(context),
            _ => Type::structure(context, &outputs),
        };
        Type::function(result, &inputs)
    }

    /// The registers with outputs, by number of the output.
    fn outputs(&self) -> Vec<&OperandPlace> {
        let mut outputs: Vec<&OperandPlace> = self
            .places
            .iter()
            .filter(|one| one.output.is_some())
            .collect();
        outputs.sort_by_key(|one| one.output);
        outputs
    }

    /// Where the value of a register is in the area, words.
    fn offset(&self, place: usize) -> usize {
        let before = self.places.iter().take(place);
        2 + before.map(|one| 1 + one.register.words()).sum::<usize>()
    }

    /// The function as textual IR. `packet` is the number of its first packet.
    pub fn function(&self, name: &str, packet: u32) -> String {
        let inputs = self.places.iter().filter(|one| one.is_input);
        let types: Vec<&str> = inputs.map(|one| value_type(one.register).name).collect();
        let outputs = self.outputs();
        let results: Vec<&str> = outputs
            .iter()
            .map(|one| value_type(one.register).name)
            .collect();
        let result = match results[..] {
            [] => "void".to_owned(),
            _ => format!("{{ {} }}", results.join(", ")),
        };
        let mut text = String::new();
        // A String accepts all text.
        let _ = writeln!(
            text,
            "define {result} @\"{name}\"({}) #0 {{\n  %area = alloca [{} x i64]\n  store i64 {}, ptr %area",
            types.join(", "),
            self.offset(self.places.len()),
            self.places.len()
        );
        self.store(&mut text);
        let _ = writeln!(
            text,
            "  call void @{EXECUTE_STATEMENT}(ptr @__ht_table, i32 {packet}, ptr %area)"
        );
        let mut last = "poison".to_owned();
        for (number, output) in outputs.into_iter().enumerate() {
            let place = self.places.iter().position(|one| one == output);
            let (place, ty) = (place.unwrap_or(0), value_type(output.register).name);
            let _ = writeln!(
                text,
                "  %output{number} = load {ty}, ptr %value{place}, align 8\n  \
                 %result{number} = insertvalue {result} {last}, {ty} %output{number}, {number}"
            );
            last = format!("%result{number}");
        }
        let _ = match results[..] {
            [] => writeln!(text, "  ret void\n}}"),
            _ => writeln!(text, "  ret {result} {last}\n}}"),
        };
        text
    }

    /// Writes the stores of the registers' words and values.
    fn store(&self, text: &mut String) {
        let mut argument = 0;
        for (place, one) in self.places.iter().enumerate() {
            let ValueType { name, stored } = value_type(one.register);
            let offset = self.offset(place);
            let value = match one.is_input {
                true => format!("%{argument}"),
                false => "zeroinitializer".to_owned(),
            };
            argument += usize::from(one.is_input);
            let _ = writeln!(
                text,
                "  %word{place} = getelementptr i64, ptr %area, i64 {}\n  \
                 store i64 {}, ptr %word{place}\n  \
                 %value{place} = getelementptr i64, ptr %area, i64 {offset}\n  \
                 %stored{place} = bitcast {name} {value} to {stored}\n  \
                 store {stored} %stored{place}, ptr %value{place}, align 8",
                offset - 1,
                one.register.word()
            );
        }
    }
}
