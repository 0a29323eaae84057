//! Command queues: what a command waits for that is put into one. When that has completed
//! the command becomes ready (`ready`).

use crate::command::{Command, Order};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::event::Event;
use crate::execution::ready_queue::ReadyQueue;
use crate::handle_slot::HandleSlot;
use crate::queue::task::Task;
use crate::recording::recorder::{self, PendingRecord, RecordId};
use crate::time::profiling_time::ProfilingTime;
use crate::time::simulated_command::{After, SimulatedCommand};
use crate::time::simulated_schedule;
use fault_injection::Defect;
use host_exec::{host_threads, process_lifecycle};
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

bitflags::bitflags! {
    /// `cl_command_queue_properties`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct QueueProperties: u64 {
        /// `CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE`
        const OUT_OF_ORDER_EXEC_MODE_ENABLE = 1;
        /// `CL_QUEUE_PROFILING_ENABLE`
        const PROFILING_ENABLE = 2;
    }
}

/// Commands that an out-of-order queue runs at the same time, on a host with few
/// processors: some wait, for the host's memory or in a native kernel.
const MIN_CONCURRENT_COMMANDS: usize = 4;

/// A command queue.
pub struct CommandQueue {
    handle: HandleSlot,
    context: Arc<Context>,
    device: Arc<Device>,
    properties: QueueProperties,
    history: Mutex<History>,
    ready: Arc<ReadyQueue>,
    recorded: RecordId,
}

/// Commands put in before that later ones may have to wait for. An event that is gone
/// has ended.
#[derive(Default)]
struct History {
    /// In order: the last command. Out of order: the last barrier.
    last: Weak<Event>,
    /// Out of order: all since that barrier.
    since: Vec<Weak<Event>>,
    /// The same of a timed queue: on the machine, commands may end later than on the host.
    times: SimulatedHistory,
}

/// As `History`, of simulated times.
#[derive(Default)]
struct SimulatedHistory {
    last: Option<Arc<SimulatedCommand>>,
    since: Vec<Arc<SimulatedCommand>>,
}

impl SimulatedHistory {
    /// Of those that are known only the latest is needed.
    fn forget(&mut self) {
        let latest = self.since.iter().filter(|time| time.end().is_some());
        let latest = latest.max_by_key(|time| time.end()).map(Arc::clone);
        self.since.retain(|time| time.end().is_none());
        self.since.extend(latest);
    }

    fn all(&self) -> impl Iterator<Item = &Arc<SimulatedCommand>> {
        self.last.iter().chain(&self.since)
    }

    /// A command is put into the queue: what of the queue it waits for.
    fn add(
        &mut self,
        time: &Arc<SimulatedCommand>,
        in_order: bool,
        order: Order,
        waits_for_all: bool,
    ) -> After {
        let mut after = After::new();
        if waits_for_all && !in_order {
            after.extend(self.since.drain(..));
        }
        after.extend(self.last.iter().map(Arc::clone));
        if in_order || order == Order::Barrier {
            // Commands a barrier did not wait for have still to be waited for by `finish`.
            let before = self.last.replace(Arc::clone(time));
            if !in_order && !waits_for_all {
                self.since.extend(before);
            }
        } else {
            if self.since.len() == self.since.capacity() {
                self.forget();
            }
            self.since.push(Arc::clone(time));
        }
        after
    }
}

impl History {
    /// Events that have not ended.
    fn outstanding(&mut self) -> Vec<Arc<Event>> {
        self.since.retain(|event| event.strong_count() > 0);
        let mut events: Vec<_> = self.last.upgrade().into_iter().collect();
        events.extend(self.since.iter().filter_map(Weak::upgrade));
        events.retain(|event| event.status().value() > 0);
        events
    }
}

