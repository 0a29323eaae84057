//! What a kernel is compiled for.

use crate::image_argument::KnownArgument;
use device_sim::layout::Layout;
use device_sim::machine::Machine;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The machine whose time code keeps.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Where stack and code are on it.
    pub layout: Layout,
}

impl PartialEq for Timed {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.machine, &other.machine) || self.machine == other.machine;
        same && self.layout == other.layout
    }
}

impl Eq for Timed {}

impl Hash for Timed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.machine.name.hash(state);
    }
}

/// What a version of the code may take for granted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Specialisation {
    /// The local size, if fixed.
    pub local_size: Option<[u64; 3]>,
    /// All global ids (offset included) are below 2^31.
    pub small_grid: bool,
    /// What is known of each image and sampler among the arguments, in their order;
    /// empty if nothing is.
    pub images: Vec<KnownArgument>,
    /// Simulated time is kept: the code is that of the machine's lanes, and counts what it does.
    pub timed: Option<Timed>,
    /// Accesses are checked against DMA transfers that have not been waited for. There are no lanes,
    /// and no simulated time.
    pub checked: bool,
}
