//! Events and waits.

use crate::call::{Returns, Run, Step};
use crate::callbacks::{self, Counter};
use crate::model::{Details, Event, Id, Kind, Outcome};
use crate::objects::queries::{Answer, size, uint};
use cl_sys::*;
use std::collections::BTreeSet;

/// `CL_COMMAND_USER`
const USER: u32 = 0x1204;

impl Run {
    pub fn create_user_event(&mut self) -> Step {
        self.begin("clCreateUserEvent");
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let done = self.make(Returns::Object)?;
        if let Some(context) = context.filter(|_| done.succeeded) {
            self.hold(context);
            let event = Event {
                queue: None,
                command_type: USER,
                gates: BTreeSet::new(),
                awaits: BTreeSet::new(),
                outcome: Outcome::Completes,
                ended: false,
                user_status: None,
            };
            self.created(Kind::Event, done.pointer, context, Details::Event(event));
        }
        Some(())
    }

    pub fn set_user_event_status(&mut self) -> Step {
        let unset = self.pick_where(|object| {
            matches!(&object.details, Details::Event(event)
                if object.is_alive() && event.queue.is_none() && event.user_status.is_none())
        });
        let event = if self.wrong() {
            self.pick(Kind::Event)
        } else {
            unset
        };
        // Events of commands, and user events that have been set, are invalid here.
        let event = event.or_else(|| self.pick(Kind::Event))?;
        let mut status = CL_COMPLETE;
        if self.one_in(8) {
            status = -1 - self.random.below(2000) as i32;
        }
        self.set_status(event, status)
    }

    /// Sets a user event's status; the arguments may still be invalid.
    pub fn set_status(&mut self, event: Id, status: i32) -> Step {
        self.begin("clSetUserEventStatus");
        let event = self.handle("event", &[Kind::Event], Some(event));
        let mut status = status;
        if self.wrong() {
            status = self.one_of(&[1, 2, 3, 4, i32::MAX]);
            self.fault(CL_INVALID_VALUE);
        }
        self.argument(
            "execution_status",
            u64::from(status as u32),
            &status.to_string(),
        );
        if let Some(event) = event {
            let details = self.model.event(event);
            let (of_command, set) = (details.queue.is_some(), details.user_status.is_some());
            self.fault_if(of_command, CL_INVALID_EVENT);
            self.fault_if(set, CL_INVALID_OPERATION);
        }
        if self.make(Returns::Status)?.succeeded
            && let Some(event) = event
        {
            self.status_is_set(event, status);
        }
        Some(())
    }

    fn status_is_set(&mut self, event: Id, status: i32) {
        let details = self.model.event_mut(event);
        details.user_status = Some(status);
        details.ended = true;
        if status >= 0 {
            return;
        }
        details.outcome = Outcome::Fails;
        for id in self.model.ids(Kind::Event) {
            let follower = self.model.event_mut(id);
            if follower.awaits.contains(&event) {
                follower.outcome = Outcome::Fails;
            } else if follower.gates.contains(&event) {
                follower.outcome = follower.outcome.max(Outcome::Perhaps);
            }
        }
        for id in self.model.ids(Kind::Queue) {
            let queue = self.model.queue_mut(id);
            queue.doubtful |= queue.gates.contains(&event);
        }
    }

    /// Whether a wait for an event would never end.
    fn is_gated(&self, event: Id) -> bool {
        let details = self.model.event(event);
        (details.queue.is_none() && details.user_status.is_none())
            || self.model.are_unset(&details.gates)
    }

    pub fn wait_for_events(&mut self) -> Step {
        self.begin("clWaitForEvents");
        let first = self.pick(Kind::Event);
        let context = first.map(|event| self.model.object(event).context);
        let mut wanted: Vec<Id> = first.into_iter().collect();
        for _ in 0..self.random.below(3) {
            wanted.extend(self.pick_in(Kind::Event, context));
        }
        wanted.retain(|event| !self.is_gated(*event));
        if wanted.is_empty() && !self.one_in(8) {
            return None;
        }
        let events = self.event_list(&wanted, true);
        // Invalid handles may have replaced events of the list.
        if events.iter().any(|event| self.is_gated(*event)) {
            return None;
        }
        self.make(Returns::Status)?;
        Some(())
    }

