//! Contexts.

use crate::client::ClientSlot;
use crate::device::Device;
use crate::error::Result;
use std::sync::Arc;

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

/// Devices that share objects.
pub struct Context {
    client: ClientSlot,
    devices: Vec<Arc<Device>>,
    clusters: Vec<Arc<hthreads::device::Device>>,
    notify: Option<ContextNotify>,
    initialised: MemoryInitialisation,
}

impl Context {
    /// A context over devices (non-empty, duplicates removed).
    ///
    /// # Errors
    /// None today.
    pub fn new(devices: Vec<Arc<Device>>, notify: Option<ContextNotify>) -> Result<Arc<Self>> {
        Self::with_memory_initialised(devices, notify, MemoryInitialisation::empty())
    }
    /// As `new`; kernels find zeros in some of their memory.
    ///
    /// # Errors
    /// None today.
    pub fn with_memory_initialised(
        devices: Vec<Arc<Device>>,
        notify: Option<ContextNotify>,
        initialised: MemoryInitialisation,
    ) -> Result<Arc<Self>> {
        let mut clusters: Vec<Arc<hthreads::device::Device>> = Vec::new();
        for device in &devices {
            let cluster = device.cluster();
            if !clusters.iter().any(|known| Arc::ptr_eq(known, cluster)) {
                clusters.push(Arc::clone(cluster));
            }
        }
        Ok(Arc::new(Self {
            client: ClientSlot::default(),
            devices,
            clusters,
            notify,
            initialised,
        }))
    }
    /// Its devices, in the order given.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }
    /// The clusters whose memories its objects are in: each once, however many of the
    /// devices are parts of it.
    pub(crate) fn clusters(&self) -> &[Arc<hthreads::device::Device>] {
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
    /// Tells the context's callback, if it has one.
    pub fn notify(&self, sentence: &str) {
        if let Some(notify) = &self.notify {
            notify(sentence);
        }
    }
}

impl crate::client::ClientObject for Context {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
