//! Why a pass cannot be run.

use crate::guard::Stopped;
use crate::shim::Refused;

/// Why there is no result of a pass.
#[derive(Debug, thiserror::Error)]
pub enum PassError {
    /// No pass has this name.
    #[error("there is no pass `{0}`")]
    UnknownPass(String),
    /// The text is not LLVM IR; the message has line and column.
    #[error("the input is not LLVM IR: {0}")]
    Unreadable(String),
    /// The IR violates LLVM's rules.
    #[error("the input is invalid IR: {0}")]
    InvalidInput(String),
    /// A setting has a wrong value.
    #[error("setting `{setting}`: {reason}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
    /// The pass needs a setting that is not there.
    #[error("the pass needs the setting `; {0}`")]
    MissingSetting(&'static str),
    /// No function is the kernel.
    #[error("there is no function `k`, and not exactly one kernel (`spir_kernel`)")]
    NoKernel,
    /// The function `k` is not a kernel, and the pass needs its interface.
    #[error("`{0}` is not a kernel (`spir_kernel`)")]
    NotAKernel(String),
    /// The pass refuses the kernel, or LLVM the code.
    #[error("{0}")]
    Refused(String),
    /// The pass produced invalid IR.
    #[error("the pass left invalid IR: {0}")]
    InvalidOutput(String),
    /// The compiler crashed.
    #[error("{0}")]
    Stopped(Stopped),
}

impl From<Refused> for PassError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused.0)
    }
}
