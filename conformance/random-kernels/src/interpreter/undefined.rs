//! The reason for which a program has no defined result.

/// The reason for which a program has no defined result.
#[derive(Debug)]
pub struct Undefined(String);

impl Undefined {
    /// An error with a reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}
