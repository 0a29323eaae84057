//! A function and its operands.

use built_in_kernels::Declaration;
use std::ops::Deref;

/// A function.
#[derive(Debug)]
pub struct Function {
    pub(crate) declaration: Declaration,
    pub(crate) compute: Compute,
}

/// Computes a function: its operands are those of its arguments.
pub(crate) type Compute = fn(&mut [Operand]);

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// An array of single precision.
    Array(Vec<f32>),
    /// An array of double precision.
    Doubles(Vec<f64>),
    /// A size.
    Size(i64),
    /// A number.
    Number(f32),
}

impl Deref for Function {
    type Target = Declaration;

    fn deref(&self) -> &Declaration {
        &self.declaration
    }
}

impl Function {
    /// Computes the function: arrays that it writes are replaced. The operands are those of its
    /// arguments: arrays have their elements, written ones too, and sizes have been checked.
    pub fn compute(&self, operands: &mut [Operand]) {
        (self.compute)(operands);
    }
}
