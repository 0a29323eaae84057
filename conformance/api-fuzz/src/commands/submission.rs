//! The common part of all commands: wait lists, events, and whether their effects are known.

use crate::call::{Done, Returns, Run, Step, UNTOUCHED};
use crate::model::{Details, Event, Id, Kind, Outcome};
use cl_sys::*;
use std::collections::BTreeSet;

/// The effect of a command on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The intended effect, before any later call can observe it.
    Sure,
    /// An uncertain effect, or one at an unknown time.
    Unsure,
    None,
}

/// A wait list.
pub struct Waits {
    count: u64,
    list: u64,
    text: String,
    events: Vec<Id>,
    outcome: Outcome,
    gates: BTreeSet<Id>,
    awaits: BTreeSet<Id>,
}

/// The arguments that all commands share.
pub struct Issue {
    pub queue: Option<Id>,
    pub context: Option<Id>,
    waits: Waits,
    pub blocking: bool,
    event_at: Option<u64>,
}

impl Issue {
    /// Whether the host requests the event.
    pub fn wants_event(&self) -> bool {
        self.event_at.is_some()
    }
}

const EVENT_UNTOUCHED: u64 = u64::from_ne_bytes([UNTOUCHED; 8]);

impl Run {
    /// Adds the queue as first argument, and chooses the wait list.
    pub fn issue(&mut self) -> Issue {
        let wanted = self.pick(Kind::Queue);
        let queue = self.handle("command_queue", &[Kind::Queue], wanted);
        let context = queue.map(|queue| self.model.object(queue).context);
        let waits = self.choose_waits(context);
        Issue {
            queue,
            context,
            waits,
            blocking: false,
            event_at: None,
        }
    }

    /// As `issue`, for functions without a wait list.
    pub fn issue_without_waits(&mut self) -> Issue {
        let wanted = self.pick(Kind::Queue);
        let queue = self.handle("command_queue", &[Kind::Queue], wanted);
        Issue {
            queue,
            context: queue.map(|queue| self.model.object(queue).context),
            waits: self.waits_for(Vec::new()),
            blocking: false,
            event_at: None,
        }
    }

    /// Records that the command waits for these events, which are not in a wait list.
    pub fn wait_for(&self, issue: &mut Issue, events: Vec<Id>) {
        issue.waits = self.waits_for(events);
    }

    fn waits_for(&self, events: Vec<Id>) -> Waits {
        let mut waits = Waits {
            count: 0,
            list: 0,
            text: "NULL".to_owned(),
            outcome: Outcome::Completes,
            gates: BTreeSet::new(),
            awaits: BTreeSet::new(),
            events,
        };
        for &id in &waits.events {
            let event = self.model.event(id);
            waits.outcome = waits.outcome.max(event.outcome);
            let unset = |gate: &&Id| self.model.is_unset(**gate);
            waits.gates.extend(event.gates.iter().filter(unset));
            waits.awaits.extend(event.awaits.iter().filter(unset));
            if event.queue.is_none() && event.user_status.is_none() {
                waits.gates.insert(id);
                waits.awaits.insert(id);
            }
        }
        waits
    }

    fn choose_waits(&mut self, context: Option<Id>) -> Waits {
        let mut wanted = Vec::new();
        if self.one_in(3) {
            for _ in 0..self.size(1, 3) {
                wanted.extend(self.pick_in(Kind::Event, context));
            }
        }
        let mut list = Vec::new();
        let mut texts = Vec::new();
        let mut events = Vec::new();
        let count = wanted.len();
        for id in wanted {
            let (handle, text, id) =
                self.choose_handle(&[Kind::Event], Some(id), CL_INVALID_EVENT_WAIT_LIST);
            list.extend(handle.to_ne_bytes());
            texts.push(text);
            events.extend(id);
        }
        for &event in &events {
            let foreign = context.is_some_and(|own| self.model.object(event).context != own);
            self.fault_if(foreign, CL_INVALID_CONTEXT);
        }
        let mut waits = self.waits_for(events);
        waits.count = count as u64;
        if count > 0 {
            waits.list = self.momentary(&list);
            waits.text = format!("[{}]", texts.join(", "));
        }
        if self.wrong() {
            self.fault(CL_INVALID_EVENT_WAIT_LIST);
            if count > 0 {
                // Events without a number, or a number without events.
                if self.one_in(2) {
                    waits.count = 0;
                } else {
                    waits.list = 0;
                    waits.text = "NULL".to_owned();
                }
            } else {
                waits.count = self.garbage().max(1) & 0xFFFF_FFFF | 1;
            }
        }
        waits
    }

