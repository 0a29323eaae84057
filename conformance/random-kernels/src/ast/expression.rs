//! Expressions, and the lvalues and pointers in them.

use super::operator::{Builtin, Comparison, Operator, WorkItem, comparison_type};
use super::variable::VariableId;
use crate::types::{Scalar, Type};

/// A value with its type.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The value's type.
    pub ty: Type,
    /// The operation and its operands.
    pub kind: Kind,
}

/// An operation that computes a value, with its operands.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A value for each component.
    Constant(Vec<i128>),
    /// A work-item function; its argument is of type `uint`.
    WorkItem(WorkItem, Box<Expression>),
    /// A read from memory.
    Load(Place),
    /// `vloadn(offset, pointer)`.
    VectorLoad {
        /// The offset, of type `uint`.
        offset: Box<Expression>,
        /// A pointer to scalars.
        from: Pointer,
    },
    /// `-a`, computed without overflow.
    Negate(Box<Expression>),
    /// `~a`
    Complement(Box<Expression>),
    /// `!a`: `int`, or a vector of signed integers.
    Not(Box<Expression>),
    /// An arithmetic operator.
    Binary {
        /// The operator.
        operator: Operator,
        /// Whether signed operands are added, subtracted and multiplied as signed numbers; the
        /// generator then excludes overflow. Otherwise the operation is unsigned.
        plain: bool,
        /// The operands. The right operand of a shift may have another type.
        operands: Box<[Expression; 2]>,
    },
    /// A comparison of two operands of the same type.
    Compare(Comparison, Box<[Expression; 2]>),
    /// `&&` (true) or `||`. The second scalar operand is evaluated only if needed.
    Logical(bool, Box<[Expression; 2]>),
    /// `condition ? a : b`. With a scalar condition, only one operand is evaluated. The most
    /// significant bits of a vector condition select its components.
    Ternary(Box<[Expression; 3]>),
    /// A conversion to another component type.
    Convert {
        /// `_sat`
        saturate: bool,
        /// The operand.
        value: Box<Expression>,
    },
    /// `as_type(a)`
    Reinterpret(Box<Expression>),
    /// A scalar for all components.
    Splat(Box<Expression>),
    /// Components of a vector, possibly repeated.
    Swizzle(Box<Expression>, Components),
    /// `(type)(a, b, …)`
    Assemble(Vec<Expression>),
    /// A builtin function.
    Call(Builtin, Vec<Expression>),
    /// A call of a helper whose parameters and result are values.
    Helper(usize, Vec<Expression>),
}

impl Expression {
    /// A value of a type.
    pub fn new(ty: Type, kind: Kind) -> Self {
        Self { ty, kind }
    }

    /// A constant with the same value in every component.
    pub fn constant(ty: Type, value: i128) -> Self {
        Self::new(ty, Kind::Constant(vec![value; ty.width]))
    }

    /// The value of a variable of this type.
    pub fn variable(ty: Type, variable: VariableId) -> Self {
        Self::new(ty, Kind::Load(Place::variable(variable)))
    }

    /// An operator; signed operands are computed unsigned.
    pub fn binary(operator: Operator, left: Self, right: Self) -> Self {
        let ty = left.ty;
        let kind = Kind::Binary {
            operator,
            plain: false,
            operands: Box::new([left, right]),
        };
        Self::new(ty, kind)
    }

    /// A comparison.
    pub fn compare(comparison: Comparison, left: Self, right: Self) -> Self {
        let ty = comparison_type(left.ty);
        Self::new(ty, Kind::Compare(comparison, Box::new([left, right])))
    }

    /// The value converted to another component type, with wrap-around.
    pub fn convert(self, scalar: Scalar) -> Self {
        if self.ty.scalar == scalar {
            return self;
        }
        let ty = self.ty.with_scalar(scalar);
        let kind = Kind::Convert {
            saturate: false,
            value: Box::new(self),
        };
        Self::new(ty, kind)
    }
}

/// An lvalue, or an array or pointer that is passed to a function.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable that the access path starts from.
    pub root: VariableId,
    /// Subscripts and member accesses, outermost object first.
    pub steps: Vec<Step>,
    /// Components of the vector that the path leads to, in source order, none of them twice.
    pub components: Option<Components>,
}

/// One step from an object to its part.
#[derive(Clone, Debug)]
pub enum Step {
    /// `[index]`, of a scalar type.
    Index(Expression),
    /// A field of a structure.
    Field(usize),
}

impl Place {
    /// A whole variable.
    pub fn variable(root: VariableId) -> Self {
        Self {
            root,
            steps: Vec::new(),
            components: None,
        }
    }

    /// An element of an array, or of the elements that a pointer points to.
    pub fn element(root: VariableId, index: Expression) -> Self {
        Self {
            root,
            steps: vec![Step::Index(index)],
            components: None,
        }
    }
}

/// Components of a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Components {
    Low,
    High,
    Even,
    Odd,
    /// Numbers of components; one is a scalar.
    Listed(Vec<usize>),
}

impl Components {
    /// Their indices in a vector of `width` components.
    pub fn numbers(&self, width: usize) -> Vec<usize> {
        match self {
            Self::Low => (0..width / 2).collect(),
            Self::High => (width / 2..width).collect(),
            Self::Even => (0..width).step_by(2).collect(),
            Self::Odd => (1..width).step_by(2).collect(),
            Self::Listed(numbers) => numbers.clone(),
        }
    }
}

/// A pointer value.
#[derive(Clone, Debug)]
pub enum Pointer {
    /// The first element of an array, or what a pointer points to, plus an offset in
    /// elements (`uint`).
    To(Place, Option<Box<Expression>>),
    /// `condition ? a : b`
    Either(Box<Expression>, Box<[Pointer; 2]>),
}
