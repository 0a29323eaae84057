//! What a library with defects (see the crate `defects`) does in place of the right thing,
//! where that is more than leaving something out.

use crate::command::Body;
use crate::kernel::Kernel;
use crate::kernel::launch::Launch;
use crate::memory::residency::{MemoryAccess, MemoryLocation, Transfer};
use crate::time::command_work::CommandWork;
use fault_injection::Defect;
use parking_lot::Mutex;
use std::sync::Arc;

/// A launch that begins when the next one does, or with the arguments of that time.
pub(crate) fn launch(kernel: &Arc<Kernel>, mut launch: Launch) -> Body {
    static LAST: Mutex<Option<Launch>> = Mutex::new(None);
    if fault_injection::is_active(Defect::StaleReads) {
        return Box::new(move || {
            let last = LAST.lock().replace(launch);
            last.map_or_else(|| Ok(CommandWork::default()), |last| last.run_with_memory())
        });
    }
    let kernel = Arc::clone(kernel);
    Box::new(move || {
        kernel.capture_again(&mut launch)?;
        launch.run_with_memory()
    })
}

/// Bytes get lost on the way from one device to another.
pub(crate) fn lose(used: &MemoryAccess, transfer: Transfer) {
    if !matches!(
        (transfer.from, transfer.to),
        (MemoryLocation::Cluster(_), MemoryLocation::Cluster(_))
    ) {
        return;
    }
    let (start, place) = (used.object.start().0, used.object.range().start);
    let range = used.part.range.clone();
    // SAFETY: the part lies in the object's data store, which lives as long as the use.
    unsafe {
        start
            .wrapping_sub(place)
            .add(range.start)
            .write_bytes(0, range.len());
    }
}
