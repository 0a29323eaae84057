//! Whether the times of launches are predicted: `MOCL3_PREDICT`.

use environment::PREDICT;
use once_cell::sync::Lazy;

/// What happens to timed launches whose counters do not depend on the program's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PredictionMode {
    /// They are executed and simulated.
    Off,
    /// They are predicted, and not executed.
    Only,
    /// They are predicted, and then executed and simulated.
    Compare,
}

impl PredictionMode {
    /// The mode that the environment selects.
    pub fn get() -> Self {
        static MODE: Lazy<PredictionMode> = Lazy::new(|| {
            let value = PREDICT.get().unwrap_or_default();
            let mode = PredictionMode::parse(&value.to_string_lossy());
            let mode = mode.unwrap_or_else(|| {
                let value = value.display();
                log::warn!("{PREDICT}={value} is neither 0, 1 nor compare; taken as 0");
                PredictionMode::Off
            });
            if mode == PredictionMode::Only {
                log::warn!(
                    "{PREDICT}=1: timed kernels are not executed if their time does not depend on data; \
                     what the program reads of their results is wrong"
                );
            }
            mode
        });
        *MODE
    }

    fn parse(value: &str) -> Option<Self> {
        match value.trim().to_ascii_lowercase().as_str() {
            "" | "0" => Some(Self::Off),
            "1" => Some(Self::Only),
            "compare" => Some(Self::Compare),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PredictionMode::{self, Compare, Off, Only};

    #[test]
    fn values_are_parsed() {
        for (value, wanted) in [
            ("", Some(Off)),
            ("0", Some(Off)),
            ("1", Some(Only)),
            (" Compare", Some(Compare)),
            ("2", None),
        ] {
            assert_eq!(PredictionMode::parse(value), wanted);
        }
    }
}
