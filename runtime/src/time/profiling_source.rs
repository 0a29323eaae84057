//! The clock that event profiling reports: `MOCL3_PROFILING_TIME`.

use environment::PROFILING_TIME;
use once_cell::sync::Lazy;

/// The clock that profiling counters are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProfilingSource {
    /// The clock of the simulated machine.
    Machine,
    /// The clock of the host; commands need not be timed on the simulated machine.
    Host,
}

impl ProfilingSource {
    /// The clock that the environment selects.
    pub fn get() -> Self {
        static WANTED: Lazy<ProfilingSource> = Lazy::new(|| {
            let value = PROFILING_TIME.get().unwrap_or_default();
            ProfilingSource::parse(&value.to_string_lossy()).unwrap_or_else(|| {
                log::warn!(
                    "{PROFILING_TIME}={} is neither machine nor host; it is the machine's time",
                    value.display()
                );
                ProfilingSource::Machine
            })
        });
        *WANTED
    }

    fn parse(value: &str) -> Option<Self> {
        match value.trim().to_ascii_lowercase().as_str() {
            "" | "machine" => Some(Self::Machine),
            "host" => Some(Self::Host),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProfilingSource::{self, Host, Machine};

    #[test]
    fn values_are_parsed() {
        for (value, wanted) in [
            ("", Some(Machine)),
            ("machine", Some(Machine)),
            (" Host ", Some(Host)),
            ("1", None),
        ] {
            assert_eq!(ProfilingSource::parse(value), wanted);
        }
    }
}
