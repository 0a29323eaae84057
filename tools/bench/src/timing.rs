//! How a case measures within its process.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Whether a case is measured or only checked.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    /// Measured at the size that the table names, after untimed calls for about this time.
    Full { warm_up: Duration },
    /// Run once at a small size, to check the result.
    Quick,
}

/// The measurements of a process.
#[derive(Clone, Serialize, Deserialize)]
pub struct Measurement {
    /// Duration of each call, ns; of a case of `Category::Memory`, bytes.
    pub samples: Vec<f64>,
    /// The work of a call, if it is compared with the host's peak rate.
    pub work: Option<Work>,
}

/// An amount of work that is compared with the host's peak rate.
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
    /// Measurements with one duration, ns.
    pub fn time(nanoseconds: f64) -> Self {
        Self {
            samples: vec![nanoseconds],
            work: None,
        }
    }

    /// A measurement of memory.
    pub fn bytes(bytes: f64) -> Self {
        Self::time(bytes)
    }

    /// Adds the work of a call.
    pub fn with_work(self, work: Work) -> Self {
        Self {
            work: Some(work),
            ..self
        }
    }

    /// Divides the durations by the `times` repetitions of a call.
    pub fn of_each(mut self, times: usize) -> Self {
        for sample in &mut self.samples {
            *sample /= times as f64;
        }
        self
    }
}

/// Time for the timed calls of a process.
const BUDGET: Duration = Duration::from_millis(100);

/// Maximum number of timed calls.
const CALLS: u128 = 7;

impl Mode {
    /// The case's size in this mode.
    pub fn size<T>(self, full: T, quick: T) -> T {
        match self {
            Self::Full { .. } => full,
            Self::Quick => quick,
        }
    }

    /// Times some calls after untimed calls as warm-up.
    ///
    /// # Errors
    /// Those of `call`.
    pub fn time(self, call: impl FnMut() -> Result<()>) -> Result<Measurement> {
        self.time_after(|| Ok(()), call)
    }

    /// As `time`, with an untimed call of `prepare` before each timed call.
    ///
    /// # Errors
    /// Those of either function.
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
        if let Self::Full { warm_up } = self {
            // The first call compiles; a platform may compile better in the background.
            let mut spent = last;
            while spent < warm_up {
                last = sample()?;
                spent += last;
            }
        }
        let calls = match self {
            Self::Full { .. } => (BUDGET.as_nanos() / last.as_nanos().max(1)).clamp(1, CALLS),
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
