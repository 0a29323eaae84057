//! Contexts.

use crate::context::termination::{self, Termination};
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::execution::callbacks;
use crate::handle_slot::HandleSlot;
use crate::queue::task::Task;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Called with a sentence when something goes wrong that no return code tells (OpenCL 1.2, 4.4).
pub type ContextNotify = Box<dyn Fn(&str) + Send + Sync>;

bitflags::bitflags! {
    /// `cl_context_memory_initialize_khr` (cl_khr_initialize_memory): which memory holds
    /// zeros when a kernel begins.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct MemoryInitialisation: u64 {
        /// `CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR`
        const LOCAL = 1;
        /// `CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR`
        const PRIVATE = 2;
    }
}

/// What a context can be asked for when it is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContextSettings {
    /// Which memory holds zeros when a kernel begins.
    pub initialised: MemoryInitialisation,
    /// `CL_CONTEXT_TERMINATE_KHR` (cl_khr_terminate_context).
    pub terminable: bool,
}

/// Devices that share objects.
pub struct Context {
    handle: HandleSlot,
    devices: Vec<Arc<Device>>,
    clusters: Vec<Arc<host_exec::cluster_executor::ClusterExecutor>>,
    notify: Option<ContextNotify>,
    initialised: MemoryInitialisation,
    termination: Option<Termination>,
}

impl Context {
    /// A context over devices (non-empty, duplicates removed).
    ///
    /// # Errors
    /// None today.
    pub fn new(devices: Vec<Arc<Device>>, notify: Option<ContextNotify>) -> Result<Arc<Self>> {
        Self::with_settings(devices, notify, ContextSettings::default())
    }
    /// As `new`, with more asked for.
    ///
    /// # Errors
    /// None today.
    pub fn with_settings(
        devices: Vec<Arc<Device>>,
        notify: Option<ContextNotify>,
        settings: ContextSettings,
    ) -> Result<Arc<Self>> {
        let mut clusters: Vec<Arc<host_exec::cluster_executor::ClusterExecutor>> = Vec::new();
        for device in &devices {
            let cluster = device.cluster();
            if !clusters.iter().any(|known| Arc::ptr_eq(known, cluster)) {
                clusters.push(Arc::clone(cluster));
            }
        }
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            devices,
            clusters,
            notify,
            initialised: settings.initialised,
            termination: settings.terminable.then(Termination::default),
        }))
    }
    /// Its devices, in the order given.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }
    /// The clusters whose memories its objects are in: each once, however many of the
    /// devices are parts of it.
    pub(crate) fn clusters(&self) -> &[Arc<host_exec::cluster_executor::ClusterExecutor>] {
        &self.clusters
    }
    /// Whether `device` is one of them.
    pub fn contains(&self, device: &Arc<Device>) -> bool {
        self.devices().iter().any(|d| Arc::ptr_eq(d, device))
    }
    /// Whether kernels find zeros in that memory.
    pub fn initialises(&self, memory: MemoryInitialisation) -> bool {
        self.initialised.contains(memory)
    }
    /// Ends all its commands and refuses new ones and new objects; tells the callback.
    ///
    /// # Errors
    /// `InvalidOperation`: it was not made to be terminated; `ContextTerminatedKhr`: it
    /// has been before.
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
    /// Whether it takes new objects and commands.
    ///
    /// # Errors
    /// `ContextTerminatedKhr`.
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
    /// A new command of one of its queues.
    pub(crate) fn admit(&self, task: &Arc<Task>) {
        if let Some(termination) = &self.termination {
            termination.admit(task);
        }
    }
    /// What launches look at between work-groups, if it may be terminated.
    pub(crate) fn termination_flag(&self) -> Option<&AtomicBool> {
        self.termination.as_ref().map(Termination::flag)
    }
    /// Tells the context's callback, if it has one.
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
