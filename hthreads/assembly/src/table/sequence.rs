//! What unit SBR does.

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    Always,
    /// If VCR is zero.
    VectorZero,
    /// If VCR is not zero.
    VectorNotZero,
}

/// What controls the sequence of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A software interrupt.
    Interrupt,
    /// Cycles without instructions.
    Idle,
    /// A point for debuggers, or for exceptions.
    Breakpoint,
    /// Nothing until an interrupt.
    Wait,
    /// The end of a handler of interrupts.
    EndOfInterrupt,
    /// The end of a handler of exceptions.
    EndOfException,
    /// The end of all accesses of memory.
    Fence,
    /// A barrier unit.
    Barrier,
}

impl Control {
    /// Whether it is the only instruction of its packet.
    pub fn is_alone(self) -> bool {
        matches!(self, Self::Fence | Self::Barrier)
    }
}
