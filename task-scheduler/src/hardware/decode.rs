//! Decoding: instructions leave the task queue, tasks enter the dispatch window.

use super::branches::Undecided;
use super::engine::Engine;
use super::look_up_buffer::Place;
use super::tasks::{InFlight, Phase};
use crate::error::RunError;
use crate::interpreter::{BranchStep, Step, TaskStep};
use crate::memory_tracker::Accesses;
use crate::outcome::Stall;
use crate::region::Regions;

impl Engine<'_> {
    /// Decodes instructions; returns whether anything changed.
    ///
    /// # Errors
    /// An instruction that is not speculative is wrong.
    pub fn decode(&mut self) -> Result<bool, RunError> {
        if let Some(error) = self.error.filter(|_| self.branches.is_empty()) {
            return Err(error);
        }
        let mut has_changed = false;
        let mut decoded = 0;
        self.stalled = None;
        while decoded < self.numbers.decode_width {
            if let Some(stall) = self.stall_before_decoding() {
                self.stalled = Some(stall);
                break;
            }
            let step = match self.held.take() {
                Some(step) => step,
                None => match self.interpreter.step() {
                    Ok(step) => step,
                    Err(error) if self.branches.is_empty() => return Err(error),
                    Err(error) => {
                        self.error = Some(error);
                        continue;
                    }
                },
            };
            match self.accept(step) {
                Ok(()) => {
                    has_changed = true;
                    decoded += 1;
                }
                Err(stall) => {
                    self.held = Some(step);
                    self.stalled = Some(stall);
                    // A copy from transactional memory began.
                    has_changed |= self.now < self.blocked.0;
                    break;
                }
            }
        }
        if decoded > 0 {
            self.stalled = None;
        }
        Ok(has_changed)
    }

    /// Why nothing can be decoded, before the next instruction is known.
    fn stall_before_decoding(&mut self) -> Option<Stall> {
        if self.has_ended {
            return Some(Stall::Ended);
        }
        if self.now < self.blocked.0 {
            return Some(self.blocked.1);
        }
        let waits_for_branch = !self.is_speculative && !self.branches.is_empty();
        if waits_for_branch || self.error.is_some() {
            return Some(Stall::Branch);
        }
        if self.held.is_none() && self.interpreter.is_at_end() {
            self.has_ended = true;
            return Some(Stall::Ended);
        }
        self.queue.is_empty(self.now).then_some(Stall::QueueEmpty)
    }

    /// Takes an instruction from the queue, unless a resource is missing.
    fn accept(&mut self, step: Step) -> Result<(), Stall> {
        let numbers = self.numbers;
        let bubble = match step {
            Step::Task(task) => {
                self.task(task)?;
                None
            }
            Step::Branch(branch) => {
                self.branch(branch)?;
                None
            }
            Step::Jump => Some(numbers.jump),
            Step::RegisterBranch { is_taken: false } => Some(numbers.register_branch),
            Step::RegisterBranch { is_taken: true } => {
                Some(numbers.register_branch.max(numbers.jump))
            }
            Step::Register | Step::End => None,
        };
        if let Some(cycles) = bubble {
            self.blocked = (self.now + 1 + cycles, Stall::Bubble);
        }
        self.queue.pop(self.now);
        Ok(())
    }

    fn task(&mut self, task: TaskStep) -> Result<(), Stall> {
        self.has_room()?;
        let is_renamed = self.place(task.output)?;
        let accesses = Accesses {
            input: task.input,
            output: task.output,
            is_renamed,
        };
        let (_, number) = self.admit(task.function.into(), accesses);
        if is_renamed {
            self.look_up_buffer.map(number, task.output);
        }
        Ok(())
    }

    fn has_room(&self) -> Result<(), Stall> {
        if self.window.len() >= self.numbers.window {
            return Err(Stall::Window);
        }
        match self.tracker.is_full() {
            true => Err(Stall::Tracker),
            false => Ok(()),
        }
    }

    /// Whether an output gets a place of its own in transactional memory.
    fn place(&mut self, output: Regions) -> Result<bool, Stall> {
        if !self.is_speculative {
            return Ok(false);
        }
        loop {
            let undecided = self.branches.oldest();
            match self.look_up_buffer.place(output, undecided, &self.tracker) {
                Place::Memory => return Ok(false),
                Place::Mapped => return Ok(true),
                Place::AfterCopy(regions) => {
                    let cycles = u64::from(regions) * self.numbers.copy_back;
                    if cycles > 0 {
                        self.blocked = (self.now + cycles, Stall::LookUpBuffer);
                        return Err(Stall::LookUpBuffer);
                    }
                }
                Place::Full => return Err(Stall::LookUpBuffer),
            }
        }
    }

    /// Puts a task into the window and the memory tracker; returns its slot and number.
    fn admit(&mut self, function: usize, accesses: Accesses) -> (usize, u64) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.clear();
        self.tracker.conflicts(accesses, &mut conflicts);
        self.last_number += 1;
        let number = self.last_number;
        let recorded = match self.settings.records {
            true => conflicts.as_slice(),
            false => &[],
        };
        let waited_for = recorded.iter().map(|slot| self.tasks.get(*slot).number);
        let waited_for = waited_for.collect();
        let slot = self.tasks.add(InFlight {
            number,
            function,
            phase: Phase::Window,
            decoded: self.now,
            waits: conflicts.len(),
            waiters: Vec::new(),
            waited_for,
        });
        for &conflict in &conflicts {
            self.tasks.get_mut(conflict).waiters.push((slot, number));
        }
        self.conflicts = conflicts;
        self.tracker
            .add(slot, number, accesses.input, accesses.output);
        self.window
            .push_back((slot, self.now + self.numbers.look_up));
        (slot, number)
    }

    fn branch(&mut self, branch: BranchStep) -> Result<(), Stall> {
        if self.branches.len() >= self.numbers.speculation_ids {
            return Err(Stall::SpeculationIds);
        }
        let writer = match branch.watches_bus {
            true => self.tracker.writer(branch.region),
            false => None,
        };
        let source = match writer {
            Some(slot) => (slot, self.tasks.get(slot).number),
            None => {
                self.has_room()?;
                let accesses = Accesses {
                    input: branch.region,
                    output: Regions::default(),
                    is_renamed: false,
                };
                self.admit(self.reader(), accesses)
            }
        };
        self.last_number += 1;
        let taken = branch.taken_to.map(|place| {
            let mut state = self.interpreter.state.clone();
            state.place = place;
            Box::new(state)
        });
        self.branches.add(Undecided {
            number: self.last_number,
            source,
            known: None,
            taken,
        });
        Ok(())
    }
}
