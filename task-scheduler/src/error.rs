//! Errors.

use crate::queue_manager::PolicyError;
use task_isa::FunctionsError;

/// Why a machine cannot run tasks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The machine has no accelerators.
    #[error("the machine {0} has no accelerators: its machine file has no [[accelerator]]")]
    NoAccelerators(String),
    /// The machine has no scheduler.
    #[error("the machine {0} has no scheduler: its machine file has no [task_scheduler]")]
    NoScheduler(String),
    /// The names of the functions are unusable.
    #[error(transparent)]
    Functions(#[from] FunctionsError),
    /// A policy of the task queue manager is unusable.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

/// Why a program does not run. Instructions count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("instruction {instruction}: {fault}")]
pub struct RunError {
    /// The instruction.
    pub instruction: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A register does not exist.
    #[error("there is no register {number:x}: the scheduler has {registers}")]
    NoRegister {
        /// Its number.
        number: u64,
        /// The number of registers.
        registers: usize,
    },
    /// A task of an accelerator that does not exist.
    #[error("the machine has no function with the accelerator id {0:x}")]
    NoFunction(u8),
    /// A kind of branch that does not exist.
    #[error("control {0:x} names no kind of branch")]
    NoBranch(u8),
    /// A loop without begin or end, which only decoded programs can have.
    #[error("this begin or end of a loop has no partner")]
    OpenLoop,
    /// A jump to a place before the program.
    #[error("this jump leads to a place before the program")]
    BeforeProgram,
    /// The program runs more instructions than the limit.
    #[error("the program does not end within {0} instructions")]
    Endless(u64),
}
