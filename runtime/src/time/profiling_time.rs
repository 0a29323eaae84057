//! Which time event profiling tells: `MOCL3_PROFILING_TIME`.

use environment::PROFILING_TIME;
use once_cell::sync::Lazy;

/// Whose time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProfilingTime {
    /// The simulated machine's.
    Machine,
    /// The host's; nothing is simulated for it.
    Host,
}

impl ProfilingTime {
    /// As the environment demands.
    pub fn get() -> Self {
        static WANTED: Lazy<ProfilingTime> = Lazy::new(|| {
            let value = PROFILING_TIME.get().unwrap_or_default();
            ProfilingTime::parse(&value.to_string_lossy()).unwrap_or_else(|| {
                log::warn!(
                    "{PROFILING_TIME}={} is neither machine nor host; it is the machine's time",
                    value.display()
                );
                ProfilingTime::Machine
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
    use super::ProfilingTime::{self, Host, Machine};

    #[test]
    fn it_is_named_or_the_machines() {
        for (value, wanted) in [
            ("", Some(Machine)),
            ("machine", Some(Machine)),
            (" Host ", Some(Host)),
            ("1", None),
        ] {
            assert_eq!(ProfilingTime::parse(value), wanted);
        }
    }
}
