//! The command: a checked operation that a queue can execute.

use crate::check;
use crate::check::mapped::MappedAccess;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::kernel::Sharing;
use crate::memory::copy_endpoint::CopyEndpoint;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::{MemoryAccess, MemoryAccesses, migrate_in};
use crate::memory::missing_results;
use crate::memory::residency::AccessKind;
use crate::memory::transfer::MemoryLocation;
use crate::recording::command_record::RecordedLaunch;
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// The execution of a command on a host thread.
pub(crate) type Body = Box<dyn FnOnce() -> Result<CommandWork> + Send>;

/// Contexts of a command's objects, mostly few.
type Contexts = SmallVec<[Arc<Context>; 2]>;

/// A part of a memory object that a command accesses.
#[derive(Clone, Debug)]
pub(crate) struct AccessedRegion {
    /// Identifies the data store, which objects may share, while the command has not ended.
    store: usize,
    bytes: Range<usize>,
    writes: bool,
}

impl AccessedRegion {
    /// An access to bytes of the data store with that identity.
    pub fn new(store: usize, bytes: Range<usize>, writes: bool) -> Self {
        Self {
            store,
            bytes,
            writes,
        }
    }

    fn of(access: &MemoryAccess) -> Self {
        let store = std::ptr::from_ref(access.object.residency()).addr();
        let bytes = access.accessed.range.clone();
        Self::new(store, bytes, access.kind != AccessKind::Read)
    }

    /// Whether it writes all that the other accesses.
    pub fn overwrites(&self, other: &Self) -> bool {
        self.writes
            && self.store == other.store
            && self.bytes.start <= other.bytes.start
            && other.bytes.end <= self.bytes.end
    }

    /// Whether one writes what the other accesses.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        (self.writes || other.writes)
            && self.store == other.store
            && self.bytes.start.max(other.bytes.start) < self.bytes.end.min(other.bytes.end)
    }
}

/// The order of a command among the others of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Waits for its wait list.
    Command,
    /// With an empty wait list it waits for all earlier commands.
    Marker,
    /// As `Marker`, and later commands wait for it.
    Barrier,
}

/// A checked command, to be enqueued.
pub struct Command {
    command_type: CommandType,
    order: Order,
    contexts: Contexts,
    /// Its accesses to memory objects, unless the body migrates these itself.
    accesses: MemoryAccesses,
    /// Whether the accesses are made at the host instead of the queue's device.
    at_host: bool,
    /// Whether it is expected to take less time than handing it to another thread.
    is_short: bool,
    /// Called when the command is enqueued.
    on_enqueue: Option<Box<dyn FnOnce() -> Result<()>>>,
    body: Body,
    launch: Option<Box<RecordedLaunch>>,
    /// How a launch shares its time.
    sharing: Option<Arc<Sharing>>,
    /// What it does, for debuggers; empty if its type says it.
    details: String,
}

impl Command {
    pub(super) fn new(
        command_type: CommandType,
        contexts: impl IntoIterator<Item = Arc<Context>>,
        body: impl FnOnce() -> Result<CommandWork> + Send + 'static,
    ) -> Self {
        Self::with_body(command_type, contexts, Box::new(body))
    }

    pub(super) fn with_body(
        command_type: CommandType,
        contexts: impl IntoIterator<Item = Arc<Context>>,
        body: Body,
    ) -> Self {
        Self {
            command_type,
            order: Order::Command,
            contexts: contexts.into_iter().collect(),
            accesses: MemoryAccesses::new(),
            at_host: false,
            is_short: false,
            on_enqueue: None,
            body,
            launch: None,
            sharing: None,
            details: String::new(),
        }
    }

    /// Copies a region (bytes, rows, slices) that is within both endpoints.
    pub(super) fn transfer(
        command_type: CommandType,
        from: CopyEndpoint,
        to: CopyEndpoint,
        region: [usize; 3],
    ) -> Self {
        let (reads, writes, kind) = match (from.is_host_memory(), to.is_host_memory()) {
            (false, true) => (AccessKind::Export, AccessKind::Overwrite, HostCommand::Read),
            (true, false) => (AccessKind::Read, AccessKind::Import, HostCommand::Write),
            _ => (AccessKind::Read, AccessKind::Overwrite, HostCommand::Copy),
        };
        let accesses: MemoryAccesses = [from.access(region, reads), to.access(region, writes)]
            .into_iter()
            .flatten()
            .collect();
        let contexts: Contexts = accesses
            .iter()
            .map(|access| Arc::clone(access.object.context()))
            .collect();
        let transfer = HostTransfer::on_region(kind, region);
        Self::new(command_type, contexts, move || {
            // SAFETY: the region is within both endpoints, whose objects are alive; the host
            // program vouches for its memory (OpenCL 1.2, 5.2.2 to 5.3.4). It may pass memory of
            // the object itself (USE_HOST_PTR), so the two may be the same.
            unsafe { from.copy_to(&to, region) };
            Ok(CommandWork::by_host(transfer))
        })
        .accessing(accesses)
    }

