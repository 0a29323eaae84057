//! `cl_mocl3_task_queue`: chains of tasks, and the states of tasks (docs/extensions.md).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::clEnqueueTaskChainMOCL3;
use crate::abi::handle;
use crate::api::errors::invalid_value;
use crate::api::submission::submission;
use runtime::command::Command;
use runtime::error::Result;
use runtime::kernel::Kernel;
use runtime::queue::TaskState;

/// `CL_EVENT_TASK_STATE_MOCL3`
pub const CL_EVENT_TASK_STATE_MOCL3: u32 = 0x4D4F_4305;

/// `CL_TASK_NOT_EXECUTING_MOCL3` and the states after it.
pub fn state_value(state: TaskState) -> u32 {
    match state {
        TaskState::NotExecuting => 0,
        TaskState::Executing => 1,
        TaskState::Executed => 2,
        TaskState::GaveUp => 3,
    }
}

impl Call for clEnqueueTaskChainMOCL3 {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        if self.num_kernels == 0 || self.kernels.is_null() {
            return invalid_value("num_kernels is 0, or kernels is NULL");
        }
        let kernels = handle::objects::<Kernel>(self.num_kernels, self.kernels)?;
        let target = submission.queue().launch_target();
        let task = |kernel| Command::nd_range(kernel, target, None, &[1], Some(&[1]), true);
        let tasks = kernels.iter().map(task).collect::<Result<_>>()?;
        submission.submit_chain(tasks, self.priority)
    }
}
