//! How long a task occupies an accelerator: computing, and waiting for transfers.

use device_sim::machine::{Accelerator, AcceleratorDma, AcceleratorStream};

/// Cycles of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TaskCycles {
    /// Waiting for its data in the scratchpad.
    pub input: u64,
    /// Computing.
    pub compute: u64,
    /// Moving its results to memory.
    pub output: u64,
    /// Transfers between memory and the scratchpad.
    pub transfers: u64,
    /// Bytes that they move.
    pub transferred: u64,
}

impl TaskCycles {
    pub fn total(self) -> u64 {
        self.input + self.compute + self.output
    }
}

/// Why a task cannot be executed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum TaskError {
    /// Its data do not fit.
    #[error("its data have {bytes} bytes, the accelerator's scratchpad {scratchpad}")]
    Scratchpad { bytes: u64, scratchpad: u64 },
    /// A step's do not fit.
    #[error("the inputs of a step have {width} bytes, the accelerator's scratchpad {scratchpad}")]
    Step { width: u64, scratchpad: u64 },
    /// The machine's formula gives no number of cycles.
    #[error("the machine's formula gives {0} cycles")]
    Cycles(f64),
    /// The machine's formula gives no number of steps.
    #[error("the machine's formula gives {0} steps")]
    Steps(f64),
    /// Its transfers take too long.
    #[error("it waits {0} cycles for transfers")]
    Transfers(u64),
}

/// A number of cycles or steps; none if a formula gives another number, or NaN.
pub(super) fn count(value: f64) -> Option<u64> {
    let is_count = (1.0..=Accelerator::MAX_CYCLES as f64).contains(&value);
    is_count.then_some(value as u64)
}

/// The transfers of a task's inputs.
#[derive(Clone, Copy)]
pub(super) struct Loads {
    /// Their number: one for each step of the task.
    pub steps: u64,
    /// The bytes of each.
    pub width: u64,
    /// Whether each is made during the step before its own: the first of them is not.
    pub is_ahead: bool,
}

impl Loads {
    /// # Errors
    /// The inputs of a step do not fit.
    pub fn of_stream(
        stream: &AcceleratorStream,
        steps: u64,
        scratchpad: Option<u64>,
    ) -> Result<Self, TaskError> {
        let width = stream.width.value;
        match scratchpad {
            Some(scratchpad) if scratchpad < width => Err(TaskError::Step { width, scratchpad }),
            _ => Ok(Self {
                steps,
                width,
                is_ahead: scratchpad.is_none_or(|scratchpad| scratchpad / width >= 2),
            }),
        }
    }

    /// Those of one accelerator, if the task is divided into parts.
    pub fn part(self, parts: u64) -> Self {
        Self {
            steps: self.steps.div_ceil(parts),
            ..self
        }
    }

    /// Cycles in which a task that computes for `compute` cycles waits for them.
    pub fn wait(&self, dma: &AcceleratorDma, compute: u64) -> u64 {
        let load = dma.cycles(self.width);
        let later = load.saturating_mul(self.steps - 1);
        match self.is_ahead {
            false => load.saturating_add(later),
            // All steps but the last hide the transfer of the next one.
            true => {
                let hidden = u128::from(compute) * u128::from(self.steps - 1);
                let hidden = (hidden / u128::from(self.steps)) as u64;
                load.saturating_add(later.saturating_sub(hidden))
            }
        }
    }
}