impl CommandQueue {
    /// A queue on a device of the context.
    pub fn new(
        context: &Arc<Context>,
        device: &Arc<Device>,
        properties: QueueProperties,
    ) -> Arc<Self> {
        process_lifecycle::watch();
        let most = if properties.contains(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE) {
            host_threads::count().max(MIN_CONCURRENT_COMMANDS)
        } else {
            1
        };
        Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            device: Arc::clone(device),
            properties,
            history: Mutex::default(),
            ready: ReadyQueue::new(most),
            recorded: RecordId::default(),
        })
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// Its device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }
    /// Its properties.
    pub fn properties(&self) -> QueueProperties {
        self.properties
    }

    pub(crate) fn profiles(&self) -> bool {
        self.properties.contains(QueueProperties::PROFILING_ENABLE)
    }

    /// Whether commands are timed on the simulated machine.
    pub(crate) fn is_timed(&self) -> bool {
        (self.profiles() && ProfilingTime::get() == ProfilingTime::Machine) || recorder::is_on()
    }

    /// Its number in the recording.
    pub(crate) fn recorded(&self) -> &RecordId {
        &self.recorded
    }

    fn is_in_order(&self) -> bool {
        !self
            .properties
            .contains(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE)
    }

    /// Puts a command into the queue and returns at once.
    ///
    /// # Errors
    /// `InvalidContext` if queue, command's objects and wait list are not of one context;
    /// `ContextTerminatedKhr`; what checking the command finds.
    pub fn enqueue(
        self: &Arc<Self>,
        command: Command,
        wait_list: &[Arc<Event>],
    ) -> Result<Arc<Event>> {
        check_not_forked()?;
        let foreign = |context: &Arc<Context>| !Arc::ptr_eq(context, &self.context);
        if command.contexts().any(foreign) || wait_list.iter().any(|event| foreign(event.context()))
        {
            return Err(Error::new(
                Code::InvalidContext,
                "queue, objects and wait list are not all of one context",
            ));
        }
        self.context.check_not_terminated()?;
        let order = command.order();
        let command_type = command.command_type();
        let (body, launched) = command.begin(&self.device)?;
        let event = Event::of_command(self, command_type);
        if let Some(time) = event.time() {
            let waits_for = wait_list.iter().filter_map(|event| event.time());
            let waits_for = waits_for.map(|time| time.number());
            let record = PendingRecord::new(self, command_type.name(), waits_for, launched);
            time.state.lock().record = record;
        }
        let task = Task::new(Arc::clone(&event), body);
        self.context.admit(&task);
        for dependency in wait_list {
            if fault_injection::is_active(Defect::IgnoredWaitLists) {
                break;
            }
            dependency.add_dependent(&task, true);
        }
        let mut history = self.history.lock();
        let waits_for_all = order != Order::Command && wait_list.is_empty();
        if let Some(time) = event.time() {
            let in_order = self.is_in_order();
            let mut after = history.times.add(time, in_order, order, waits_for_all);
            let named = wait_list
                .iter()
                .filter_map(|event| event.time_to_wait_for());
            after.extend(named);
            simulated_schedule::enqueue(time, after);
        }
        if self.is_in_order() {
            // If it is in the wait list as well, that says more.
            let in_wait_list = |last: &Arc<Event>| {
                let same = |event: &Arc<Event>| Arc::ptr_eq(event, last);
                wait_list.iter().any(same) && !fault_injection::is_active(Defect::IgnoredWaitLists)
            };
            if let Some(last) = history.last.upgrade()
                && !in_wait_list(&last)
            {
                last.add_dependent(&task, false);
            }
            history.last = Arc::downgrade(&event);
        } else {
            if waits_for_all {
                for earlier in history.outstanding() {
                    earlier.add_dependent(&task, false);
                }
                // It stands for them: it ends when they all have.
                history.since.clear();
            } else if let Some(barrier) = history.last.upgrade() {
                barrier.add_dependent(&task, false);
            }
            if order == Order::Barrier {
                // Commands it did not wait for have still to be waited for by `finish`.
                if !waits_for_all && let Some(before) = history.last.upgrade() {
                    history.since.push(Arc::downgrade(&before));
                }
                history.last = Arc::downgrade(&event);
            } else {
                if history.since.len() == history.since.capacity() {
                    history.since.retain(|event| event.strong_count() > 0);
                }
                history.since.push(Arc::downgrade(&event));
            }
        }
        drop(history);
        task.all_known();
        Ok(event)
    }
    /// Hands all commands to the device.
    ///
    /// # Errors
    /// `OutOfResources` in a child of `fork`.
    pub fn flush(self: &Arc<Self>) -> Result<()> {
        // The worker is told of each command when it becomes ready.
        check_not_forked()
    }
    /// Waits until all commands have ended.
    ///
    /// # Errors
    /// `OutOfResources` in a child of `fork`; `InvalidOperation` in a native kernel of this queue.
    pub fn finish(self: &Arc<Self>) -> Result<()> {
        check_not_forked()?;
        if self.waits_for_itself(None) {
            return Err(Error::new(
                Code::InvalidOperation,
                "a native kernel waits for the end of its own queue, and so of itself",
            ));
        }
        let mut history = self.history.lock();
        let outstanding = history.outstanding();
        let times: Vec<_> = history.times.all().map(Arc::clone).collect();
        drop(history);
        for event in outstanding {
            event.wait_for_end();
        }
        for time in &times {
            simulated_schedule::observed_by_host(time);
        }
        Ok(())
    }

    /// Whether this thread can wait for a command that is put into the queue now.
    ///
    /// # Errors
    /// `InvalidOperation` in a native kernel of this queue, if the queue is in order.
    pub fn check_can_wait(&self) -> Result<()> {
        let in_order = !self
            .properties
            .contains(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        if in_order && self.waits_for_itself(None) {
            return Err(Error::new(
                Code::InvalidOperation,
                "a native kernel blocks until a later command of its own queue has ended",
            ));
        }
        Ok(())
    }

    /// As `ReadyQueue::waits_for_itself`.
    pub(crate) fn waits_for_itself(&self, event: Option<&Event>) -> bool {
        self.ready.waits_for_itself(event)
    }

    /// A command waits for nothing any more.
    pub(crate) fn make_ready(&self, task: Arc<Task>) {
        if process_lifecycle::forked() {
            return;
        }
        self.ready.add(task);
    }

    /// Lends this thread to the queue until `event` has ended or there is nothing for it to
    /// do; then watches for a short while whether the event ends.
    ///
    /// It runs no command that could be unrelated: that may last, or wait for what the host
    /// program does next.
    pub(crate) fn help_until(&self, event: &Event) {
        self.ready.help_until(event);
    }
}

