//! The two precisions.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `f32` or `f64`.
pub trait Real:
    Copy
    + Default
    + PartialOrd
    + From<f32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The letter of the kernels' names.
    const LETTER: &str;
    /// The least number whose reciprocal is finite.
    const SAFE_MIN: Self;
    /// Its reciprocal.
    const SAFE_MAX: Self;

    /// The magnitude.
    fn abs(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// An argument of a kernel.
    fn argument(self) -> Value;
}

/// An argument of a kernel that is no array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `uint`
    Uint(u32),
    /// `int`
    Int(i32),
    /// `float`
    Single(f32),
    /// `double`
    Double(f64),
}

macro_rules! real {
    ($type:ident, $letter:literal, $value:ident) => {
        impl Real for $type {
            const LETTER: &str = $letter;
            const SAFE_MIN: Self = $type::MIN_POSITIVE;
            const SAFE_MAX: Self = 1.0 / $type::MIN_POSITIVE;

            fn abs(self) -> Self {
                self.abs()
            }

            fn sqrt(self) -> Self {
                self.sqrt()
            }

            fn is_finite(self) -> bool {
                self.is_finite()
            }

            fn argument(self) -> Value {
                Value::$value(self)
            }
        }
    };
}

real!(f32, "s", Single);
real!(f64, "d", Double);
