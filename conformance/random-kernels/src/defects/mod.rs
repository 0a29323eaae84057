//! Kernels with one injected error each, and whether the platform's checks (`MOCL3_CHECK`) find it.

mod injection;
pub mod runner;

/// An error that is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// An access outside of its object.
    OutOfBounds,
    /// A missing barrier.
    Race,
    /// A value that was never written reaches a buffer.
    Uninitialised,
    /// A barrier that only some work-items of a group reach.
    DivergentBarrier,
}

impl Defect {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::OutOfBounds,
        Self::Race,
        Self::Uninitialised,
        Self::DivergentBarrier,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfBounds => "out of bounds",
            Self::Race => "data race",
            Self::Uninitialised => "uninitialised",
            Self::DivergentBarrier => "divergent barrier",
        }
    }

    /// Kinds of findings that report it.
    fn findings(self) -> &'static [&'static str] {
        match self {
            Self::OutOfBounds => &["out-of-bounds", "unknown-address", "null-pointer"],
            Self::Race => &["data-race"],
            Self::Uninitialised => &["uninitialised"],
            Self::DivergentBarrier => &["divergent-barrier", "divergent-arguments"],
        }
    }
}
