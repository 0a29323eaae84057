//! An instruction, and its 128 bits.

use crate::operation::Operation;

/// An instruction: the fields of the paper's table I. Their use by each operation is in
/// docs/task-scheduler.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The accelerator id.
    pub operation: Operation,
    /// First input region, or first operand.
    pub input: u16,
    /// Number of input regions, or second operand.
    pub input_size: u8,
    /// First output region, or destination, or distance.
    pub output: u16,
    /// Number of output regions.
    pub output_size: u8,
    /// The program's number of the task, 4 bits.
    pub task: u8,
    /// The process, 4 bits.
    pub process: u8,
    /// How operands are used, 4 bits.
    pub control: u8,
    /// For the accelerator, 60 bits.
    pub metadata: u64,
}

/// A field of an instruction, in the order of the assembler's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Bits 7 to 0.
    Accelerator,
    /// Bits 23 to 8.
    Input,
    /// Bits 31 to 24.
    InputSize,
    /// Bits 47 to 32.
    Output,
    /// Bits 55 to 48.
    OutputSize,
    /// Bits 59 to 56.
    Task,
    /// Bits 63 to 60.
    Process,
    /// Bits 67 to 64.
    Control,
    /// Bits 127 to 68.
    Metadata,
}

impl Field {
    /// The operands of the assembler, in their order.
    pub const OPERANDS: [Self; 8] = [
        Self::Input,
        Self::InputSize,
        Self::Output,
        Self::OutputSize,
        Self::Task,
        Self::Process,
        Self::Control,
        Self::Metadata,
    ];

    /// Its lowest bit and its number of bits.
    fn place(self) -> (u32, u32) {
        match self {
            Self::Accelerator => (0, 8),
            Self::Input => (8, 16),
            Self::InputSize => (24, 8),
            Self::Output => (32, 16),
            Self::OutputSize => (48, 8),
            Self::Task => (56, 4),
            Self::Process => (60, 4),
            Self::Control => (64, 4),
            Self::Metadata => (68, 60),
        }
    }

    /// Its number of bits.
    pub fn bits(self) -> u32 {
        self.place().1
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accelerator => "accelerator id",
            Self::Input => "input region",
            Self::InputSize => "input size",
            Self::Output => "output region",
            Self::OutputSize => "output size",
            Self::Task => "task id",
            Self::Process => "process id",
            Self::Control => "control",
            Self::Metadata => "metadata",
        }
    }

    fn get(self, word: u128) -> u64 {
        let (lowest, bits) = self.place();
        (word >> lowest) as u64 & (u64::MAX >> (64 - bits))
    }

    /// The field of a word that holds the value; bits that it does not have are dropped.
    fn put(self, value: u64) -> u128 {
        let (lowest, bits) = self.place();
        u128::from(value & (u64::MAX >> (64 - bits))) << lowest
    }
}

impl Instruction {
    /// The instruction that a word encodes. Every word is one.
    pub fn decode(word: u128) -> Self {
        Self::from_fields(Operation::from_id(word as u8), |field| field.get(word))
    }

    /// An instruction with these operands, of which bits that a field does not have are dropped.
    pub(crate) fn from_fields(operation: Operation, get: impl Fn(Field) -> u64) -> Self {
        Self {
            operation,
            input: get(Field::Input) as u16,
            input_size: get(Field::InputSize) as u8,
            output: get(Field::Output) as u16,
            output_size: get(Field::OutputSize) as u8,
            task: get(Field::Task) as u8,
            process: get(Field::Process) as u8,
            control: get(Field::Control) as u8,
            metadata: get(Field::Metadata),
        }
    }

    /// Its word.
    pub fn encode(&self) -> u128 {
        let operands = Field::OPERANDS
            .iter()
            .fold(0, |word, field| word | field.put(self.operand(*field)));
        operands | Field::Accelerator.put(self.operation.id().into())
    }

    /// The value of a field.
    pub fn operand(&self, field: Field) -> u64 {
        match field {
            Field::Accelerator => self.operation.id().into(),
            Field::Input => self.input.into(),
            Field::InputSize => self.input_size.into(),
            Field::Output => self.output.into(),
            Field::OutputSize => self.output_size.into(),
            Field::Task => self.task.into(),
            Field::Process => self.process.into(),
            Field::Control => self.control.into(),
            Field::Metadata => self.metadata,
        }
    }

    /// Whether the operands name registers that contain them: bit 0 of the control field. For `mov`, the
    /// source is a register.
    pub fn is_indirect(&self) -> bool {
        self.control & 1 == 1
    }

    /// The distance of a jump in instructions, from its own place: the output region as a signed number.
    pub fn distance(&self) -> i64 {
        i64::from(self.output as i16)
    }

    /// What the end of a loop adds to the counter: the output region, or 1 if that is 0.
    pub fn step(&self) -> u64 {
        u64::from(self.output.max(1))
    }
}
