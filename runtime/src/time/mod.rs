//! Simulated time: what commands cost on the machine and when they ran there.

pub(crate) mod command_work;
pub(crate) mod host_clock;
pub(crate) mod profiling_time;
pub(crate) mod resource_calendar;
pub(crate) mod simulated_command;
pub(crate) mod simulated_schedule;
