//! Operations and their numbers in the accelerator id's field.

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A task for an accelerator of this function.
    Task(u8),
    /// Adds two registers.
    Add,
    /// Multiplies two registers.
    Mul,
    /// Moves a constant or a register to a register.
    Mov,
    /// Jumps by a distance.
    Jump,
    /// Jumps by a distance if a condition holds.
    If,
    /// Begins a loop.
    LoopBegin,
    /// Ends a loop.
    LoopEnd,
}

impl Operation {
    /// Number of ids that are functions of accelerators: those below. The paper gives no numbers.
    pub const FUNCTIONS: u8 = 0xf9;

    /// The operations that are no tasks, with names and ids.
    const OTHERS: [(Self, &'static str, u8); 7] = [
        (Self::Add, "add", 0xf9),
        (Self::Mul, "mul", 0xfa),
        (Self::Mov, "mov", 0xfb),
        (Self::Jump, "jump", 0xfc),
        (Self::If, "if", 0xfd),
        (Self::LoopBegin, "lbeg", 0xfe),
        (Self::LoopEnd, "lend", 0xff),
    ];

    /// The name of a task whose accelerator is given by number.
    pub const TASK: &'static str = "task";

    /// The operation with this id.
    pub fn from_id(id: u8) -> Self {
        let other = Self::OTHERS.iter().find(|(_, _, other)| *other == id);
        other.map_or(Self::Task(id), |(operation, _, _)| *operation)
    }

    /// Its id.
    pub fn id(self) -> u8 {
        match self {
            Self::Task(function) => function,
            _ => self.row().map_or(0, |(_, _, id)| *id),
        }
    }

    /// Its name; none of a task, whose function has one.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|(_, name, _)| *name)
    }

    /// The operation with this name, which is no task.
    pub fn named(name: &str) -> Option<Self> {
        let row = Self::OTHERS.iter().find(|(_, other, _)| *other == name);
        row.map(|(operation, _, _)| *operation)
    }

    fn row(self) -> Option<&'static (Self, &'static str, u8)> {
        Self::OTHERS.iter().find(|(other, _, _)| *other == self)
    }
}

/// Where a branch reads the value that it compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchKind {
    /// A register (RR).
    Register,
    /// Memory, by a task that reads it (MR).
    Memory,
    /// The output of a task, which the common data bus announces (BR).
    Bus,
}

/// How a branch compares the value with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater than or equal.
    GreaterEqual,
    /// Less than or equal.
    LessEqual,
}

impl Condition {
    /// Whether it holds.
    pub fn holds(self, value: u64, register: u64) -> bool {
        match self {
            Self::Equal => value == register,
            Self::NotEqual => value != register,
            Self::GreaterEqual => value >= register,
            Self::LessEqual => value <= register,
        }
    }
}

/// The control field of an `if`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Bits 1 and 0.
    pub kind: BranchKind,
    /// Bits 3 and 2.
    pub condition: Condition,
}

impl Branch {
    /// The branch that a control field encodes; none for a kind that does not exist. The paper's only
    /// example, `d`, is a branch on memory.
    pub fn decode(control: u8) -> Option<Self> {
        let kind = match control & 3 {
            0 => BranchKind::Register,
            1 => BranchKind::Memory,
            2 => BranchKind::Bus,
            _ => return None,
        };
        let condition = match control >> 2 & 3 {
            0 => Condition::Equal,
            1 => Condition::NotEqual,
            2 => Condition::GreaterEqual,
            _ => Condition::LessEqual,
        };
        Some(Self { kind, condition })
    }
}
