//! The one platform and its devices: one per acceleration cluster.

use crate::device::Device;
use std::sync::Arc;

/// The platform. Exists once per process.
pub struct Platform {}

impl Platform {
    /// The platform; opened at first use, with the machine that `MOCL3_MACHINE`
    /// names (a TOML file) or MT-3000.
    pub fn get() -> &'static Platform {
        todo!()
    }

    /// Root devices, in cluster order.
    pub fn devices(&self) -> &[Arc<Device>] {
        todo!()
    }
}
