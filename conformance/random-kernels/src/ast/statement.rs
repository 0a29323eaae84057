//! Statements.

use super::expression::{Expression, Place, Pointer};
use super::operator::Operator;
use super::variable::VariableId;

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Declares a private object.
    Declare(VariableId, Initial),
    /// Declares a pointer.
    DeclarePointer(VariableId, Pointer),
    /// `place = value`, or a compound assignment of unsigned types.
    Assign(Place, Option<Operator>, Expression),
    /// Copies a structure.
    Copy(Place, Place),
    /// `vstoren(value, offset, pointer)`.
    VectorStore {
        /// The value, a vector.
        value: Expression,
        /// The offset, of type `uint`.
        offset: Expression,
        /// A pointer to scalars.
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
    /// An atomic operation whose old value is not used.
    Atomic(Atomic, Place, Expression),
    /// Adds a multiple of the counter's old value to a total. As long as the counter is used by
    /// tickets only, each value is taken once, so that the total does not depend on the order of
    /// the work-items.
    Ticket {
        /// The counter, which is incremented or decremented.
        counter: Place,
        /// Whether it is incremented.
        up: bool,
        /// The total, to which all operations add.
        total: Place,
        /// Factor of the counter's old value, of type `ulong`.
        factor: i128,
    },
    /// `async_work_group_copy` between local and global memory, and its `wait_group_events`.
    GroupCopy {
        /// A pointer to local or global memory.
        to: Pointer,
        /// A pointer to global memory if `to` is local, and vice versa.
        from: Pointer,
        /// Number of elements.
        count: usize,
    },
    /// Calls a helper, and stores or drops its result.
    Call {
        /// Number of the helper.
        helper: usize,
        /// The arguments, in the order of the parameters.
        arguments: Vec<Argument>,
        /// The object to which the result is stored; `None` drops it.
        result: Option<Place>,
    },
    /// A block with its own scope.
    Block(Block),
}

/// The statements of a block.
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
    /// A value for each element or field.
    List(Vec<Initial>),
    /// The value of another object of the same type.
    Copy(Place),
    /// None: the object has no defined value.
    Unset,
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

/// Atomics whose results do not depend on the order, if all operations on a location are of one
/// kind (adding, subtracting, incrementing and decrementing are one kind).
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