    /// Adds the argument that states whether the call blocks.
    pub fn blocking(&mut self, name: &str, issue: &mut Issue) {
        let gates = issue.queue.map(|queue| &self.model.queue(queue).gates);
        let gated = gates.is_some_and(|gates| self.model.are_unset(gates))
            || self.model.are_unset(&issue.waits.gates);
        issue.blocking = !gated && !self.one_in(3);
        if issue.blocking {
            let status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
            let doubtful = issue
                .queue
                .is_some_and(|queue| self.model.queue(queue).doubtful);
            match issue.waits.outcome {
                Outcome::Fails => self.fault(status),
                Outcome::Perhaps => self.may(status),
                Outcome::Completes if doubtful => self.may(status),
                Outcome::Completes => {}
            }
        }
        self.number(name, u32::from(issue.blocking));
    }

    /// Adds the wait list and the address of the event as arguments.
    pub fn waits_and_event(&mut self, issue: &mut Issue) {
        self.number("num_events_in_wait_list", issue.waits.count);
        let (list, text) = (issue.waits.list, issue.waits.text.clone());
        self.argument("event_wait_list", list, &text);
        self.event_argument(issue);
    }

    /// Adds the address of the event as argument, or null.
    pub fn event_argument(&mut self, issue: &mut Issue) {
        if self.one_in(2) {
            self.null("event");
        } else {
            issue.event_at = Some(self.output("event", 8));
        }
    }

    /// Checks that an object has the context of the command.
    pub fn same_context(&mut self, issue: &Issue, object: Option<Id>) {
        if let (Some(context), Some(object)) = (issue.context, object) {
            let foreign = self.model.object(object).context != context;
            self.fault_if(foreign, CL_INVALID_CONTEXT);
        }
    }

    /// Makes the call of a command on these memory objects. Returns its effect on them.
    pub fn enqueue(
        &mut self,
        issue: &Issue,
        returns: Returns,
        command_type: u32,
        objects: &[Id],
    ) -> Option<(Done, Effect)> {
        let done = self.make(returns)?;
        let event = issue.event_at.map(|address| self.word_at(address));
        let ran = done.succeeded || done.code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        if !done.succeeded && event.is_some_and(|event| event != EVENT_UNTOUCHED) {
            return self.fail_call("it failed, but wrote an event");
        }
        let Some(queue) = issue.queue.filter(|_| ran) else {
            return Some((done, Effect::None));
        };
        let effect = self.issued(queue, issue, objects, done.succeeded);
        if !self.model.object(queue).is_alive() {
            self.to_be_left.push(queue);
        }
        if let Some(handle) = event.filter(|_| done.succeeded) {
            if handle == 0 || handle == EVENT_UNTOUCHED {
                return self.fail_call("it succeeded, but gave no event");
            }
            self.command_event(queue, issue, command_type, handle);
        }
        Some((done, effect))
    }

