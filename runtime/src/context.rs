//! Contexts.

use crate::client::ClientSlot;
use crate::device::Device;
use crate::error::Result;
use std::sync::Arc;

/// Called with a sentence when something goes wrong that no return code tells (OpenCL 1.2, 4.4).
pub type ContextNotify = Box<dyn Fn(&str) + Send + Sync>;

/// Devices that share objects.
pub struct Context {
    client: ClientSlot,
    devices: Vec<Arc<Device>>,
    notify: Option<ContextNotify>,
}

impl Context {
    /// A context over devices (non-empty, duplicates removed).
    ///
    /// # Errors
    /// None today.
    pub fn new(devices: Vec<Arc<Device>>, notify: Option<ContextNotify>) -> Result<Arc<Self>> {
        Ok(Arc::new(Self {
            client: ClientSlot::default(),
            devices,
            notify,
        }))
    }
    /// Its devices, in the order given.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }
    /// Whether `device` is one of them.
    pub fn contains(&self, device: &Arc<Device>) -> bool {
        self.devices().iter().any(|d| Arc::ptr_eq(d, device))
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
