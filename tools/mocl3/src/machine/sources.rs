//! Where the numbers of a machine come from.

use anyhow::Result;
use device_sim::machine::{Description, Entry, Source};

/// All sources, in the order in which they are counted.
const SOURCES: [Source; 5] = [
    Source::Published,
    Source::Derived,
    Source::Calibrated,
    Source::Assumed,
    Source::Hypothetical,
];

/// How many numbers of a machine have each source: "40 published, 12 derived".
///
/// # Errors
/// None, for a description that was read.
pub fn by_source(description: &Description) -> Result<String> {
    let entries = description.entries()?;
    let count = |source| {
        let has = |entry: &&(String, Entry)| match &entry.1 {
            Entry::Number(number) => number.source == source,
            Entry::Choice(_) => false,
        };
        entries.iter().filter(has).count()
    };
    let counts: Vec<String> = SOURCES
        .into_iter()
        .map(|source| (source, count(source)))
        .filter(|(_, number)| *number > 0)
        .map(|(source, number)| format!("{number} {source}"))
        .collect();
    Ok(counts.join(", "))
}
