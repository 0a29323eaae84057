//! A function that is swept: its code, inputs, limits and reference.

use crate::case::Case;
use crate::format::Format;
use crate::reference::Expected;
use crate::types::Type;

/// The kind of inputs on which a function is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One value; all values of `half`.
    One,
    /// Two values.
    Two,
    /// Two values x and y for which x to the power of y is often finite.
    Power,
    /// Three values.
    Three,
    /// A value and an `int`.
    WithInteger,
    /// A value x and an `int` n for which x to the power of n is often finite.
    IntegerPower,
    /// The bits of a NaN's payload.
    Code,
    /// This number of values between 0 and 1.
    Unit(usize),
    /// This number of vector components.
    Vector(usize),
    /// One value of any type, for conversions.
    Conversion,
}

/// The limit of the error of a result.
#[derive(Clone, Copy)]
pub enum Limit {
    /// The result is correctly rounded; zeros have the right sign.
    Exact,
    /// A limit in units in the last place.
    Ulp(f64),
    /// An absolute limit, which may depend on the arguments.
    Absolute(fn(&Case<'_>) -> f64),
    /// The specification sets no limit; special values must be right.
    None,
}

/// What a function may make of denormal arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denormals {
    /// They are numbers as others are.
    Kept,
    /// They may be zeros of their sign.
    MayBeZeros,
    /// So may results that are small before they are rounded, as hardware may find them.
    MayBeZerosUnrounded,
    /// Anything: inputs with them are not judged.
    Unspecified,
}

/// Placeholder in bodies for the width in the name of a vector type.
pub const WIDTH: char = '@';

/// A function for one type.
pub struct Function {
    /// The builtin's name, or how the operation is written.
    pub name: String,
    /// The type it is swept for.
    pub format: Format,
    /// The kernel's statements, which compute `r0`, `r1`… from `x0`, `x1`…; `WIDTH` is replaced.
    pub body: String,
    /// Build options that the function needs.
    pub options: &'static str,
    /// Types of the arguments `x0`…
    pub arguments: Vec<Type>,
    /// Types of the results `r0`…
    pub results: Vec<Type>,
    /// Error limits of the results `r0`…
    pub limits: Vec<Limit>,
    /// The inputs on which it is tested.
    pub style: Style,
    /// What becomes of denormals.
    pub denormals: Denormals,
    /// Whether the body is also valid with vector types.
    pub has_vectors: bool,
    /// The reference.
    pub reference: Reference,
}

/// A function's reference: the right results for given arguments.
pub type Reference = Box<dyn Fn(&Case<'_>) -> Expected + Send + Sync>;
