//! Events.

mod command_type;
mod event;

pub use crate::execution::execution_status::ExecutionStatus;
pub use crate::time::profiling_point::ProfilingPoint;
pub use command_type::CommandType;
pub use event::Event;
pub(crate) use event::{Dependent, OwnerQueue};
