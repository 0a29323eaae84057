//! A number of the machine, and where it is from.

use serde::{Deserialize, Serialize};

/// Where a number is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// In a paper, a manual or the vendor's headers.
    Published,
    /// Computed from published numbers.
    Derived,
    /// Published nowhere; the note says why this value.
    Assumed,
    /// Published nowhere; chosen so that a published figure comes out, which the note names.
    Calibrated,
}

impl std::fmt::Display for Source {
    /// As machine descriptions have it.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Published => "published",
            Self::Derived => "derived",
            Self::Assumed => "assumed",
            Self::Calibrated => "calibrated",
        })
    }
}

/// A number of the machine. Only its value is serialised, for cache keys: nothing is computed
/// from the rest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    /// The number, in `unit`.
    pub value: u64,
    /// Its unit; empty for counts.
    #[serde(default, skip_serializing)]
    pub unit: String,
    /// Where it is from.
    #[serde(skip_serializing)]
    pub source: Source,
    /// What it is, and the source by name.
    #[serde(skip_serializing)]
    pub note: String,
}

/// A quantity by its name in the part of the file that it is in, and its least and largest
/// value.
pub(super) type Limit<'a> = (&'static str, &'a Quantity, u64, u64);
