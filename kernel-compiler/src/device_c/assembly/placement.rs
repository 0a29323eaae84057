//! The registers that the operands of a statement are in.

use super::exits;
use super::interface::{Interface, OperandPlace};
use super::registers::OperandRegister;
use super::template::{Class, Operand, unnamed};
use crate::device_c::words;
use crate::ir::{Type, Value};

/// Inputs in scalar registers have every second one from here on, as arguments of functions have. R61 to R63 are
/// those of the compiler.
const SCALARS: std::ops::Range<u8> = 10..61;

/// Vector registers; VR0 to VR6 are left for predicates.
const VECTORS: std::ops::Range<u8> = 7..64;

/// Address registers of the vector unit and of the scalar unit; AR7 and AR9 have the stacks.
const VECTOR_ADDRESSES: &[u8] = &[0, 1, 2, 3, 4, 5, 6];
const SCALAR_ADDRESSES: &[u8] = &[8, 10, 11, 12, 13, 14, 15];

/// Where a statement has its operands.
pub struct Placed {
    /// The text of each operand.
    pub names: Vec<String>,
    /// What the function gets, in order.
    pub passed: Vec<Value>,
    /// The types of the outputs.
    pub outputs: Vec<Type>,
    /// The registers.
    pub interface: Interface,
    /// How many labels of C it may leave by.
    exits: usize,
}

/// The registers of each kind that are not in use.
struct Free {
    scalars: std::iter::StepBy<std::ops::Range<u8>>,
    vectors: std::vec::IntoIter<u8>,
    vector_addresses: std::vec::IntoIter<u8>,
    scalar_addresses: std::vec::IntoIter<u8>,
}

impl Free {
    /// A statement without clobber list uses the registers that it names.
    fn of(template: &str) -> Self {
        let addresses =
            |numbers: &[u8]| unnamed(template, "AR", numbers.iter().copied()).into_iter();
        Self {
            scalars: SCALARS.step_by(2),
            vectors: unnamed(template, "VR", VECTORS).into_iter(),
            vector_addresses: addresses(VECTOR_ADDRESSES),
            scalar_addresses: addresses(SCALAR_ADDRESSES),
        }
    }

    fn take(&mut self, class: Class) -> Result<OperandRegister, String> {
        let register = match class {
            Class::Scalar => self.scalars.next().map(OperandRegister::Scalar),
            Class::Vector => self.vectors.next().map(OperandRegister::Vector),
        };
        register.ok_or_else(|| "there are not enough registers for its operands".to_owned())
    }

    /// A register for the address of memory of a type.
    fn take_address(&mut self, ty: Type) -> Result<OperandRegister, String> {
        let numbers = match is_lanes(ty) {
            true => &mut self.vector_addresses,
            false => &mut self.scalar_addresses,
        };
        let register = numbers.next().map(OperandRegister::Address);
        register.ok_or_else(|| "there are not enough registers for its operands".to_owned())
    }
}

/// Whether a type is one of `lvector`.
fn is_lanes(ty: Type) -> bool {
    ty.is_vector() && {
        let (element, count) = ty.vector_elements();
        matches!((ty_bits(element), count), (Some(bits), count) if bits * count == 1024)
    }
}

/// Bits of a number.
fn ty_bits(ty: Type) -> Option<u32> {
    use crate::ir::TypeKind::*;
    match ty.kind() {
        LLVMIntegerTypeKind => Some(ty.integer_bits()),
        LLVMHalfTypeKind => Some(16),
        LLVMFloatTypeKind => Some(32),
        LLVMDoubleTypeKind => Some(64),
        _ => None,
    }
}

/// Checks that values of a type fit registers of a class.
fn check(ty: Type, class: Class, what: &str) -> Result<(), String> {
    match class {
        Class::Scalar if !words::has_register(ty) => {
            Err(format!("{what} is neither a number nor a pointer"))
        }
        Class::Vector if !is_lanes(ty) => Err(format!("{what} is no vector of 1024 bits")),
        _ => Ok(()),
    }
}

impl Placed {
    /// The registers of a statement's operands.
    ///
    /// # Errors
    /// A value does not fit its constraint, or there are not enough registers.
    pub fn find(call: Value, operands: &[Operand], template: &str) -> Result<Self, String> {
        let mut placed = Self {
            names: vec![String::new(); operands.len()],
            passed: Vec::new(),
            outputs: output_types(call.ty(), operands),
            interface: Interface::default(),
            exits: 0,
        };
        let mut free = Free::of(template);
        placed.place_inputs(call, operands, &mut free)?;
        placed.place_outputs(operands, &mut free)?;
        placed.place_exits(operands, template)?;
        Ok(placed)
    }

