//! What the code of a kernel checks (`MOCL3_CHECK`).

use serde::{Deserialize, Serialize};

bitflags::bitflags! {
    /// What accesses are checked for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Checks: u8 {
        /// Conflicts with DMA transfers that have not been waited for.
        const DMA = 1;
        /// Bounds of objects and alignment.
        const MEMORY = 1 << 1;
        /// Barriers that not all work-items reach, asynchronous copies that they do not make alike.
        const BARRIERS = 1 << 2;
        /// Values of memory that was never written; with `MEMORY`.
        const UNINITIALISED = 1 << 3;
        /// Accesses of several work-items that no barrier orders; with `MEMORY`.
        const RACES = 1 << 4;
        /// Accesses that only the flags of a buffer, or `const`, forbid: they are made nevertheless; with
        /// `MEMORY`, which leaves them out otherwise. Only for launches whose buffers forbid some.
        const FLAGS = 1 << 5;
        /// Nothing: debuggers show DMA transfers that have not been waited for. Superseded by `DMA`.
        const TRANSFERS = 1 << 6;
    }
}
