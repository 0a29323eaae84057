//! When the operations of a block are issued: one run after the other, or overlapping iterations.

mod list_scheduler;
pub mod modulo_schedule;
pub mod register_pressure;

/// Packets of one run of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packets {
    /// Those that issue an instruction.
    pub packets: u32,
    /// Those that only wait.
    pub empty: u32,
}

impl Packets {
    /// Those of an iteration that overlaps with others: they have that many instructions, which are taken to be in
    /// as many packets as the interval has cycles.
    pub fn of_interval(interval: u32, instructions: u32) -> Self {
        Self {
            packets: interval.min(instructions),
            empty: u32::from(interval > instructions),
        }
    }
}