/// Threads do not follow a `fork`.
fn check_not_forked() -> Result<()> {
    if process_lifecycle::forked() {
        return Err(Error::new(
            Code::OutOfResources,
            "the queue belongs to the parent of this process",
        ));
    }
    Ok(())
}

impl crate::handle_slot::HasHandle for CommandQueue {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ContextNotify;
    use crate::device::platform::Platform;
    use crate::event::ExecutionStatus;
    use crate::memory::mem_object::HostPointer;
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, mpsc};

    fn queue(properties: QueueProperties) -> Arc<CommandQueue> {
        let device = &Platform::get().devices()[0];
        let context = Context::new(vec![Arc::clone(device)], None).unwrap();
        CommandQueue::new(&context, device, properties)
    }

    fn command(body: impl FnOnce() + Send + 'static) -> Command {
        let body = move |_: &[HostPointer]| {
            body();
            Ok(())
        };
        Command::native(Vec::new(), Box::new(body))
    }

    #[test]
    fn a_panic_fails_the_command_and_the_queue_goes_on() {
        let device = &Platform::get().devices()[0];
        let (tell, told) = mpsc::channel();
        let notify: ContextNotify = Box::new(move |sentence| tell.send(sentence.into()).unwrap());
        let context = Context::new(vec![Arc::clone(device)], Some(notify)).unwrap();
        let queue = CommandQueue::new(&context, device, QueueProperties::empty());
        let bad = queue.enqueue(command(|| panic!("a test's")), &[]).unwrap();
        let (sender, receiver) = mpsc::channel();
        let good = queue
            .enqueue(command(move || sender.send(7).unwrap()), &[])
            .unwrap();
        assert_eq!(good.wait(), ExecutionStatus::Complete);
        assert_eq!(receiver.recv(), Ok(7));
        assert_eq!(
            bad.wait(),
            ExecutionStatus::Failed(Code::OutOfResources as i32)
        );
        let sentence: String = told.recv().unwrap();
        assert!(sentence.contains("internal error"), "{sentence}");
    }

    #[test]
    fn enqueuing_does_not_wait_and_the_worker_needs_no_flush() {
        let queue = queue(QueueProperties::empty());
        let (start, started) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        queue
            .enqueue(
                command(move || {
                    started.recv().unwrap();
                    end.send(()).unwrap();
                }),
                &[],
            )
            .unwrap();
        start.send(()).unwrap();
        ended.recv().unwrap();
        queue.finish().unwrap();
    }

    #[test]
    fn events_of_another_context_are_refused() {
        let (queue, other) = (
            queue(QueueProperties::empty()),
            queue(QueueProperties::empty()),
        );
        let foreign = Event::user(other.context());
        let error = queue.enqueue(Command::marker(), &[foreign]).err().unwrap();
        assert_eq!(error.code, Code::InvalidContext);
    }

    #[test]
    fn one_command_of_an_in_order_queue_runs_at_a_time() {
        let queue = queue(QueueProperties::empty());
        let (running, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let (running, done) = (Arc::clone(&running), Arc::clone(&done));
                        let body = move || {
                            assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                            running.fetch_sub(1, Ordering::SeqCst);
                            done.fetch_add(1, Ordering::SeqCst);
                        };
                        let event = queue.enqueue(command(body), &[]).unwrap();
                        assert_eq!(event.wait(), ExecutionStatus::Complete);
                    }
                });
            }
        });
        queue.finish().unwrap();
        assert_eq!(done.load(Ordering::SeqCst), 800);
    }

    #[test]
    fn independent_commands_of_an_out_of_order_queue_run_at_the_same_time() {
        let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        for _ in 0..50 {
            let meeting = Arc::new(Barrier::new(MIN_CONCURRENT_COMMANDS));
            for _ in 0..MIN_CONCURRENT_COMMANDS {
                let meeting = Arc::clone(&meeting);
                queue
                    .enqueue(command(move || _ = meeting.wait()), &[])
                    .unwrap();
            }
            queue.finish().unwrap();
        }
    }

    /// More native kernels wait than commands may run at the same time; what they wait
    /// for is behind them in the same queue.
    #[test]
    fn a_native_kernel_may_wait_for_commands_of_its_own_queue() {
        let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let gate = Event::user(queue.context());
        let opener = Arc::clone(&gate);
        for _ in 0..10 * MIN_CONCURRENT_COMMANDS.max(host_threads::count()) {
            let gate = Arc::clone(&gate);
            queue
                .enqueue(command(move || _ = gate.wait()), &[])
                .unwrap();
        }
        let open = move || opener.set_user_status(ExecutionStatus::Complete).unwrap();
        queue.enqueue(command(open), &[]).unwrap();
        queue.finish().unwrap();
    }

    #[test]
    fn a_native_kernel_that_waits_for_itself_gets_an_error() {
        let code = |result: Result<()>| result.map_err(|error| error.code).err();
        let both = [
            QueueProperties::empty(),
            QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE,
        ];
        for properties in both {
            let (queue, outer) = (queue(properties), queue(QueueProperties::empty()));
            let in_order = properties.is_empty();
            let (sender, receiver) = mpsc::channel();
            let own = Arc::clone(&queue);
            let waits = move || {
                let later = own.enqueue(Command::marker(), &[]).unwrap();
                let codes = (code(own.finish()), code(own.check_can_wait()));
                sender
                    .send((codes, in_order.then(|| later.wait())))
                    .unwrap();
            };
            // Run by a thread that is in the middle of another queue's command.
            let inner = Arc::clone(&queue);
            let nested = move || _ = inner.enqueue(command(waits), &[]).unwrap().wait();
            outer.enqueue(command(nested), &[]).unwrap().wait();
            let ((finish, can_wait), later) = receiver.recv().unwrap();
            assert_eq!(finish, Some(Code::InvalidOperation));
            assert_eq!(can_wait, in_order.then_some(Code::InvalidOperation));
            let failed = ExecutionStatus::Failed(Code::InvalidOperation as i32);
            assert_eq!(later, in_order.then_some(failed));
            queue.finish().unwrap();
        }
    }

    #[test]
    fn who_waits_for_one_command_runs_no_other() {
        let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        for _ in 0..200 {
            let (open, gate) = mpsc::channel();
            let last = queue
                .enqueue(command(move || gate.recv().unwrap()), &[])
                .unwrap();
            let other = queue.enqueue(command(|| ()), &[]).unwrap();
            assert_eq!(other.wait(), ExecutionStatus::Complete);
            open.send(()).unwrap();
            assert_eq!(last.wait(), ExecutionStatus::Complete);
        }
    }

    #[test]
    fn a_marker_stands_for_all_before_it() {
        let queue = queue(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let gate = Event::user(queue.context());
        let held = queue
            .enqueue(Command::marker(), std::slice::from_ref(&gate))
            .unwrap();
        let markers: Vec<_> = (0..10_000)
            .map(|_| queue.enqueue(Command::marker(), &[]).unwrap())
            .collect();
        let has_not_ended = |event: &Arc<Event>| event.status().value() > 0;
        assert!(markers.iter().all(has_not_ended));
        gate.set_user_status(ExecutionStatus::Complete).unwrap();
        queue.finish().unwrap();
        assert!(!has_not_ended(&held) && !markers.iter().any(has_not_ended));
    }

    #[test]
    fn a_released_user_event_still_holds_back_and_lets_go() {
        let queue = queue(QueueProperties::empty());
        let gate = Event::user(queue.context());
        let weak = Arc::downgrade(&gate);
        let mut chain = vec![queue.enqueue(Command::marker(), &[gate]).unwrap()];
        for _ in 0..10_000 {
            let before = chain[chain.len() - 1..].to_vec();
            chain.push(queue.enqueue(Command::marker(), &before).unwrap());
        }
        let last = chain.pop().unwrap();
        drop(chain);
        assert_eq!(last.status(), ExecutionStatus::Queued);
        let gate = weak.upgrade().expect("a command waits for it");
        gate.set_user_status(ExecutionStatus::Failed(-5)).unwrap();
        assert!(matches!(last.wait(), ExecutionStatus::Failed(_)));
        queue.finish().unwrap();
        drop(gate);
        while weak.strong_count() > 0 {
            std::thread::yield_now();
        }
    }

    /// Each callback waits for a later command of the same queue.
    #[test]
    fn callbacks_may_block() {
        let queue = queue(QueueProperties::empty());
        let (sender, receiver) = mpsc::channel();
        for number in 0..20 {
            let event = queue.enqueue(command(|| ()), &[]).unwrap();
            for threshold in [ExecutionStatus::Running, ExecutionStatus::Complete] {
                let (own, queue, sender) = (Arc::clone(&event), Arc::clone(&queue), sender.clone());
                let callback = move |told| {
                    own.wait();
                    queue.enqueue(command(|| ()), &[]).unwrap();
                    queue.finish().unwrap();
                    sender.send((number, told)).unwrap();
                };
                event.on_status(threshold, Box::new(callback));
            }
        }
        let mut told: HashMap<i32, Vec<ExecutionStatus>> = HashMap::new();
        for (number, status) in receiver.iter().take(40) {
            told.entry(number).or_default().push(status);
        }
        let expected = [ExecutionStatus::Running, ExecutionStatus::Complete];
        assert!(
            told.values().all(|statuses| *statuses == expected),
            "{told:?}"
        );
    }

    #[test]
    fn a_queue_and_its_events_end_when_nobody_holds_them() {
        let queue = queue(QueueProperties::empty());
        let weak = Arc::downgrade(&queue);
        let event = queue.enqueue(Command::marker(), &[]).unwrap();
        event.wait();
        drop((queue, event));
        // The worker may still be letting go.
        while weak.strong_count() > 0 {
            std::thread::yield_now();
        }
    }
}
