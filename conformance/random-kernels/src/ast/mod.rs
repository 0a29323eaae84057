//! A kernel with all that is needed to run it, as data. Names are numbers; types are
//! explicit, so that C's implicit conversions play no part.

use super::types::{INT, Scalar, Shape, Structs, Type};

/// A memory of section 6.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Space {
    Private,
    Local,
    Global,
    Constant,
}

/// Number of a variable in [`Program::variables`].
pub type VariableId = usize;

/// An object or pointer that has a name.
#[derive(Clone, Debug)]
pub enum Variable {
    /// An object: in private memory, in local memory (kernel scope) or in constant
    /// memory (program scope).
    Object {
        /// The memory that it is in.
        space: Space,
        /// Its type.
        shape: Shape,
    },
    /// A pointer to the first of several elements.
    Pointer {
        /// The memory that it points into.
        space: Space,
        /// Type of the elements.
        element: Shape,
    },
}

/// One step from an object to its part.
#[derive(Clone, Debug)]
pub enum Step {
    /// `[index]`, of a scalar type.
    Index(Expression),
    /// A field of a structure.
    Field(usize),
}

/// An lvalue, or an array or pointer to be passed.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable that the access path starts from.
    pub root: VariableId,
    /// Subscripts and member accesses, outermost object first.
    pub steps: Vec<Step>,
    /// Components of the vector that the path leads to, as written; none of them twice.
    pub components: Option<Components>,
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

/// A work-item function of section 6.12.1 with a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum WorkItem {
    GlobalId,
    LocalId,
    GroupId,
    GlobalSize,
    LocalSize,
    NumGroups,
    GlobalOffset,
}

/// Operators on two operands of the same type, which is the result's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Operators whose result is an `int`, or a vector of signed integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Comparison {
    /// All comparisons.
    pub const ALL: [Self; 6] = [
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
        Self::Equal,
        Self::NotEqual,
    ];
}

/// Builtins of sections 6.12.3, 6.12.6 and 6.12.12 for integers, and some of 6.12.2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Builtin {
    Abs,
    AbsDiff,
    AddSat,
    All,
    Any,
    Bitselect,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Ceil,
    Clamp,
    Clz,
    Fabs,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Floor,
    /// As near to the result as its type allows.
    Fma,
    Fmod,
    Hadd,
    Mad24,
    MadHi,
    MadSat,
    Max,
    Min,
    Mul24,
    MulHi,
    Popcount,
    Rhadd,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Rint,
    Rotate,
    Select,
    Shuffle,
    Shuffle2,
    SubSat,
    /// Applied to a quarter of its argument, so that there are fractions to round.
    Trunc,
    Upsample,
}

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
        /// Of type `uint`.
        offset: Box<Expression>,
        /// To scalars.
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
        /// The operands. A shift's right one may be of another type.
        operands: Box<[Expression; 2]>,
    },
    /// A comparison of two operands of the same type.
    Compare(Comparison, Box<[Expression; 2]>),
    /// `&&` (true) or `||`. Of scalars the second is evaluated only if needed.
    Logical(bool, Box<[Expression; 2]>),
    /// `condition ? a : b`. With a scalar condition only one is evaluated; a vector's
    /// components decide by their most significant bits.
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
    /// Components of a vector, any number of times.
    Swizzle(Box<Expression>, Components),
    /// `(type)(a, b, …)`
    Assemble(Vec<Expression>),
    /// A builtin function.
    Call(Builtin, Vec<Expression>),
    /// A call of a helper whose parameters and result are values.
    Helper(usize, Vec<Expression>),
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

/// A label of a function.
pub type Label = usize;

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

/// The kernel, or a helper.
#[derive(Clone, Debug)]
pub struct Function {
    /// Parameters; their types are in [`Program::variables`].
    pub parameters: Vec<VariableId>,
    /// Type of the result; none is `void`.
    pub result: Option<Shape>,
    /// Local arrays, declared at its beginning: in kernels only.
    pub local_arrays: Vec<VariableId>,
    /// The statements of the function.
    pub body: Block,
    /// Whether it has the attribute `noinline`.
    pub noinline: bool,
}

