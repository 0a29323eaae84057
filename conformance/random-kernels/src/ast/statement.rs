//! Statements.

use super::expression::{Expression, Place, Pointer};
use super::operator::Operator;
use super::variable::VariableId;

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A new private object.
    Declare(VariableId, Initial),
    /// A new pointer.
    DeclarePointer(VariableId, Pointer),
    /// `place = value`, or with an operator (of unsigned types).
    Assign(Place, Option<Operator>, Expression),
    /// A structure is copied.
    Copy(Place, Place),
    /// `vstoren(value, offset, pointer)`.
    VectorStore {
        /// A vector.
        value: Expression,
        /// Of type `uint`.
        offset: Expression,
        /// To scalars.
        to: Pointer,
    },
    /// `if`
    If(Expression, Block, Block),
    /// `for (int variable = from; variable < to; variable += step)`
    For {
        /// An `int` that the body does not change.
        variable: VariableId,
        /// First value.
        from: Expression,
        /// Exclusive upper bound.
        to: Expression,
        /// Positive increment.
        step: i128,
        /// Statements of one iteration.
        body: Block,
    },
    /// `while`
    While(Expression, Block),
    /// `do`
    DoWhile(Block, Expression),
    /// `switch`
    Switch(Expression, Vec<Case>),
    /// `break`, out of the innermost loop or switch.
    Break,
    /// `continue`, in the innermost loop.
    Continue,
    /// `return`, with a value if the function has one.
    Return(Option<Expression>),
    /// `return` from a function whose result is a structure.
    ReturnObject(Place),
    /// `goto`
    Goto(Label),
    /// The target of a `goto`.
    Label(Label),
    /// `barrier`, with the fences for local and global memory.
    Barrier {
        /// `CLK_LOCAL_MEM_FENCE`
        local: bool,
        /// `CLK_GLOBAL_MEM_FENCE`
        global: bool,
    },
    /// `mem_fence`, for local and global memory.
    Fence {
        /// `CLK_LOCAL_MEM_FENCE`
        local: bool,
        /// `CLK_GLOBAL_MEM_FENCE`
        global: bool,
    },
    /// An atomic whose old value is not used.
    Atomic(Atomic, Place, Expression),
    /// Adds a multiple of the counter's old value to a total. As long as the counter is used by
    /// tickets only, each value is taken once, so that the total does not depend on the order of
    /// the work-items.
    Ticket {
        /// Incremented or decremented.
        counter: Place,
        /// Whether it is incremented.
        up: bool,
        /// A location that is only added to.
        total: Place,
        /// Factor of the counter's old value, of type `ulong`.
        factor: i128,
    },
    /// `async_work_group_copy` between local and global memory, and its `wait_group_events`.
    GroupCopy {
        /// Local or global.
        to: Pointer,
        /// Global if `to` is local, and the reverse.
        from: Pointer,
        /// Number of elements.
        count: usize,
    },
    /// A helper is called, and its result stored or dropped.
    Call {
        /// Number of the helper.
        helper: usize,
        /// The arguments, in the order of the parameters.
        arguments: Vec<Argument>,
        /// The object that the result is stored to; it is dropped if there is none.
        result: Option<Place>,
    },
    /// A scope of its own.
    Block(Block),
}

/// Statements in braces.
pub type Block = Vec<Statement>;

/// The labels of a `switch` that lead to one body, and the body.
#[derive(Clone, Debug)]
pub struct Case {
    /// Values of the `case` labels; an empty list is `default`.
    pub values: Vec<i128>,
    /// Statements of the case.
    pub body: Block,
    /// Whether the body ends without `break`, so that the next case runs as well.
    pub falls_through: bool,
}

/// A label of a function.
pub type Label = usize;

/// The initial value of a declared object.
#[derive(Clone, Debug)]
pub enum Initial {
    /// A value.
    Value(Expression),
    /// One for each element or field.
    List(Vec<Initial>),
    /// The value of another object of the same type.
    Copy(Place),
}

/// An argument of a helper.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A scalar or vector.
    Value(Expression),
    /// A structure.
    Object(Place),
    /// A pointer.
    Pointer(Pointer),
}

/// Atomics whose outcome does not depend on the order, as long as one location sees
/// only one kind of them (adding, subtracting, incrementing and decrementing are one).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Atomic {
    Add,
    Subtract,
    Increment,
    Decrement,
    And,
    Or,
    Xor,
    Min,
    Max,
}
