//! A function that is swept: its code, inputs, limits and mathematics.

use crate::case::Case;
use crate::format::Format;
use crate::reference::Expected;
use crate::types::Type;

/// Which inputs a function is tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One value; all values of `half`.
    One,
    /// Two values.
    Two,
    /// Two values of which the first to the power of the second is often finite.
    Power,
    /// Three values.
    Three,
    /// A value and an `int`.
    WithInteger,
    /// A value and an `int` to the power of which it often is finite.
    IntegerPower,
    /// The bits of a NaN.
    Code,
    /// That many values between 0 and 1.
    Unit(usize),
    /// That many components of vectors.
    Vector(usize),
    /// One value of any type, for conversions.
    Conversion,
}

/// The limit of a result's error.
#[derive(Clone, Copy)]
pub enum Limit {
    /// Correctly rounded, zeros with their signs.
    Exact,
    /// Units in the last place.
    Ulp(f64),
    /// An absolute error, which may depend on the arguments.
    Absolute(fn(&Case<'_>) -> f64),
    /// The specification sets none; special values must be right.
    None,
}

/// Placeholder in bodies for the width in the name of a vector type.
pub const WIDTH: char = '@';

/// A function for one type.
pub struct Function {
    /// The builtin's name, or how the operation is written.
    pub name: String,
    /// The type it is swept for.
    pub format: Format,
    /// What the kernel does with `x0`, `x1`… to give `r0`, `r1`…; `WIDTH` is replaced.
    pub body: String,
    /// Build options that belong to it.
    pub options: &'static str,
    /// Types of `x0`…
    pub arguments: Vec<Type>,
    /// Types of `r0`…
    pub results: Vec<Type>,
    /// Limits of `r0`…
    pub limits: Vec<Limit>,
    /// Which inputs it is tried on.
    pub style: Style,
    /// Whether the body holds for vectors of all as well.
    pub has_vectors: bool,
    /// What is right.
    pub reference: Reference,
}

/// A function's mathematics: from the arguments to what each result should be.
pub type Reference = Box<dyn Fn(&Case<'_>) -> Expected + Send + Sync>;
