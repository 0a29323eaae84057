//! The arguments that all functions for enqueuing commands share.

use crate::abi::handle;
use crate::abi::host_memory::{In, Out};
use crate::api::errors::invalid_value;
use cl_sys::{CL_FALSE, cl_bool, cl_command_queue, cl_event, cl_mem};
use runtime::command::Command;
use runtime::error::{Code, Error, Result};
use runtime::event::{Event, ExecutionStatus};
use runtime::memory::buffer::Buffer;
use runtime::memory::host_pointer::HostPointer;
use runtime::queue::CommandQueue;
use std::sync::Arc;

/// `num_events_in_wait_list` and `event_wait_list` of an enqueue function.
///
/// # Errors
/// `InvalidEventWaitList`.
fn wait_list(count: u32, list: In<cl_event>) -> Result<Vec<Arc<Event>>> {
    let invalid = |sentence| Error::new(Code::InvalidEventWaitList, sentence);
    if list.is_null() != (count == 0) {
        return Err(invalid(
            "num_events_in_wait_list and event_wait_list do not fit each other",
        ));
    }
    handle::objects(count, list).map_err(|_| invalid("not all in event_wait_list are valid events"))
}

/// The queue of a command, the events that it waits for, and where its event is returned.
pub struct Submission {
    queue: Arc<CommandQueue>,
    wait_list: Vec<Arc<Event>>,
    event: Out<cl_event>,
}

/// The `Submission` that the arguments of an enqueue function describe.
macro_rules! submission {
    ($call:expr) => {
        $crate::api::submission::Submission::new(
            $call.command_queue,
            $call.num_events_in_wait_list,
            $call.event_wait_list,
            $call.event,
        )
    };
}
pub(crate) use submission;

impl Submission {
    /// From the arguments of an enqueue function.
    ///
    /// # Errors
    /// `InvalidCommandQueue`, `InvalidEventWaitList`.
    pub fn new(
        command_queue: cl_command_queue,
        num_events_in_wait_list: u32,
        event_wait_list: In<cl_event>,
        event: Out<cl_event>,
    ) -> Result<Self> {
        Ok(Self {
            queue: handle::object(command_queue)?,
            wait_list: wait_list(num_events_in_wait_list, event_wait_list)?,
            event,
        })
    }

    /// The queue.
    pub fn queue(&self) -> &CommandQueue {
        &self.queue
    }

    /// Puts a command into the queue.
    ///
    /// # Errors
    /// As `CommandQueue::enqueue`.
    pub fn submit(self, command: Command) -> Result<()> {
        self.submit_blocking_if(CL_FALSE, command)
    }

    /// Puts tasks into the queue as a chain.
    ///
    /// # Errors
    /// As `CommandQueue::enqueue_chain`.
    pub fn submit_chain(self, tasks: Vec<Command>, priority: i32) -> Result<()> {
        let last = self.queue.enqueue_chain(tasks, priority, &self.wait_list)?;
        if !self.event.is_null() {
            self.event.set(handle::publish(last));
        }
        Ok(())
    }

    /// Puts a command into the queue and waits for its end if `blocking`.
    ///
    /// # Errors
    /// As `CommandQueue::enqueue`; if blocking, why the command has failed.
    pub fn submit_blocking_if(self, blocking: cl_bool, command: Command) -> Result<()> {
        if blocking != CL_FALSE {
            self.queue.check_can_wait()?;
        }
        let enqueued = self.queue.enqueue(command, &self.wait_list)?;
        if blocking != CL_FALSE
            && let ExecutionStatus::Failed(code) = enqueued.wait()
        {
            return Err(self.failure(code));
        }
        if !self.event.is_null() {
            self.event.set(handle::publish(enqueued));
        }
        Ok(())
    }

    /// The error of a blocking call whose command failed with `code`.
    fn failure(&self, code: i32) -> Error {
        let failed = |event: &Arc<Event>| matches!(event.status(), ExecutionStatus::Failed(_));
        if self.wait_list.iter().any(failed) {
            return Error::new(
                Code::ExecStatusErrorForEventsInWaitList,
                "an event of the wait list has failed",
            );
        }
        Error::new(
            Code::from_value(code).unwrap_or(Code::OutOfResources),
            format!("the command has failed with {code}"),
        )
    }
}

pub fn buffer(handle: cl_mem) -> Result<Arc<Buffer>> {
    handle::object(handle)
}

/// A pointer of the host program that must not be null.
pub fn host<T>(pointer: *const T) -> Result<HostPointer> {
    if pointer.is_null() {
        return invalid_value("ptr is NULL");
    }
    Ok(HostPointer(pointer.cast_mut().cast()))
}

/// An origin or a region.
pub fn triple(list: In<usize>) -> Result<[usize; 3]> {
    list.triple()
        .ok_or_else(|| Error::new(Code::InvalidValue, "an origin or the region is NULL"))
}
