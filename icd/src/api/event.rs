//! Events, markers and barriers (OpenCL 1.2, sections 5.9, 5.10 and 5.12; of OpenCL 1.1
//! what 1.2 deprecates).

use crate::abi::callback::event_notify;
use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clCreateUserEvent, clEnqueueBarrier, clEnqueueBarrierWithWaitList, clEnqueueMarker,
    clEnqueueMarkerWithWaitList, clEnqueueWaitForEvents, clGetEventInfo, clGetEventProfilingInfo,
    clReleaseEvent, clRetainEvent, clSetEventCallback, clSetUserEventStatus, clWaitForEvents,
};
use crate::abi::handle;
use crate::abi::host_memory::In;
use crate::api::context;
use crate::api::errors::invalid_value;
use crate::api::info::{Destination, unknown_query};
use crate::api::mocl3::performance_counters::{
    CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3,
    CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3,
};
use crate::api::mocl3::task_queue::{CL_EVENT_TASK_STATE_MOCL3, state_value};
use crate::api::submission::{Submission, submission};
use cl_sys::{
    CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_EVENT_COMMAND_QUEUE, CL_EVENT_COMMAND_TYPE,
    CL_EVENT_CONTEXT, CL_EVENT_REFERENCE_COUNT, CL_PROFILING_COMMAND_END,
    CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_SUBMIT,
    CL_RUNNING, CL_SUBMITTED, cl_event,
};
use runtime::command::Command;
use runtime::error::{Code, Error, Result};
use runtime::event::{Event, ExecutionStatus, ProfilingPoint};
use runtime::queue::{CommandQueue, TaskState};
use runtime::recording::performance_counters::{array_values, launch_values};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

/// A list of events that must not be empty.
///
/// # Errors
/// `InvalidValue`: empty; `InvalidEvent`; `InvalidContext`: not all of one context.
pub fn event_list(count: u32, list: In<cl_event>) -> Result<Vec<Arc<Event>>> {
    if count == 0 || list.is_null() {
        return Err(Error::new(Code::InvalidValue, "no events are given"));
    }
    let events = handle::objects::<Event>(count, list)?;
    if events
        .iter()
        .any(|event| !Arc::ptr_eq(event.context(), events[0].context()))
    {
        return Err(Error::new(
            Code::InvalidContext,
            "the events are not all of one context",
        ));
    }
    Ok(events)
}

impl Call for clCreateUserEvent {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let context = context::for_new_objects(self.context)?;
        Ok(handle::publish(Event::user(&context)))
    }
}

impl Call for clSetUserEventStatus {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let event = handle::object::<Event>(self.event)?;
        event.set_user_status(match self.execution_status {
            CL_COMPLETE => ExecutionStatus::Complete,
            code if code < 0 => ExecutionStatus::Failed(code),
            status => {
                return Err(Error::new(
                    Code::InvalidValue,
                    format!("execution_status {status} is neither CL_COMPLETE nor negative"),
                ));
            }
        })
    }
}

impl Call for clWaitForEvents {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let mut failed = None;
        for event in event_list(self.num_events, self.event_list)? {
            // Also after a failure: the call promises that all have ended.
            if let ExecutionStatus::Failed(code) = event.wait() {
                failed = failed.or(Some(code));
            }
        }
        match failed {
            None => Ok(()),
            Some(code) => Err(Error::new(
                Code::ExecStatusErrorForEventsInWaitList,
                format!("an event has the execution status {code}"),
            )),
        }
    }
}

impl Call for clRetainEvent {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<Event>(self.event)
    }
}

impl Call for clReleaseEvent {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release_with::<Event>(self.event, |event| event.released())
    }
}

impl Call for clSetEventCallback {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let event = handle::object::<Event>(self.event)?;
        let function = self
            .pfn_notify
            .ok_or_else(|| Error::new(Code::InvalidValue, "pfn_notify is NULL"))?;
        let threshold = match self.command_exec_callback_type {
            CL_SUBMITTED => ExecutionStatus::Submitted,
            CL_RUNNING => ExecutionStatus::Running,
            CL_COMPLETE => ExecutionStatus::Complete,
            other => {
                return Err(Error::new(
                    Code::InvalidValue,
                    format!("there are no callbacks for the execution status {other}"),
                ));
            }
        };
        event.on_status(
            threshold,
            event_notify(function, self.event, self.user_data),
        );
        Ok(())
    }
}

impl Call for clGetEventInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let event = handle::object::<Event>(self.event)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_EVENT_COMMAND_QUEUE => destination.write(
                CommandQueue::of_event(&event)
                    .as_ref()
                    .map_or(null_mut(), handle::handle_of),
            ),
            CL_EVENT_CONTEXT => destination.write(handle::handle_of(event.context())),
            CL_EVENT_COMMAND_TYPE => destination.write(event.command_type() as u32),
            CL_EVENT_COMMAND_EXECUTION_STATUS => destination.write(event.observe_status().value()),
            CL_EVENT_TASK_STATE_MOCL3 => destination.write(state_value(TaskState::of(&event)?)),
            CL_EVENT_REFERENCE_COUNT => destination.write(handle::reference_count(&event)),
            other => unknown_query(other),
        }
    }
}

impl Call for clGetEventProfilingInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let event = handle::object::<Event>(self.event)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        let point = match self.param_name {
            CL_PROFILING_COMMAND_QUEUED => ProfilingPoint::Queued,
            CL_PROFILING_COMMAND_SUBMIT => ProfilingPoint::Submit,
            CL_PROFILING_COMMAND_START => ProfilingPoint::Start,
            CL_PROFILING_COMMAND_END => ProfilingPoint::End,
            CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3 => {
                return destination.write(launch_values(event.launch_report()?));
            }
            CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3 => {
                return destination.write(array_values(event.launch_report()?));
            }
            other => return unknown_query(other),
        };
        destination.write(event.profiling(point)?.0)
    }
}

impl Call for clEnqueueMarkerWithWaitList {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        submission!(self)?.submit(Command::marker())
    }
}

impl Call for clEnqueueBarrierWithWaitList {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        submission!(self)?.submit(Command::barrier())
    }
}

impl Call for clEnqueueMarker {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = Submission::new(self.command_queue, 0, In::null(), self.event)?;
        if self.event.is_null() {
            return invalid_value("event is NULL");
        }
        submission.submit(Command::marker())
    }
}

impl Call for clEnqueueBarrier {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = handle::object::<CommandQueue>(self.command_queue)?;
        queue.enqueue(Command::barrier(), &[])?;
        Ok(())
    }
}

impl Call for clEnqueueWaitForEvents {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = handle::object::<CommandQueue>(self.command_queue)?;
        let events = event_list(self.num_events, self.event_list)?;
        queue.enqueue(Command::barrier(), &events)?;
        Ok(())
    }
}
