//! The meaning of instructions: what a program does next. It has no time.

use crate::error::{Fault, RunError};
use crate::region::Regions;
use task_isa::{Branch, BranchKind, Instruction, Operation, Program};

/// What an instruction is for the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A task.
    Task(TaskStep),
    /// An operation on registers, or a branch or loop that continues with the next instruction.
    Register,
    /// A jump, or the next iteration of a loop.
    Jump,
    /// A branch on a register, with its outcome.
    RegisterBranch {
        /// Whether it jumps.
        is_taken: bool,
    },
    /// A branch on memory or on a task's output. The interpreter continues as if it did not jump.
    Branch(BranchStep),
    /// The program has ended.
    End,
}

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskStep {
    pub function: u8,
    pub input: Regions,
    pub output: Regions,
}

/// A branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BranchStep {
    pub region: Regions,
    /// Whether the output of a task that is in flight decides it without a read of memory.
    pub watches_bus: bool,
    /// Where it jumps, if it does.
    pub taken_to: Option<usize>,
}

/// A program that is executed.
pub(crate) struct Interpreter<'a> {
    program: &'a Program,
    functions: usize,
    loops: Loops,
    limit: u64,
    /// Instructions until now.
    pub instructions: u64,
    pub state: State,
}

/// What a branch that was predicted wrongly restores.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The place of the next instruction.
    pub place: usize,
    registers: Vec<u64>,
    /// Iterations that follow, by the number of the loop.
    iterations: Vec<u64>,
    /// Reads of each region that has values.
    reads: Vec<usize>,
}

/// The loops of a program.
struct Loops {
    /// At the place of each `lbeg` that of its `lend`, and the reverse.
    partners: Vec<Option<usize>>,
    /// At the place of each `lbeg` the number of its loop.
    numbers: Vec<usize>,
    count: usize,
}

impl<'a> Interpreter<'a> {
    /// An interpreter at the begin of the program.
    pub fn new(program: &'a Program, functions: usize, registers: usize, limit: u64) -> Self {
        let loops = Loops::new(&program.instructions);
        Self {
            program,
            functions,
            limit,
            instructions: 0,
            state: State {
                place: 0,
                registers: vec![0; registers],
                iterations: vec![0; loops.count],
                reads: vec![0; program.reads.len()],
            },
            loops,
        }
    }

    /// Whether there is no next instruction.
    pub fn is_at_end(&self) -> bool {
        self.state.place >= self.program.instructions.len()
    }

    /// Executes the next instruction.
    ///
    /// # Errors
    /// It is wrong, or the limit is reached. The state is that before it.
    pub fn step(&mut self) -> Result<Step, RunError> {
        let place = self.state.place;
        let Some(instruction) = self.program.instructions.get(place) else {
            return Ok(Step::End);
        };
        self.execute(place, instruction).map_err(|fault| RunError {
            instruction: place + 1,
            fault,
        })
    }

    fn execute(&mut self, place: usize, instruction: &Instruction) -> Result<Step, Fault> {
        if self.instructions >= self.limit {
            return Err(Fault::Endless(self.limit));
        }
        let step = match instruction.operation {
            Operation::Task(function) => Step::Task(self.task(function, instruction)?),
            Operation::Add | Operation::Mul => {
                let a = self.register(instruction.input.into())?;
                let b = self.register(instruction.input_size.into())?;
                let result = match instruction.operation {
                    Operation::Add => a.wrapping_add(b),
                    _ => a.wrapping_mul(b),
                };
                self.set(instruction.output.into(), result)?;
                Step::Register
            }
            Operation::Mov => {
                let value = match instruction.is_indirect() {
                    true => self.register(instruction.input.into())?,
                    false => instruction.input.into(),
                };
                self.set(instruction.output.into(), value)?;
                Step::Register
            }
            Operation::Jump => {
                self.state.place = target(place, instruction)?;
                self.instructions += 1;
                return Ok(Step::Jump);
            }
            Operation::If => self.branch(place, instruction)?,
            Operation::LoopBegin | Operation::LoopEnd => self.iterate(place, instruction)?,
        };
        self.instructions += 1;
        match step {
            Step::Jump | Step::RegisterBranch { is_taken: true } => {}
            _ => self.state.place = place + 1,
        }
        Ok(step)
    }

