//! Errors that many functions report.

use runtime::error::{Code, Error, Result};

/// # Errors
/// `CL_INVALID_VALUE`, always.
pub fn invalid_value<T>(sentence: &'static str) -> Result<T> {
    Err(Error::new(Code::InvalidValue, sentence))
}
