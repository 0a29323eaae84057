//! The command-queue object: admits commands and orders them after the commands that they depend
//! on. Commands whose dependencies have ended go to the `ReadyQueue`.

use crate::command::{AccessedRegion, Command, Order};
use crate::context::Context;
use crate::device::Device;
use crate::device::platform::Platform;
use crate::error::{Code, Error, Result};
use crate::event::{CommandType, Event, OwnerQueue};
use crate::execution::ready_queue::ReadyQueue;
use crate::fault;
use crate::handle_slot::{HandleSlot, HasHandle};
use crate::kernel::LaunchTarget;
use crate::queue::dependency_tracker::{DependencyTracker, Tracked};
use crate::queue::inspection::InspectedQueue;
use crate::queue::region_tracker::{RegionTracker, TrackedTask};
use crate::queue::shared_launches;
use crate::queue::task::Task;
use crate::recording::command_record::{PendingRecord, RecordedLaunch, RecordedQueue};
use crate::recording::record_id::RecordId;
use crate::recording::recorder;
use crate::time::profiling_source::ProfilingSource;
use crate::time::simulated_command::{ChainLink, CommandKind, Dependencies, SimulatedCommand};
use crate::time::simulated_schedule;
use host_exec::{host_threads, process_lifecycle};
use parking_lot::Mutex;
use std::any::Any;
use std::sync::atomic::AtomicU64;
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

/// Commands that an out-of-order queue executes at the same time on a host with few processors:
/// some wait for the host's memory or in a native kernel.
const MIN_CONCURRENT_COMMANDS: usize = 4;

/// A command queue.
///
/// ```
/// use runtime::command::Command;
/// use runtime::context::Context;
/// use runtime::device::platform::Platform;
/// use runtime::event::ExecutionStatus;
/// use runtime::queue::{CommandQueue, QueueProperties};
/// use std::sync::Arc;
///
/// let device = &Platform::get().devices()[0];
/// let context = Context::new(vec![Arc::clone(device)], None)?;
/// let queue = CommandQueue::new(&context, device, QueueProperties::empty());
/// let marker = queue.enqueue(Command::marker(), &[])?;
/// queue.finish()?;
/// assert_eq!(marker.status(), ExecutionStatus::Complete);
/// # Ok::<(), runtime::error::Error>(())
/// ```
pub struct CommandQueue {
    handle: HandleSlot,
    context: Arc<Context>,
    device: Arc<Device>,
    properties: QueueProperties,
    history: Mutex<History>,
    ready: Arc<ReadyQueue>,
    record_id: RecordId,
    /// What debuggers see of it; none if there is no debugger.
    inspected: Option<Arc<InspectedQueue>>,
}

/// Enqueued commands that later ones may depend on. The two orders differ in which commands have
/// ended: a command may end later on the machine than on the host.
struct History {
    /// Order of execution on the host.
    host: DependencyTracker<Weak<Event>>,
    /// Order on the simulated machine; it contains timed commands only.
    simulated: DependencyTracker<Arc<SimulatedCommand>>,
    /// Order of tasks by what they access, in both.
    regions: RegionTracker,
}

/// Commands whose events are dropped have ended.
impl Tracked for Weak<Event> {
    fn prune(events: &mut Vec<Self>) {
        events.retain(|event| event.strong_count() > 0);
    }
}

