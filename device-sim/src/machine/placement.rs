//! Where stack and code are, unless the environment says otherwise.

use super::quantity::Limit;
use super::{MachineError, Quantity};
use serde::{Deserialize, Serialize};

/// Where code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CodePlace {
    /// In the cluster's DDR.
    Ddr,
    /// In the global shared memory.
    Gsm,
}

/// Where stack and code are, unless the environment says otherwise (`crate::layout`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Part of SM that holds the stack, per cent: 0 (the stack is in DDR), 20, 40, 60, 80 or
    /// 100.
    pub stack: Quantity,
    /// Where code is.
    pub code: CodePlace,
}

impl Placement {
    pub(super) fn check(&self) -> Result<(), MachineError> {
        let stack = self.stack.value;
        if stack.is_multiple_of(20) {
            return Ok(());
        }
        Err(MachineError::Impossible(format!(
            "layout.stack is {stack}, which is none of 0, 20, 40, 60, 80, 100"
        )))
    }

    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        vec![("stack", &self.stack, 0, 100)]
    }
}
