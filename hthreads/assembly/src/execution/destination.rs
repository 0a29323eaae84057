//! What results are written to.

/// What a word is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A scalar register.
    Scalar(u8),
    /// An address or offset register, by its place.
    Address(u8),
    /// A control register.
    Control(u8),
    /// One of SVR0 to SVR15.
    Exchange(u8),
}

/// What lanes are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorDestination {
    /// A vector register.
    Vector(u8),
    /// A control register.
    Control(u8),
    /// SVR0 to SVR15.
    Exchange,
}