    /// Adds a list of events, which must not be empty, as arguments.
    fn event_list(&mut self, wanted: &[Id], waits: bool) -> Vec<Id> {
        let events = self.handles(("num_events", "event_list"), &[Kind::Event], wanted);
        self.fault_if(wanted.is_empty(), CL_INVALID_VALUE);
        let contexts: BTreeSet<Id> = events
            .iter()
            .map(|id| self.model.object(*id).context)
            .collect();
        self.fault_if(contexts.len() > 1, CL_INVALID_CONTEXT);
        if waits {
            let outcomes = events.iter().map(|event| self.model.event(*event).outcome);
            match outcomes.max() {
                Some(Outcome::Fails) => self.fault(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
                Some(Outcome::Perhaps) => self.may(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
                _ => {}
            }
        }
        events
    }

    pub fn get_event_info(&mut self) -> Step {
        self.begin("clGetEventInfo");
        let wanted = self.pick(Kind::Event);
        let event = self.handle("event", &[Kind::Event], wanted);
        let (mut queue, mut context, mut command_type, mut references, mut status) = (
            Answer::Any,
            Answer::Any,
            Answer::Any,
            Answer::Any,
            Answer::Size(4),
        );
        if let Some(id) = event {
            let object = self.model.object(id);
            let details = self.model.event(id);
            queue = size(
                details
                    .queue
                    .map_or(0, |queue| self.model.object(queue).handle),
            );
            context = size(self.model.object(object.context).handle);
            command_type = uint(details.command_type);
            references = uint(object.references);
            status = match details.user_status {
                Some(status) => uint(status as u32),
                None if details.queue.is_none() => uint(CL_SUBMITTED as u32),
                None if details.ended && details.outcome == Outcome::Completes => {
                    uint(CL_COMPLETE as u32)
                }
                None => Answer::Size(4),
            };
        }
        self.query(&[
            (CL_EVENT_COMMAND_QUEUE, queue),
            (CL_EVENT_CONTEXT, context),
            (CL_EVENT_COMMAND_TYPE, command_type),
            (CL_EVENT_COMMAND_EXECUTION_STATUS, status),
            (CL_EVENT_REFERENCE_COUNT, references),
        ])
    }

    pub fn get_event_profiling_info(&mut self) -> Step {
        self.begin("clGetEventProfilingInfo");
        let wanted = self.pick(Kind::Event);
        let event = self.handle("event", &[Kind::Event], wanted);
        let mut answer = Answer::Size(8);
        if let Some(id) = event {
            let details = self.model.event(id);
            let profiles = details
                .queue
                .is_some_and(|queue| self.model.queue(queue).properties & 2 != 0);
            let unavailable = CL_PROFILING_INFO_NOT_AVAILABLE;
            answer = if !profiles || details.outcome == Outcome::Fails {
                Answer::Refused(unavailable)
            } else if details.ended && details.outcome == Outcome::Completes {
                answer
            } else {
                Answer::Perhaps(unavailable, Box::new(answer))
            };
        }
        self.query(&[
            (CL_PROFILING_COMMAND_QUEUED, answer.clone()),
            (CL_PROFILING_COMMAND_SUBMIT, answer.clone()),
            (CL_PROFILING_COMMAND_START, answer.clone()),
            (CL_PROFILING_COMMAND_END, answer),
        ])
    }

    pub fn set_event_callback(&mut self) -> Step {
        self.begin("clSetEventCallback");
        let wanted = self.pick(Kind::Event);
        let event = self.handle("event", &[Kind::Event], wanted);
        let mut status = self.one_of(&[CL_COMPLETE, CL_COMPLETE, CL_RUNNING, CL_SUBMITTED]);
        if self.wrong() {
            status = self.one_of(&[-1, 3, 4, i32::MIN, i32::MAX]);
            self.fault(CL_INVALID_VALUE);
        }
        self.argument(
            "command_exec_callback_type",
            u64::from(status as u32),
            &status.to_string(),
        );
        let counter = Counter::new();
        if self.wrong() {
            self.null("pfn_notify");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.argument("pfn_notify", callbacks::event as *const () as u64, "count");
        }
        self.argument("user_data", counter.user_data(), "a counter");
        if self.make(Returns::Status)?.succeeded {
            let text = format!("the callback of Event#{:?} of step {}", event, self.step());
            self.callbacks.push((counter, 1, text));
            if let Some(event) = event {
                self.hold(event);
            }
        }
        Some(())
    }

    pub fn marker_or_barrier(&mut self) -> Step {
        let marker = self.one_in(2);
        self.begin(if marker {
            "clEnqueueMarkerWithWaitList"
        } else {
            "clEnqueueBarrierWithWaitList"
        });
        let mut issue = self.issue();
        self.waits_and_event(&mut issue);
        self.enqueue(
            &issue,
            Returns::Status,
            if marker { 0x11FE } else { 0x1205 },
            &[],
        )?;
        Some(())
    }

    /// Functions that OpenCL 1.2 deprecates.
    pub fn old_marker_or_barrier(&mut self) -> Step {
        match self.random.below(3) {
            0 => {
                self.begin("clEnqueueMarker");
                let mut issue = self.issue_without_waits();
                self.event_argument(&mut issue);
                self.fault_if(!issue.wants_event(), CL_INVALID_VALUE);
                self.enqueue(&issue, Returns::Status, 0x11FE, &[])?;
            }
            1 => {
                self.begin("clEnqueueBarrier");
                let issue = self.issue_without_waits();
                self.enqueue(&issue, Returns::Status, 0x1205, &[])?;
            }
            _ => {
                self.begin("clEnqueueWaitForEvents");
                let mut issue = self.issue_without_waits();
                let first = self.pick_in(Kind::Event, issue.context);
                let mut wanted: Vec<Id> = first.into_iter().collect();
                for _ in 0..self.random.below(3) {
                    wanted.extend(self.pick_in(Kind::Event, issue.context));
                }
                let events = self.event_list(&wanted, false);
                for &event in &events {
                    self.same_context(&issue, Some(event));
                }
                self.wait_for(&mut issue, events);
                self.enqueue(&issue, Returns::Status, 0x1205, &[])?;
            }
        }
        Some(())
    }

    pub fn flush_or_finish(&mut self) -> Step {
        let wanted = self.pick(Kind::Queue);
        let gated = wanted.is_some_and(|queue| {
            let gates = &self.model.queue(queue).gates;
            self.model.are_unset(gates)
        });
        let finish = !gated && self.one_in(2);
        self.begin(if finish { "clFinish" } else { "clFlush" });
        let queue = self.handle("command_queue", &[Kind::Queue], wanted);
        // A queue that replaced the wanted one may have commands that wait for user events.
        if finish && queue != wanted && queue.is_some() {
            return None;
        }
        if self.make(Returns::Status)?.succeeded && finish {
            self.model.finished(queue?);
        }
        Some(())
    }
}