/// The initial contents of a constant array or of a buffer.
#[derive(Clone, Debug)]
pub struct Contents {
    /// A constant array, or a pointer parameter of the kernel.
    pub variable: VariableId,
    /// Elements; each has one number for each component.
    pub elements: Vec<Vec<i128>>,
}

/// The index space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Work-items in each dimension.
    pub global: Vec<usize>,
    /// Work-items of a group in each dimension.
    pub local: Vec<usize>,
    /// First global id in each dimension.
    pub offset: Vec<usize>,
}

impl Geometry {
    /// Work-items of a group.
    pub fn group_items(&self) -> usize {
        self.local.iter().product()
    }

    /// All work-items.
    pub fn items(&self) -> usize {
        self.global.iter().product()
    }
}

/// A kernel with its helpers, types, arguments and index space.
#[derive(Clone, Debug)]
pub struct Program {
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Structure types.
    pub structs: Structs,
    /// Arrays at program scope.
    pub constants: Vec<Contents>,
    /// Functions; each calls earlier ones only.
    pub helpers: Vec<Function>,
    /// The kernel.
    pub kernel: Function,
    /// What the kernel's global and constant pointers point to; the others' buffers
    /// are local memory.
    pub buffers: Vec<Contents>,
    /// Elements of the local memory a parameter points to.
    pub local_parameters: Vec<(VariableId, usize)>,
    /// Values of the kernel's parameters that are no pointers.
    pub values: Vec<(VariableId, Vec<i128>)>,
    /// The index space.
    pub geometry: Geometry,
    /// Whether the kernel has the attribute `reqd_work_group_size`.
    pub required_local_size: bool,
}

impl Program {
    /// The shape of what a place's steps lead to, without its components. Nothing if
    /// they lead nowhere, or if the place is a pointer itself.
    pub fn shape_of(&self, place: &Place) -> Option<Shape> {
        let mut steps = place.steps.iter();
        let mut shape = match self.variables.get(place.root)? {
            Variable::Object { shape, .. } => shape,
            Variable::Pointer { element, .. } => match steps.next()? {
                Step::Index(_) => element,
                Step::Field(_) => return None,
            },
        };
        for step in steps {
            shape = match (step, shape) {
                (Step::Index(_), Shape::Array(element, _)) => element,
                (Step::Field(field), Shape::Struct(number)) => self.structs[*number].get(*field)?,
                _ => return None,
            };
        }
        Some(shape.clone())
    }
}

impl Place {
    /// A variable as a whole.
    pub fn variable(root: VariableId) -> Self {
        Self {
            root,
            steps: Vec::new(),
            components: None,
        }
    }

    /// An element of an array, or of what a pointer points to.
    pub fn element(root: VariableId, index: Expression) -> Self {
        Self {
            root,
            steps: vec![Step::Index(index)],
            components: None,
        }
    }
}

impl Expression {
    /// A value of a type.
    pub fn new(ty: Type, kind: Kind) -> Self {
        Self { ty, kind }
    }

    /// The same constant in every component.
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

    /// The value in another component type, wrapped; itself if that is its type.
    pub fn convert(self, scalar: Scalar) -> Self {
        if self.ty.scalar == scalar {
            return self;
        }
        let ty = self.ty.of(scalar);
        let kind = Kind::Convert {
            saturate: false,
            value: Box::new(self),
        };
        Self::new(ty, kind)
    }
}

/// What comparing values of a type gives (sections 6.3.d and 6.3.e).
pub fn comparison_type(operand: Type) -> Type {
    if operand.width == 1 {
        INT
    } else {
        operand.of(operand.scalar.to_signed())
    }
}