/// Of the commands whose END times are known, only the one with the latest is needed.
impl Tracked for Arc<SimulatedCommand> {
    fn prune(commands: &mut Vec<Self>) {
        let ended = commands.iter().filter(|command| command.end().is_some());
        let latest = ended.max_by_key(|command| command.end()).map(Arc::clone);
        commands.retain(|command| command.end().is_none());
        commands.extend(latest);
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
        let in_order = !properties.contains(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let max_concurrent = if in_order {
            1
        } else {
            host_threads::count().max(MIN_CONCURRENT_COMMANDS)
        };
        Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            device: Arc::clone(device),
            properties,
            history: Mutex::new(History {
                host: DependencyTracker::new(in_order),
                simulated: DependencyTracker::new(in_order),
                regions: RegionTracker::default(),
            }),
            ready: ReadyQueue::new(max_concurrent),
            record_id: RecordId::default(),
            inspected: InspectedQueue::new(device.index(), in_order),
        })
    }
    /// The queue of an event's command; none for user events.
    pub fn of_event(event: &Event) -> Option<Arc<Self>> {
        let queue: Arc<dyn Any + Send + Sync> = event.owner_queue()?.clone();
        queue.downcast().ok()
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
    /// The target of launches on this queue.
    pub fn launch_target(&self) -> LaunchTarget<'_> {
        LaunchTarget {
            context: &self.context,
            device: &self.device,
            timed: self.is_timed(),
        }
    }

    /// Whether commands are timed on the simulated machine.
    fn is_timed(&self) -> bool {
        (self.profiles() && ProfilingSource::get() == ProfilingSource::Machine)
            || recorder::is_on()
            || simulated_schedule::has_external_clock(self.context.node())
    }

    fn is_in_order(&self) -> bool {
        !self
            .properties
            .contains(QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE)
    }

    /// Whether tasks wait for earlier ones that access the same memory, as the task scheduler of a custom
    /// device requires.
    fn orders_by_regions(&self) -> bool {
        !self.is_in_order() && self.device.accelerators().is_some()
    }

    /// Enqueues a command and returns without waiting for it.
    ///
    /// # Errors
    /// `InvalidContext`: queue, objects and wait list are not of one context.
    /// `ContextTerminatedKhr`. Errors of the command's own checks at enqueuing.
    pub fn enqueue(
        self: &Arc<Self>,
        command: Command,
        wait_list: &[Arc<Event>],
    ) -> Result<Arc<Event>> {
        self.check_enqueue(&command, wait_list)?;
        self.enqueue_checked(command, wait_list, None)
    }

    /// Enqueues tasks as a chain: each waits for the one before, and the task queue manager of a custom device
    /// keeps their results for the next one. All have ended when the last has, whose event is returned.
    ///
    /// # Errors
    /// Those of `enqueue`, before anything is enqueued. `InvalidOperation`: the device is no custom device.
    /// `InvalidValue`: there is no task.
    pub fn enqueue_chain(
        self: &Arc<Self>,
        tasks: Vec<Command>,
        priority: i32,
        wait_list: &[Arc<Event>],
    ) -> Result<Arc<Event>> {
        if self.device.accelerators().is_none() {
            let sentence = "the device of the queue is no custom device";
            return Err(Error::new(Code::InvalidOperation, sentence));
        }
        for task in &tasks {
            self.check_enqueue(task, wait_list)?;
        }
        let count = tasks.len();
        let mut last: Option<Arc<Event>> = None;
        for (place, task) in tasks.into_iter().enumerate() {
            let before = last.as_ref().and_then(|event| event.simulated());
            let link = Box::new(ChainLink {
                before: before.map(Arc::clone),
                is_followed: place + 1 < count,
                priority,
            });
            let waits_for = last.as_ref().map_or(wait_list, std::slice::from_ref);
            last = Some(self.enqueue_checked(task, waits_for, Some(link))?);
        }
        last.ok_or_else(|| Error::new(Code::InvalidValue, "the chain has no task"))
    }

    fn enqueue_checked(
        self: &Arc<Self>,
        mut command: Command,
        wait_list: &[Arc<Event>],
        chain: Option<Box<ChainLink>>,
    ) -> Result<Arc<Event>> {
        let order = command.order();
        let command_type = command.command_type();
        let is_short = command.is_short();
        let sharing = command.take_sharing();
        let name = self.inspected.is_some().then(|| command.name());
        let regions = match self.orders_by_regions() {
            true => command.regions(),
            false => Vec::new(),
        };
        let (body, launch) = command.begin(&self.device)?;
        let simulated = self.is_timed().then(|| {
            let kind = match command_type {
                CommandType::NativeKernel => CommandKind::Native,
                _ => CommandKind::Device,
            };
            SimulatedCommand::timed(kind, &self.device)
        });
        if let Some(simulated) = &simulated {
            let mut state = simulated.state.lock();
            state.record = self.record(command_type, wait_list, launch);
            state.chain = chain;
        }
        let queue: Arc<dyn OwnerQueue> = self.clone();
        let event = Event::of_command(&self.context, queue, command_type, simulated);
        if let (Some(inspected), Some(name)) = (&self.inspected, name) {
            inspected.add(&event, name);
        }
        let task = Task::new(Arc::clone(&event), body);
        self.context.register_command(&task);
        if fault::wait_lists_are_respected() {
            for dependency in wait_list {
                task.wait_for(dependency, true);
            }
        }
        self.add_to_history(&task, &event, (order, regions), wait_list);
        if matches!(command_type, CommandType::NdRangeKernel | CommandType::Task)
            && let Some(provider) = shared_launches::enqueued(sharing.as_deref(), &event)
        {
            task.wait_for(&provider, false);
        }
        task.all_dependencies_known(is_short);
        Ok(event)
    }

    fn check_enqueue(&self, command: &Command, wait_list: &[Arc<Event>]) -> Result<()> {
        check_not_forked()?;
        let is_foreign = |context: &Arc<Context>| !Arc::ptr_eq(context, &self.context);
        let mut contexts = wait_list.iter().map(|event| event.context());
        if command.contexts().any(is_foreign) || contexts.any(is_foreign) {
            return Err(Error::new(
                Code::InvalidContext,
                "queue, objects and wait list are not all of one context",
            ));
        }
        command.check_device(&self.device)?;
        self.context.check_not_terminated()
    }

    /// The record of a command; none if the process is not recorded.
    fn record(
        &self,
        command_type: CommandType,
        wait_list: &[Arc<Event>],
        launch: Option<Box<RecordedLaunch>>,
    ) -> Option<PendingRecord> {
        static QUEUES: AtomicU64 = AtomicU64::new(0);
        if !recorder::is_on() {
            return None;
        }
        let queue = RecordedQueue {
            number: self.record_id.number(&QUEUES),
            in_order: self.is_in_order(),
            device: Platform::position_of(&self.device),
            first_array: self.device.arrays().numbers().start,
            arrays: self.device.compute_units(),
        };
        let waits_for = wait_list.iter().filter_map(|event| event.simulated());
        let waits_for = waits_for.map(|simulated| simulated.number());
        Some(PendingRecord::new(
            &queue,
            command_type.name(),
            waits_for,
            launch,
        ))
    }

    /// Orders a command after those of the queue that it depends on.
    fn add_to_history(
        &self,
        task: &Arc<Task>,
        event: &Arc<Event>,
        (order, regions): (Order, Vec<AccessedRegion>),
        wait_list: &[Arc<Event>],
    ) {
        let waits_for_all = order != Order::Command && wait_list.is_empty();
        let mut history = self.history.lock();
        let tracked = TrackedTask {
            event: Arc::downgrade(event),
            simulated: event.simulated().map(Arc::clone),
        };
        let conflicting = history.regions.add(regions, tracked);
        if let Some(simulated) = event.simulated() {
            let command = Arc::clone(simulated);
            let mut dependencies: Dependencies =
                history.simulated.add(command, order, waits_for_all);
            let named = wait_list.iter();
            dependencies.extend(named.filter_map(|event| event.simulated_dependency()));
            dependencies.extend(conflicting.iter().filter_map(|one| one.simulated.clone()));
            simulated_schedule::enqueue(simulated, dependencies);
        }
        let dependencies = history
            .host
            .add(Arc::downgrade(event), order, waits_for_all);
        let conflicting = conflicting.iter().map(|one| &one.event);
        let dependencies = dependencies.iter().chain(conflicting);
        for dependency in dependencies.filter_map(Weak::upgrade) {
            // As an event of the wait list it is a dependency already.
            let is_known = fault::wait_lists_are_respected()
                && wait_list
                    .iter()
                    .any(|event| Arc::ptr_eq(event, &dependency));
            if !is_known {
                task.wait_for(&dependency, false);
            }
        }
    }
    /// `clFlush`. Commands are handed to the device as soon as they are ready, so there is nothing
    /// to do.
    ///
    /// # Errors
    /// `OutOfResources` in a child of `fork`.
    pub fn flush(&self) -> Result<()> {
        check_not_forked()
    }
    /// Waits until all commands have ended.
    ///
    /// # Errors
    /// `OutOfResources` in a child of `fork`; `InvalidOperation` in a native kernel of this queue.
    pub fn finish(&self) -> Result<()> {
        check_not_forked()?;
        if self.ready.waits_for_itself(None) {
            return Err(Error::new(
                Code::InvalidOperation,
                "a native kernel waits for the end of its own queue, and so of itself",
            ));
        }
        let history = self.history.lock();
        let events: Vec<_> = history
            .host
            .outstanding()
            .filter_map(Weak::upgrade)
            .collect();
        let simulated: Vec<_> = history.simulated.outstanding().map(Arc::clone).collect();
        drop(history);
        for event in events {
            event.wait_for_end();
        }
        for command in &simulated {
            simulated_schedule::observed_by_host(command);
        }
        Ok(())
    }

    /// Checks that this thread can wait for a command that is enqueued now.
    ///
    /// # Errors
    /// `InvalidOperation` in a native kernel of this queue, if the queue is in order.
    pub fn check_can_wait(&self) -> Result<()> {
        if self.is_in_order() && self.ready.waits_for_itself(None) {
            return Err(Error::new(
                Code::InvalidOperation,
                "a native kernel blocks until a later command of its own queue has ended",
            ));
        }
        Ok(())
    }
}

/// Threads do not survive a `fork`.
fn check_not_forked() -> Result<()> {
    if process_lifecycle::forked() {
        return Err(Error::new(
            Code::OutOfResources,
            "the queue belongs to the parent of this process",
        ));
    }
    Ok(())
}

impl OwnerQueue for CommandQueue {
    fn ready_queue(&self) -> &Arc<ReadyQueue> {
        &self.ready
    }

    fn profiles(&self) -> bool {
        self.properties.contains(QueueProperties::PROFILING_ENABLE)
    }
}

impl HasHandle for CommandQueue {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}

#[cfg(test)]
mod tests;
