//! How a case measures within its process.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Whether a case is measured, or only tried.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    /// At the size that the table names.
    Full,
    /// Once, small: whether the result is right.
    Quick,
}

/// What a process found out.
#[derive(Clone, Serialize, Deserialize)]
pub struct Measurement {
    /// Nanoseconds of each call.
    pub samples: Vec<f64>,
    /// What a call does, where that is compared with the host's limit.
    pub work: Option<Work>,
}

/// An amount of work whose rate the host limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Work {
    /// Bytes of memory read and written.
    Bytes(f64),
    /// Operations on floats; an FMA is two.
    Float(f64),
    /// Operations on doubles.
    Double(f64),
}

impl Measurement {
    /// Of one time alone, nanoseconds.
    pub fn time(nanoseconds: f64) -> Self {
        Self {
            samples: vec![nanoseconds],
            work: None,
        }
    }

    /// The same with the work done.
    pub fn of(self, work: Work) -> Self {
        Self {
            work: Some(work),
            ..self
        }
    }

    /// The time of one of a call's `times` repetitions.
    pub fn of_each(mut self, times: usize) -> Self {
        for sample in &mut self.samples {
            *sample /= times as f64;
        }
        self
    }
}

/// What a process may spend on calls that are timed; and as much on warming up.
const BUDGET: Duration = Duration::from_millis(100);

/// Calls that are timed, at most.
const CALLS: u128 = 7;

impl Mode {
    /// The size for this mode.
    pub fn size<T>(self, full: T, quick: T) -> T {
        match self {
            Self::Full => full,
            Self::Quick => quick,
        }
    }

    /// The durations of some calls after some that are not timed.
    ///
    /// # Errors
    /// The call's.
    pub fn time(self, call: impl FnMut() -> Result<()>) -> Result<Measurement> {
        self.time_after(|| Ok(()), call)
    }

    /// The same with something before each call that is not timed.
    ///
    /// # Errors
    /// Those of either.
    pub fn time_after(
        self,
        mut prepare: impl FnMut() -> Result<()>,
        mut call: impl FnMut() -> Result<()>,
    ) -> Result<Measurement> {
        let mut sample = || -> Result<Duration> {
            prepare()?;
            let start = Instant::now();
            call()?;
            Ok(start.elapsed())
        };
        let mut last = sample()?;
        if self == Self::Full {
            // The first call compiles; a platform may compile better in the background.
            let mut spent = last;
            for _ in 0..2 {
                if spent < BUDGET {
                    last = sample()?;
                    spent += last;
                }
            }
        }
        let calls = match self {
            Self::Full => (BUDGET.as_nanos() / last.as_nanos().max(1)).clamp(1, CALLS),
            Self::Quick => 1,
        };
        let mut samples = Vec::new();
        for _ in 0..calls {
            samples.push(sample()?.as_nanos() as f64);
        }
        Ok(Measurement {
            samples,
            work: None,
        })
    }
}
