//! Command queues: one worker each; commands become ready when what they wait for
//! has completed. Threads that wait for a command run the queue's ready commands
//! themselves meanwhile, which spares short commands two changes of thread.

use crate::client::ClientSlot;
use crate::command::{Command, Order};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::event::Event;
use crate::task::Task;
use device_sim::process;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

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

/// How long a waiting thread looks again before it sleeps: about as long as waking
/// it up would take.
const LOOK_AGAIN: Duration = Duration::from_micros(10);

/// Workers run kernels, which may call library functions with large frames.
const WORKER_STACK_BYTES: usize = 8 << 20;

/// A command queue.
pub struct CommandQueue {
    client: ClientSlot,
    context: Arc<Context>,
    device: Arc<Device>,
    properties: QueueProperties,
    history: Mutex<History>,
    ready: Arc<Ready>,
}

/// Commands put in before that later ones may have to wait for. An event that is gone
/// has ended.
#[derive(Default)]
struct History {
    /// In order: the last command. Out of order: the last barrier.
    last: Weak<Event>,
    /// Out of order: all since that barrier.
    since: Vec<Weak<Event>>,
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

/// The commands that could run now. Shared with the worker, which outlives the queue
/// until it notices.
#[derive(Default)]
struct Ready {
    state: Mutex<ReadyState>,
    changed: Condvar,
}

#[derive(Default)]
struct ReadyState {
    tasks: VecDeque<Arc<Task>>,
    /// Some thread runs commands of this queue; no other may.
    running: bool,
    has_worker: bool,
    /// The queue is gone.
    closed: bool,
}

impl CommandQueue {
    /// A queue on a device of the context.
    ///
    /// # Errors
    /// None today.
    pub fn new(
        context: &Arc<Context>,
        device: &Arc<Device>,
        properties: QueueProperties,
    ) -> Result<Arc<Self>> {
        process::watch();
        Ok(Arc::new(Self {
            client: ClientSlot::default(),
            context: Arc::clone(context),
            device: Arc::clone(device),
            properties,
            history: Mutex::default(),
            ready: Arc::default(),
        }))
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

    /// Puts a command into the queue and returns at once.
    ///
    /// # Errors
    /// `InvalidContext` if queue, command's objects and wait list are not of one context;
    /// what checking the command finds.
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
        let order = command.order();
        let command_type = command.command_type();
        let body = command.begin()?;
        let event = Event::of_command(self, command_type);
        let task = Task::new(Arc::clone(&event), body);
        for dependency in wait_list {
            dependency.add_dependent(&task, true);
        }
        let mut history = self.history.lock();
        if !self
            .properties
            .contains(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE)
        {
            if let Some(last) = history.last.upgrade() {
                last.add_dependent(&task, false);
            }
            history.last = Arc::downgrade(&event);
        } else {
            let waits_for_all = order != Order::Command && wait_list.is_empty();
            if waits_for_all {
                for earlier in history.outstanding() {
                    earlier.add_dependent(&task, false);
                }
            } else if let Some(barrier) = history.last.upgrade() {
                barrier.add_dependent(&task, false);
            }
            if order == Order::Barrier {
                // Commands it did not wait for have still to be waited for by `finish`.
                if waits_for_all {
                    history.since.clear();
                } else if let Some(before) = history.last.upgrade() {
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
    /// `OutOfResources` in a child of `fork`.
    pub fn finish(self: &Arc<Self>) -> Result<()> {
        check_not_forked()?;
        let outstanding = self.history.lock().outstanding();
        for event in outstanding {
            event.wait();
        }
        Ok(())
    }

    /// A command waits for nothing any more.
    pub(crate) fn make_ready(&self, task: Arc<Task>) {
        if process::forked() {
            return;
        }
        let mut state = self.ready.state.lock();
        state.tasks.push_back(task);
        if state.running {
            return;
        }
        if state.has_worker {
            self.ready.changed.notify_one();
            return;
        }
        state.has_worker = true;
        drop(state);
        let ready = Arc::clone(&self.ready);
        let started = std::thread::Builder::new()
            .name("mocl3-queue".into())
            .stack_size(WORKER_STACK_BYTES)
            .spawn(move || ready.work());
        if let Err(error) = started {
            // Whoever waits for the commands runs them.
            log::warn!("no thread for a command queue: {error}");
            self.ready.state.lock().has_worker = false;
        }
    }

    /// Runs ready commands until `done`, then, if another thread runs them, watches
    /// for a short while whether it gets done.
    pub(crate) fn run_ready(&self, done: impl Fn() -> bool) {
        let mut watching_since = None;
        while !done() {
            if self.ready.run(&done) {
                watching_since = None;
                continue;
            }
            let since = *watching_since.get_or_insert_with(Instant::now);
            if since.elapsed() > LOOK_AGAIN {
                return;
            }
            std::hint::spin_loop();
        }
    }
}

impl Ready {
    /// Runs ready commands until there are none or `done`. False if it ran none.
    fn run(&self, done: &dyn Fn() -> bool) -> bool {
        let mut state = self.state.lock();
        if state.running || state.tasks.is_empty() {
            return false;
        }
        state.running = true;
        while let Some(task) = state.tasks.pop_front() {
            drop(state);
            task.run();
            // Dropping the last reference to a queue locks `state`.
            drop(task);
            let stop = done();
            state = self.state.lock();
            if stop {
                break;
            }
        }
        state.running = false;
        if !state.tasks.is_empty() {
            self.changed.notify_one();
        }
        true
    }

    /// What the worker does.
    fn work(&self) {
        loop {
            let mut state = self.state.lock();
            while (state.running || state.tasks.is_empty()) && !state.closed {
                self.changed.wait(&mut state);
            }
            if state.closed && state.tasks.is_empty() {
                return;
            }
            drop(state);
            self.run(&|| false);
        }
    }
}

impl Drop for CommandQueue {
    fn drop(&mut self) {
        // After `fork`, the memory of whoever waits here may be gone.
        if process::forked() {
            return;
        }
        self.ready.state.lock().closed = true;
        self.ready.changed.notify_one();
    }
}

/// Threads do not follow a `fork`.
fn check_not_forked() -> Result<()> {
    if process::forked() {
        return Err(Error::new(
            Code::OutOfResources,
            "the queue belongs to the parent of this process",
        ));
    }
    Ok(())
}

impl crate::client::ClientObject for CommandQueue {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::ExecutionStatus;
    use crate::platform::Platform;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    fn queue(properties: QueueProperties) -> Arc<CommandQueue> {
        let device = &Platform::get().devices()[0];
        let context = Context::new(vec![Arc::clone(device)], None).unwrap();
        CommandQueue::new(&context, device, properties).unwrap()
    }

    fn command(body: impl FnOnce() + Send + 'static) -> Command {
        Command::native(Vec::new(), Box::new(move |_| body()))
    }

    #[test]
    fn a_panic_fails_the_command_and_the_queue_goes_on() {
        let queue = queue(QueueProperties::empty());
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
    fn one_command_of_a_queue_runs_at_a_time() {
        for properties in [
            QueueProperties::empty(),
            QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE,
        ] {
            let queue = queue(properties);
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
