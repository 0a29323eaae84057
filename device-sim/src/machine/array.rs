//! An acceleration array: lanes, issue slots, latencies, registers.

use super::Quantity;
use serde::Deserialize;

/// An acceleration array.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// Accelerator cores in lock-step.
    pub lanes: Quantity,
    /// Width of a vector register over all lanes, bits.
    pub vector_register: Quantity,
}