    fn place_inputs(
        &mut self,
        call: Value,
        operands: &[Operand],
        free: &mut Free,
    ) -> Result<(), String> {
        let mut values = call.operands();
        // What is called is the last one.
        values.pop();
        let inputs = operands.iter().enumerate();
        let inputs = inputs.filter(|(_, operand)| operand.has_argument());
        for (argument, ((number, operand), value)) in (0u32..).zip(inputs.zip(values)) {
            let what = format!("operand {number}");
            let class = match operand {
                Operand::Constant => {
                    let constant = value.as_signed_integer();
                    let constant =
                        constant.ok_or_else(|| format!("{what} is no constant number"))?;
                    self.names[number] = constant.to_string();
                    continue;
                }
                Operand::Memory => {
                    let ty = call.element_type_of_argument(argument);
                    let register = free.take_address(ty.unwrap_or(value.ty()))?;
                    self.add_input(number, register, value, None);
                    continue;
                }
                Operand::Label => continue,
                Operand::Tied(output) => class_of(operands, *output)?,
                Operand::Input(class) | Operand::Output(class) => *class,
            };
            check(value.ty(), class, &what)?;
            let output = match operand {
                Operand::Tied(output) => Some(number_of_output(operands, *output)),
                _ => None,
            };
            self.add_input(number, free.take(class)?, value, output);
        }
        Ok(())
    }

    /// Names the labels, and lets the statement have the number of its exit as its output.
    fn place_exits(&mut self, operands: &[Operand], template: &str) -> Result<(), String> {
        let labels = operands.iter().enumerate();
        for (operand, _) in labels.filter(|(_, one)| **one == Operand::Label) {
            let number = exits::number_of(operands, operand);
            self.names[operand] = exits::label(number);
            self.exits = number;
        }
        if self.exits == 0 {
            return Ok(());
        }
        if !self.outputs.is_empty() {
            return Err("it has outputs, and may leave by a label".to_owned());
        }
        let places = &self.interface.places;
        let is_used = |register| places.iter().any(|one| one.register == register);
        let register = exits::free_register(template, is_used)?;
        self.interface.places.push(OperandPlace {
            register,
            is_input: false,
            output: Some(0),
        });
        Ok(())
    }

    /// The text that leaves by the labels of C.
    pub fn exits_text(&self) -> String {
        let register = self.interface.places.last().map(|one| one.register);
        register.map_or_else(String::new, |register| exits::text(self.exits, register))
    }

    fn add_input(
        &mut self,
        operand: usize,
        register: OperandRegister,
        value: Value,
        output: Option<usize>,
    ) {
        self.names[operand] = register.operand();
        self.passed.push(value);
        self.interface.places.push(OperandPlace {
            register,
            is_input: true,
            output,
        });
    }

    /// Gives outputs the registers of inputs that are tied to them, or others.
    fn place_outputs(&mut self, operands: &[Operand], free: &mut Free) -> Result<(), String> {
        for (number, operand) in operands.iter().enumerate() {
            let Operand::Output(class) = operand else {
                continue;
            };
            let output = number_of_output(operands, number);
            let ty = self.outputs.get(output).ok_or("an output has no value")?;
            check(*ty, *class, &format!("operand {number}"))?;
            let places = &mut self.interface.places;
            let tied = places.iter().find(|one| one.output == Some(output));
            let register = match tied {
                Some(place) => place.register,
                None => {
                    let register = free.take(*class)?;
                    places.push(OperandPlace {
                        register,
                        is_input: false,
                        output: Some(output),
                    });
                    register
                }
            };
            self.names[number] = register.operand();
        }
        Ok(())
    }
}

/// The types of outputs in registers.
fn output_types(result: Type, operands: &[Operand]) -> Vec<Type> {
    match number_of_output(operands, operands.len()) {
        0 => Vec::new(),
        1 => vec![result],
        _ => result.fields(),
    }
}

/// The number of outputs in registers before an operand.
fn number_of_output(operands: &[Operand], operand: usize) -> usize {
    let before = operands.iter().take(operand);
    before
        .filter(|one| matches!(one, Operand::Output(_)))
        .count()
}

/// The registers of an output, which an input is tied to.
fn class_of(operands: &[Operand], output: usize) -> Result<Class, String> {
    match operands.get(output) {
        Some(Operand::Output(class)) => Ok(*class),
        _ => Err(format!("operand {output} is no output in a register")),
    }
}
