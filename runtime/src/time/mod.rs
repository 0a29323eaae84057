//! Simulated time: the work of commands, its cost on the machine, and the resulting schedule.

mod accelerator_schedule;
pub(crate) mod accelerator_task;
pub mod api_call;
pub(crate) mod array_calendars;
pub mod co_simulation;
pub(crate) mod command_work;
pub(crate) mod host_clock;
pub(crate) mod prediction_mode;
pub mod profiling_point;
pub(crate) mod profiling_source;
mod report_queue;
pub(crate) mod resource_calendar;
pub(crate) mod simulated_command;
pub(crate) mod simulated_schedule;
