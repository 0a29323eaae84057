//! Errors of machine descriptions.

/// Why a machine description cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The file cannot be read.
    #[error("machine description {path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// Not TOML, or keys are unknown or missing; the message has line and column.
    #[error("machine description: {0}")]
    Malformed(#[from] toml::de::Error),
    /// A number is out of its range or contradicts another; the message names it.
    #[error("machine description: {0}")]
    Impossible(String),
}
