//! The DMA engine of an array.

use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// The DMA engine of an array.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Dma {
    /// Transfers that it does at a time.
    pub channels: Quantity,
    /// Cycles of the control core that starting a transfer and finding it done takes.
    pub start: Quantity,
    /// Cycles before each row.
    pub row: Quantity,
    /// Most bytes of a channel in a cycle.
    pub channel_rate: Quantity,
    /// Most bytes of all channels in a cycle.
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