    /// Adds accesses to memory objects at the queue's device.
    pub(super) fn accessing(mut self, accesses: impl IntoIterator<Item = MemoryAccess>) -> Self {
        self.accesses.extend(accesses);
        self
    }

    /// Makes the accesses at the host.
    pub(super) fn at_host(mut self) -> Self {
        self.at_host = true;
        self
    }

    /// Sets that it is expected to take less time than handing it to another thread.
    pub(super) fn short(mut self) -> Self {
        self.is_short = true;
        self
    }

    /// Sets an action for the time of enqueuing. If it fails, the command is not enqueued.
    pub(super) fn on_enqueue(mut self, action: impl FnOnce() -> Result<()> + 'static) -> Self {
        self.on_enqueue = Some(Box::new(action));
        self
    }

    /// Sets the order among the others of its queue.
    pub(super) fn ordered_as(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Sets the record of its launch.
    pub(super) fn recorded_as(mut self, launch: Option<Box<RecordedLaunch>>) -> Self {
        self.launch = launch;
        self
    }

    /// Sets how a launch shares its time.
    pub(super) fn sharing(mut self, sharing: Option<Arc<Sharing>>) -> Self {
        self.sharing = sharing;
        self
    }

    /// Sets what it does, for debuggers.
    pub(super) fn with_details(mut self, details: String) -> Self {
        self.details = details;
        self
    }

    /// Its type and what it does.
    pub(crate) fn name(&self) -> String {
        match self.details.as_str() {
            "" => self.command_type.name().to_owned(),
            details => format!("{} {details}", self.command_type.name()),
        }
    }

    pub(crate) fn command_type(&self) -> CommandType {
        self.command_type
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Whether it is expected to take less time than handing it to another thread.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short
    }

    /// Takes how a launch shares its time.
    pub(crate) fn take_sharing(&mut self) -> Option<Arc<Sharing>> {
        self.sharing.take()
    }

    /// The parts of memory objects that a launch accesses; none of other commands.
    pub(crate) fn regions(&self) -> Vec<AccessedRegion> {
        match self.command_type {
            CommandType::NdRangeKernel | CommandType::Task => {
                self.accesses.iter().map(AccessedRegion::of).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Checks that a device can execute it.
    ///
    /// # Errors
    /// `InvalidOperation`: images, or native kernels, which the device does not support.
    pub(crate) fn check_device(&self, device: &Device) -> Result<()> {
        let is_image = |access: &MemoryAccess| matches!(access.object, MemObject::Image(_));
        let what = match self.command_type {
            CommandType::NativeKernel if !device.is_programmable() => "native kernels",
            _ if !device.supports_images() && self.accesses.iter().any(is_image) => "images",
            _ => return Ok(()),
        };
        Err(Error::new(
            Code::InvalidOperation,
            format!("the queue's device does not support {what}"),
        ))
    }

    /// Contexts of its objects.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = &Arc<Context>> {
        self.contexts.iter()
    }

    /// Begins the command, which is being enqueued on a queue of the device. Returns its execution
    /// and the record of its launch.
    ///
    /// # Errors
    /// Errors of the action set by `on_enqueue`.
    pub(crate) fn begin(self, device: &Device) -> Result<(Body, Option<Box<RecordedLaunch>>)> {
        if let Some(on_enqueue) = self.on_enqueue {
            on_enqueue()?;
        }
        if self.accesses.is_empty() {
            return Ok((self.body, self.launch));
        }
        let location = if self.at_host {
            MemoryLocation::Host
        } else {
            MemoryLocation::of_device(device)
        };
        let (accesses, body) = (self.accesses, self.body);
        let command_type = self.command_type;
        let body = Box::new(move || {
            if check::follows_mappings() {
                report_mapped(command_type, &accesses);
            }
            let moved = migrate_in(&accesses, location);
            missing_results::pass_on(&accesses);
            // The objects are released before other threads can see the command's end.
            drop(accesses);
            Ok(CommandWork { moved, ..body()? })
        });
        Ok((body, self.launch))
    }
}

/// Reports the accesses of a command to objects that are mapped. What native kernels access is not
/// known; maps and migrations access nothing.
fn report_mapped(command_type: CommandType, accesses: &MemoryAccesses) {
    use CommandType::{MapBuffer, MapImage, MigrateMemObjects, NativeKernel};
    if matches!(
        command_type,
        MapBuffer | MapImage | MigrateMemObjects | NativeKernel
    ) {
        return;
    }
    // Functions have the names of their commands.
    let function = match command_type {
        CommandType::NdRangeKernel => "clEnqueueNDRangeKernel".to_owned(),
        other => format!("clEnqueue{other:?}"),
    };
    for access in accesses {
        let writes = !matches!(access.kind, AccessKind::Read | AccessKind::Export);
        let object = &access.object;
        if let Some(part) = object.conflicting_mapping(writes) {
            let what = match object {
                MemObject::Buffer(_) => "a buffer",
                MemObject::Image(_) => "an image",
            };
            let access = MappedAccess {
                writes,
                mapped: part.bytes,
                for_writing: part.for_writing,
            };
            check::mapped::of_command(object.context(), &function, what, object.size(), &access);
        }
    }
}