    fn task(&self, function: u8, instruction: &Instruction) -> Result<TaskStep, Fault> {
        if usize::from(function) >= self.functions {
            return Err(Fault::NoFunction(function));
        }
        let Instruction {
            mut input,
            mut input_size,
            mut output,
            mut output_size,
            process,
            ..
        } = *instruction;
        if instruction.is_indirect() {
            // As many bits as the fields have.
            input = self.register(input.into())? as u16;
            input_size = self.register(input_size.into())? as u8;
            output = self.register(output.into())? as u16;
            output_size = self.register(output_size.into())? as u8;
        }
        Ok(TaskStep {
            function,
            input: Regions::new(process, input, input_size),
            output: Regions::new(process, output, output_size),
        })
    }

    fn branch(&mut self, place: usize, instruction: &Instruction) -> Result<Step, Fault> {
        let Some(branch) = Branch::decode(instruction.control) else {
            return Err(Fault::NoBranch(instruction.control));
        };
        let to = target(place, instruction)?;
        let compared = self.register(instruction.input_size.into())?;
        if branch.kind == BranchKind::Register {
            let value = self.register(instruction.input.into())?;
            let is_taken = branch.condition.holds(value, compared);
            if is_taken {
                self.state.place = to;
            }
            return Ok(Step::RegisterBranch { is_taken });
        }
        let value = self.read(instruction.input);
        let is_taken = branch.condition.holds(value, compared);
        Ok(Step::Branch(BranchStep {
            region: Regions::new(instruction.process, instruction.input, 1),
            watches_bus: branch.kind == BranchKind::Bus,
            taken_to: is_taken.then_some(to),
        }))
    }

    /// The next value that a branch reads in a region.
    fn read(&mut self, region: u16) -> u64 {
        let mut all = self.program.reads.iter();
        let Some(place) = all.position(|reads| reads.region == region) else {
            return 0;
        };
        let values = &self.program.reads[place].values;
        let next = &mut self.state.reads[place];
        let value = values.get(*next).or(values.last());
        *next = (*next + 1).min(values.len());
        value.copied().unwrap_or_default()
    }

    /// The begin or the end of a loop.
    fn iterate(&mut self, place: usize, instruction: &Instruction) -> Result<Step, Fault> {
        let Some(partner) = self.loops.partners[place] else {
            return Err(Fault::OpenLoop);
        };
        let counter = instruction.input_size.into();
        if instruction.operation == Operation::LoopBegin {
            self.set(counter, 0)?;
            let iterations = u64::from(instruction.input);
            let index = self.loops.numbers[place];
            self.state.iterations[index] = iterations.saturating_sub(1);
            return Ok(match iterations {
                0 => self.jump(partner + 1),
                _ => Step::Register,
            });
        }
        let count = self.register(counter)?.wrapping_add(instruction.step());
        self.set(counter, count)?;
        let index = self.loops.numbers[partner];
        let left = &mut self.state.iterations[index];
        Ok(match *left {
            0 => Step::Register,
            _ => {
                *left -= 1;
                self.jump(partner + 1)
            }
        })
    }

    fn jump(&mut self, to: usize) -> Step {
        self.state.place = to;
        Step::Jump
    }

    fn register(&self, number: u64) -> Result<u64, Fault> {
        let registers = &self.state.registers;
        let value = usize::try_from(number).ok().and_then(|n| registers.get(n));
        value.copied().ok_or(Fault::NoRegister {
            number,
            registers: registers.len(),
        })
    }

    fn set(&mut self, number: u64, value: u64) -> Result<(), Fault> {
        self.register(number)?;
        self.state.registers[number as usize] = value;
        Ok(())
    }
}

/// The place to which a jump leads.
fn target(place: usize, instruction: &Instruction) -> Result<usize, Fault> {
    let distance = instruction.distance() as isize;
    place
        .checked_add_signed(distance)
        .ok_or(Fault::BeforeProgram)
}

impl Loops {
    fn new(instructions: &[Instruction]) -> Self {
        let mut loops = Self {
            partners: vec![None; instructions.len()],
            numbers: vec![0; instructions.len()],
            count: 0,
        };
        let mut open = Vec::new();
        for (place, instruction) in instructions.iter().enumerate() {
            match instruction.operation {
                Operation::LoopBegin => {
                    loops.numbers[place] = loops.count;
                    loops.count += 1;
                    open.push(place);
                }
                Operation::LoopEnd => {
                    if let Some(begin) = open.pop() {
                        loops.partners[begin] = Some(place);
                        loops.partners[place] = Some(begin);
                    }
                }
                _ => {}
            }
        }
        loops
    }
}
