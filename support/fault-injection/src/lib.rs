//! Faults that can be injected into the platform, so that the conformance suite can be checked:
//! `conformance self-check` lists the cases that have to detect each of them.
//!
//! Only a library built with the feature `present` (`icd`'s feature `defects`) has one, if
//! the variable [`VARIABLE`] names it. In all others [`is_active`] is `false` at compile time.

/// The environment variable that names the defect.
pub const VARIABLE: &str = "MOCL3_DEFECT";

macro_rules! defects {
    ($($(#[doc = $what:literal])+ $defect:ident = $name:literal,)*) => {
        /// A defect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Defect {
            $($(#[doc = $what])+ $defect,)*
        }

        impl Defect {
            /// All, those of the compiler first.
            pub const ALL: &[Self] = &[$(Self::$defect,)*];

            /// Its value of [`VARIABLE`].
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$defect => $name,)*
                }
            }

            /// The faulty behaviour.
            pub const fn what(self) -> &'static str {
                match self {
                    $(Self::$defect => concat!($($what),+).trim_ascii(),)*
                }
            }
        }
    };
}

defects! {
    /// Barriers are ignored: each work-item runs to the end before the next begins.
    DroppedBarriers = "dropped-barriers",
    /// A local or global id of the second dimension is that of the third, and the reverse.
    SwappedDimensions = "swapped-dimensions",
    /// Across barriers, the last work-item of a group has the private variables of the one before.
    LostPrivateVariables = "lost-private-variables",
    /// Values loaded before a barrier and used after it are loaded again there.
    RepeatedLoads = "repeated-loads",
    /// Work-items of a group along x are left out beyond the last multiple of four.
    WorkItemsLeftOut = "work-items-left-out",
    /// Groups are left out beyond the last multiple of the number of arrays.
    GroupsLeftOut = "groups-left-out",
    /// Groups that run at the same time have the same local memory.
    SharedLocalMemory = "shared-local-memory",
    /// All arguments in local memory begin at the same address.
    OverlappingLocalArguments = "overlapping-local-arguments",
    /// async_work_group_copy copies one element too few.
    ShortGroupCopies = "short-group-copies",
    /// Global ids have 32 bits.
    NarrowIds = "narrow-ids",
    /// Saturating conversions do not saturate.
    NoSaturation = "no-saturation",
    /// Conversions round as if no mode were given.
    NoRoundingModes = "no-rounding-modes",
    /// printf loses its last argument.
    LostPrintfArgument = "lost-printf-argument",
    /// Reads outside of an image return its edge instead of the border color.
    NoImageBorder = "no-image-border",
    /// A program is not compiled again when a header has changed.
    StaleHeaders = "stale-headers",
    /// Launches ignore global offsets.
    IgnoredGlobalOffsets = "ignored-global-offsets",
    /// Launches take a kernel's arguments when they begin instead of when they are enqueued.
    LateArguments = "late-arguments",
    /// Commands after a launch read the contents from before it.
    StaleReads = "stale-reads",
    /// Bytes that migrate from one device to another become zeros.
    LostMigrations = "lost-migrations",
    /// Sub-buffers begin where their buffers begin.
    MisplacedSubBuffers = "misplaced-sub-buffers",
    /// Copies of 3D regions ignore slice pitches.
    IgnoredSlicePitches = "ignored-slice-pitches",
    /// Commands do not wait for the events of their wait lists.
    IgnoredWaitLists = "ignored-wait-lists",
    /// Commands run although an event of their wait list has failed.
    IgnoredFailures = "ignored-failures",
    /// Callbacks of events are called twice.
    RepeatedCallbacks = "repeated-callbacks",
    /// Destructor callbacks are not called.
    LostCallbacks = "lost-callbacks",
    /// Local sizes that do not divide the global size are accepted.
    UncheckedLocalSizes = "unchecked-local-sizes",
    /// Arguments of any size are accepted for a kernel's.
    UncheckedArgumentSizes = "unchecked-argument-sizes",
}

/// Whether this library was built with faults.
pub const fn can_be_present() -> bool {
    cfg!(feature = "present")
}

/// Whether this fault is active. Without the feature it is false at compile time, so that dependent
/// code is eliminated.
#[inline(always)]
pub fn is_active(defect: Defect) -> bool {
    can_be_present() && chosen() == Some(defect)
}

/// The fault that the environment names.
#[cfg(feature = "present")]
fn chosen() -> Option<Defect> {
    static CHOSEN: std::sync::LazyLock<Option<Defect>> = std::sync::LazyLock::new(|| {
        let name = std::env::var_os(VARIABLE)?;
        let defect = Defect::ALL.iter().find(|defect| name == defect.name());
        if defect.is_none() {
            eprintln!("{VARIABLE}={name:?} is no defect");
            // It must not be mistaken for a library without faults.
            std::process::abort();
        }
        defect.copied()
    });
    *CHOSEN
}

/// Not compiled from the function above, so that the library lacks the variable's name, by which
/// `cargo xtask install` recognises libraries with faults, at every optimisation level.
#[cfg(not(feature = "present"))]
const fn chosen() -> Option<Defect> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_defect_has_a_name_of_its_own() {
        let names: HashSet<_> = Defect::ALL.iter().map(|defect| defect.name()).collect();
        assert_eq!(names.len(), Defect::ALL.len());
    }
}
