//! The limits of one compilation: of a program's text, of a link, or of a kernel's code.

use crate::byte_size;
use environment::{BUILD_MEMORY, BUILD_SECONDS};
use once_cell::sync::Lazy;
use std::time::Duration;

/// What a compilation may take. As the shim has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time; 0 is no limit.
    pub nanoseconds: u64,
    /// Bytes by which the process may grow meanwhile; 0 is no limit.
    pub bytes: u64,
}

impl Limits {
    /// Those of the environment; read once.
    pub fn of_the_environment() -> Self {
        static LIMITS: Lazy<Limits> = Lazy::new(|| Limits {
            nanoseconds: BUILD_SECONDS.get().map_or(0, |text| {
                seconds(&text.to_string_lossy()).unwrap_or_else(|| {
                    log::warn!("{BUILD_SECONDS}={text:?} is no time in seconds; no limit");
                    0
                })
            }),
            bytes: BUILD_MEMORY.get().map_or(0, |text| {
                byte_size::bytes(&text.to_string_lossy()).unwrap_or_else(|| {
                    log::warn!(
                        "{BUILD_MEMORY}={text:?} is no number of bytes, K, M or G; no limit"
                    );
                    0
                })
            }),
        });
        *LIMITS
    }

    /// These limits, and those of `other` where there is none.
    pub fn or(self, other: Self) -> Self {
        let either = |own: u64, other: u64| if own == 0 { other } else { own };
        Self {
            nanoseconds: either(self.nanoseconds, other.nanoseconds),
            bytes: either(self.bytes, other.bytes),
        }
    }
}

/// A time in seconds as nanoseconds.
fn seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.trim().parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    u64::try_from(time.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_and_may_have_parts() {
        assert_eq!(seconds("10"), Some(10_000_000_000));
        assert_eq!(seconds(" 0.5 "), Some(500_000_000));
        assert_eq!(seconds("0"), Some(0));
        for bad in ["", "-1", "ten", "NaN", "inf", "1e30"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}
