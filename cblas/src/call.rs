//! A call of a kernel: its operands in the order of kernels.toml.

use crate::device::{self, Argument};
use crate::errors::Failure;
use crate::memory::{Array, Memory};
use crate::real::{Real, Value};
use std::ffi::c_int;

/// What a routine passes to a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A size or a number: one argument.
    Value(Value),
    /// An array with what follows it: the elements between columns, those between elements of a vector, or
    /// nothing.
    Array(Array, Step),
}

/// The argument that follows an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// None.
    None,
    /// Elements between columns, `uint`.
    Columns,
    /// Elements between elements of a vector, `int`; true if they are negative.
    Elements(bool),
}

/// A flag.
pub fn flag(is_set: bool) -> Operand {
    Operand::Value(Value::Uint(is_set.into()))
}

/// A size, which is not negative.
pub fn size(size: c_int) -> Operand {
    Operand::Value(Value::Uint(size.max(0).unsigned_abs()))
}

/// A number.
pub fn number<T: Real>(number: T) -> Operand {
    Operand::Value(number.argument())
}

/// An array that is read, of columns of `rows` elements.
fn array<T>(start: *const T, rows: usize, columns: usize, stride: usize) -> Array {
    Array {
        start: start.cast_mut().cast(),
        element: size_of::<T>(),
        rows,
        columns,
        stride,
        is_written: false,
    }
}

/// A count as a size of memory; 0 if it is negative.
fn count(number: c_int) -> usize {
    number.max(0).unsigned_abs() as usize
}

/// A matrix that is read.
pub fn matrix<T>(start: *const T, rows: c_int, columns: c_int, stride: c_int) -> Operand {
    Operand::Array(
        array(start, count(rows), count(columns), count(stride)),
        Step::Columns,
    )
}

/// A vector that is read.
pub fn vector<T>(start: *const T, elements: c_int, increment: c_int) -> Operand {
    // With an increment of 0, all elements are one.
    let columns = if increment == 0 {
        elements.min(1)
    } else {
        elements
    };
    let stride = increment.unsigned_abs() as usize;
    Operand::Array(
        array(start, 1, count(columns), stride),
        Step::Elements(increment < 0),
    )
}

/// An array without gaps that is read.
pub fn dense<T>(start: *const T, elements: usize) -> Operand {
    Operand::Array(array(start, elements, 1, elements), Step::None)
}

/// A triangle without gaps between columns.
pub fn triangle<T>(start: *const T, order: c_int) -> Operand {
    let order = count(order);
    dense(start, order * (order + 1) / 2)
}

/// The place of a result.
pub fn result<R>(result: &mut R) -> Operand {
    dense(result, 1).written()
}

impl Operand {
    /// The same array, which the kernel writes.
    pub fn written(self) -> Self {
        match self {
            Self::Array(array, step) => {
                let is_written = true;
                Self::Array(
                    Array {
                        is_written,
                        ..array
                    },
                    step,
                )
            }
            Self::Value(_) => self,
        }
    }
}

/// Calls the kernel of T's precision, whose letter replaces `?` in the name.
///
/// # Errors
/// Those of the device.
///
/// # Safety
/// Arrays have their elements, which no other thread writes.
pub unsafe fn run<T: Real>(kernel: &str, operands: &[Operand]) -> Result<(), Failure> {
    let mut device = device::lock()?;
    let arrays = operands.iter().filter_map(|operand| match operand {
        Operand::Array(array, _) => Some(*array),
        Operand::Value(_) => None,
    });
    let arrays: Vec<Array> = arrays.collect();
    // SAFETY: as the caller promises.
    let memories = unsafe { Memory::of(&arrays)? };
    let buffers = memories.iter().map(|memory| device.buffer(memory));
    let buffers = buffers.collect::<Result<Vec<_>, _>>()?;

    let mut in_use = memories.iter().zip(&buffers);
    let mut arguments = Vec::new();
    for operand in operands {
        let (step, (memory, buffer)) = match operand {
            Operand::Value(value) => {
                arguments.push(Argument::Value(*value));
                continue;
            }
            Operand::Array(_, step) => match in_use.next() {
                Some(array) => (step, array),
                None => continue,
            },
        };
        arguments.push(Argument::Buffer(*buffer));
        // Strides are those of the program, which are of type int, or less.
        let stride = memory.stride();
        match step {
            Step::None => {}
            Step::Columns => arguments.push(Argument::Value(Value::Uint(stride as u32))),
            Step::Elements(is_negative) => {
                let stride = stride as i32;
                let signed = if *is_negative {
                    stride.wrapping_neg()
                } else {
                    stride
                };
                arguments.push(Argument::Value(Value::Int(signed)));
            }
        }
    }
    device.run(&kernel.replace('?', T::LETTER), &arguments)?;
    for (memory, buffer) in memories.iter().zip(&buffers) {
        if memory.is_written() {
            device.fetch(*buffer, memory.in_use().1)?;
        }
    }
    device.release(&buffers)?;
    for memory in memories {
        // SAFETY: as the caller promises.
        unsafe { memory.write_back() };
    }
    Ok(())
}
