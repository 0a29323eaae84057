//! The DMA engine of an array.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// The DMA engine of an array.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Dma {
    /// Number of concurrent transfers.
    pub channels: Quantity,
    /// Cycles of the control core to start a transfer and to detect its end.
    pub start: Quantity,
    /// Cycles of overhead per row.
    pub row: Quantity,
    /// Maximum bytes per cycle of a channel.
    pub channel_rate: Quantity,
    /// Maximum bytes per cycle of all channels.
    pub rate: Quantity,
}

impl Dma {
    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("channels", &self.channels, 1, 1 << 10),
            ("start", &self.start, 0, 1_000_000),
            ("row", &self.row, 0, 1_000_000),
            ("channel_rate", &self.channel_rate, 1, 1 << 20),
            ("rate", &self.rate, 1, 1 << 20),
        ]
    }
}