    /// Records a command in its queue.
    fn issued(&mut self, queue: Id, issue: &Issue, objects: &[Id], succeeded: bool) -> Effect {
        for &id in issue.waits.events.iter().chain(objects).chain([&queue]) {
            self.hold(id);
        }
        let details = self.model.queue(queue);
        let in_order = details.in_order();
        let doubtful = details.doubtful;
        let gated =
            self.model.are_unset(&details.gates) || self.model.are_unset(&issue.waits.gates);
        let memories: BTreeSet<Id> = objects
            .iter()
            .map(|id| self.model.memory_of(*id).0)
            .collect();
        let mut others = BTreeSet::new();
        for &memory in &memories {
            self.hold(memory);
            if let Some(contents) = self.model.contents_mut(memory) {
                let users = contents
                    .users
                    .iter()
                    .filter(|user| !in_order || **user != queue);
                others.extend(users.copied());
            }
        }
        if !others.is_empty() {
            self.model.forget_users(&others);
        }
        let effect = match issue.waits.outcome {
            Outcome::Fails => Effect::None,
            Outcome::Completes if succeeded && !doubtful && !gated && others.is_empty() => {
                Effect::Sure
            }
            _ => Effect::Unsure,
        };
        if issue.blocking {
            if in_order {
                self.model.finished(queue);
            }
            return effect;
        }
        for memory in memories {
            if let Some(contents) = self.model.contents_mut(memory) {
                contents.users.insert(queue);
            }
        }
        let details = self.model.queue_mut(queue);
        details.gates.extend(&issue.waits.gates);
        details.doubtful |= issue.waits.outcome != Outcome::Completes;
        effect
    }

    /// Records the event of a command.
    fn command_event(&mut self, queue: Id, issue: &Issue, command_type: u32, handle: u64) {
        let details = self.model.queue(queue);
        let outcome = if details.doubtful && issue.waits.outcome == Outcome::Completes {
            Outcome::Perhaps
        } else {
            issue.waits.outcome
        };
        let event = Event {
            queue: Some(queue),
            command_type,
            gates: details.gates.clone(),
            awaits: issue.waits.awaits.clone(),
            outcome,
            ended: issue.blocking,
            user_status: None,
        };
        let context = self.model.object(queue).context;
        let id = self.created(Kind::Event, handle, context, Details::Event(event));
        // The queue may retain the event.
        self.hold(id);
    }

    /// Enqueues a marker before the last reference of a queue is released; its status shows whether
    /// the commands of the queue have ended.
    pub fn leave_queue(&mut self, queue: Id) -> Step {
        let object = self.model.object(queue);
        let (handle, alive) = (object.handle, object.is_alive());
        self.begin("clEnqueueMarkerWithWaitList");
        if !alive {
            // After the marker, all commands of the queue have ended.
            self.may(CL_INVALID_COMMAND_QUEUE);
        }
        self.argument(
            "command_queue",
            handle,
            &format!("Queue#{queue} before it is left"),
        );
        self.number("num_events_in_wait_list", 0u32);
        self.null("event_wait_list");
        let at = self.output("event", 8);
        if self.make(Returns::Status)?.succeeded {
            let event = self.word_at(at);
            self.left_behind.push(event);
        }
        Some(())
    }

    /// Waits until all commands in all queues of the sequence have ended. The user events have been
    /// set.
    pub fn finish_all(&mut self) -> Step {
        self.be_careful();
        for id in self.model.ids(Kind::Event) {
            let alive = self.model.object(id).is_alive();
            if alive && self.model.event(id).queue.is_none() && self.model.is_unset(id) {
                self.set_status(id, CL_COMPLETE)?;
            }
        }
        for id in self.model.ids(Kind::Queue) {
            if self.model.object(id).is_alive() {
                self.begin("clFinish");
                self.handle("command_queue", &[Kind::Queue], Some(id));
                self.make(Returns::Status)?;
                self.model.finished(id);
            }
        }
        for event in std::mem::take(&mut self.left_behind) {
            self.begin("clWaitForEvents");
            self.number("num_events", 1u32);
            self.input(
                "event_list",
                &event.to_ne_bytes(),
                "[marker of a queue that was left]",
            );
            self.may(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            self.make(Returns::Status)?;
            self.begin("clReleaseEvent");
            self.argument("event", event, "marker of a queue that was left");
            self.make(Returns::Status)?;
        }
        for id in self.model.ids(Kind::Queue) {
            self.model.finished(id);
        }
        self.lasting.clear();
        self.short_of_memory = false;
        Some(())
    }
}
