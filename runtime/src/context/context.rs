//! The context object: devices that share memory objects, programs and events.

use crate::context::termination::{self, Terminable, Termination};
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::execution::callbacks;
use crate::handle_slot::HandleSlot;
use host_exec::device_memory::DeviceMemory;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The context's error callback (`pfn_notify`, OpenCL 1.2, 4.4), called with an English sentence.
pub type ContextNotify = Box<dyn Fn(&str) + Send + Sync>;

bitflags::bitflags! {
    /// `cl_context_memory_initialize_khr` (cl_khr_initialize_memory): memory that is zero when
    /// a kernel begins.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct MemoryInitialisation: u64 {
        /// `CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR`
        const LOCAL = 1;
        /// `CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR`
        const PRIVATE = 2;
    }
}

/// Optional properties of a new context.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContextSettings {
    /// Memory that is zero when a kernel begins.
    pub initialised: MemoryInitialisation,
    /// `CL_CONTEXT_TERMINATE_KHR` (cl_khr_terminate_context).
    pub terminable: bool,
}

/// A context.
///
/// ```
/// use runtime::context::Context;
/// use runtime::device::platform::Platform;
/// use std::sync::Arc;
///
/// let devices = Platform::get().devices();
/// let context = Context::new(vec![Arc::clone(&devices[0])], None)?;
/// assert!(context.contains(&devices[0]));
/// assert!(!context.contains(&devices[1]));
/// # Ok::<(), runtime::error::Error>(())
/// ```
pub struct Context {
    handle: HandleSlot,
    node: usize,
    devices: Vec<Arc<Device>>,
    memories: Vec<Arc<DeviceMemory>>,
    notify: Option<ContextNotify>,
    initialised: MemoryInitialisation,
    termination: Option<Termination>,
}

impl Context {
    /// A context over devices (non-empty, duplicates removed).
    ///
    /// # Errors
    /// As `with_settings`.
    pub fn new(devices: Vec<Arc<Device>>, notify: Option<ContextNotify>) -> Result<Arc<Self>> {
        Self::with_settings(devices, notify, ContextSettings::default())
    }
    /// As `new`, with optional properties.
    ///
    /// # Errors
    /// `InvalidDevice`: the devices are of different platforms.
    pub fn with_settings(
        devices: Vec<Arc<Device>>,
        notify: Option<ContextNotify>,
        settings: ContextSettings,
    ) -> Result<Arc<Self>> {
        let node = devices.first().map_or(0, |device| device.node());
        if devices.iter().any(|device| device.node() != node) {
            return Err(Error::new(
                Code::InvalidDevice,
                "the devices are not all of one platform",
            ));
        }
        let mut memories: Vec<Arc<DeviceMemory>> = Vec::new();
        for device in &devices {
            let memory = device.memory();
            if !memories.iter().any(|known| Arc::ptr_eq(known, memory)) {
                memories.push(Arc::clone(memory));
            }
        }
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            node,
            devices,
            memories,
            notify,
            initialised: settings.initialised,
            termination: settings.terminable.then(Termination::default),
        }))
    }
    /// The node that its devices are part of.
    pub fn node(&self) -> usize {
        self.node
    }
    /// Its devices, in the order given.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }
    /// The memories that hold its objects. Sub-devices of a cluster share one entry.
    pub(crate) fn memories(&self) -> &[Arc<DeviceMemory>] {
        &self.memories
    }
    /// # Errors
    /// `InvalidOperation`: no device supports images.
    pub fn check_supports_images(&self) -> Result<()> {
        if self.devices.iter().any(|device| device.supports_images()) {
            return Ok(());
        }
        Err(Error::new(
            Code::InvalidOperation,
            "no device of the context supports images",
        ))
    }
    /// Whether `device` is one of the context's devices.
    pub fn contains(&self, device: &Arc<Device>) -> bool {
        self.devices().iter().any(|d| Arc::ptr_eq(d, device))
    }
    /// Whether that memory is zero when a kernel begins.
    pub fn initialises(&self, memory: MemoryInitialisation) -> bool {
        self.initialised.contains(memory)
    }
    /// Ends all its commands, refuses new commands and objects, and calls the error callback.
    ///
    /// # Errors
    /// `InvalidOperation`: it was created without `CL_CONTEXT_TERMINATE_KHR`.
    /// `ContextTerminatedKhr`: it has been terminated before.
    pub fn terminate(self: &Arc<Self>) -> Result<()> {
        let Some(termination) = &self.termination else {
            return Err(Error::new(
                Code::InvalidOperation,
                "the context was not created with CL_CONTEXT_TERMINATE_KHR",
            ));
        };
        if !termination.terminate() {
            return Err(termination::refusal());
        }
        let context = Arc::clone(self);
        callbacks::call(move || context.notify("the context has been terminated"));
        Ok(())
    }
    /// # Errors
    /// `ContextTerminatedKhr`: new objects and commands are refused.
    pub fn check_not_terminated(&self) -> Result<()> {
        if self.is_terminated() {
            return Err(termination::refusal());
        }
        Ok(())
    }
    pub(crate) fn is_terminated(&self) -> bool {
        self.termination
            .as_ref()
            .is_some_and(Termination::has_happened)
    }
    /// Registers a command of one of its queues, to be ended if the context is terminated.
    pub(crate) fn register_command(&self, command: &Arc<impl Terminable + 'static>) {
        if let Some(termination) = &self.termination {
            termination.register(command);
        }
    }
    /// The flag that launches poll between work-groups; none if it cannot be terminated.
    pub(crate) fn termination_flag(&self) -> Option<&AtomicBool> {
        self.termination.as_ref().map(Termination::flag)
    }
    /// Calls the error callback, if the context has one.
    pub fn notify(&self, sentence: &str) {
        if let Some(notify) = &self.notify {
            notify(sentence);
        }
    }
}

impl crate::handle_slot::HasHandle for Context {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
