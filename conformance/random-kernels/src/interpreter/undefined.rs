//! Why a program has no defined result.

/// Why a program has no defined result.
#[derive(Debug)]
pub struct Undefined(String);

impl Undefined {
    /// With a reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}
