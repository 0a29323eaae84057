//! Units of time and of data, and the conversion between cycles and nanoseconds.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// Defines a count of one unit. It serialises as, and prints like, the plain number.
macro_rules! unit {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// None of the unit.
            pub const ZERO: Self = Self(0);

            /// The largest count.
            pub const MAX: Self = Self(u64::MAX);

            /// The sum, or the largest count.
            #[must_use]
            pub const fn saturating_add(self, other: Self) -> Self {
                Self(self.0.saturating_add(other.0))
            }

            /// The difference, or zero.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// The multiple, or the largest count.
            #[must_use]
            pub const fn saturating_mul(self, count: u64) -> Self {
                Self(self.0.saturating_mul(count))
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
                counts.fold(Self::ZERO, Self::add)
            }
        }

        impl Display for $name {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(&self.0, formatter)
            }
        }
    };
}

unit! {
    /// Cycles of a cluster's clock.
    Cycles
}

unit! {
    /// Nanoseconds of the simulated machine's or the host's clock.
    Nanoseconds
}

unit! {
    /// Bytes.
    Bytes
}

/// The rate of a clock. All conversions between cycles and nanoseconds are here. Results that
/// have more than 64 bits are the largest number.
///
/// ```
/// use device_sim::units::{ClockRate, Cycles, Nanoseconds};
///
/// let clock = ClockRate::new(1_200_000_000);
/// assert_eq!(clock.nanoseconds(Cycles(6)), Nanoseconds(5));
/// assert_eq!(clock.cycles(Nanoseconds(1)), Cycles(2), "a cycle that has begun counts");
/// assert_eq!(clock.complete_cycles(Nanoseconds(1)), Cycles(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRate {
    hertz: u64,
}

impl ClockRate {
    /// A clock of `hertz` cycles a second; 0 is taken as 1.
    pub fn new(hertz: u64) -> Self {
        Self {
            hertz: hertz.max(1),
        }
    }

    /// Cycles a second.
    pub fn hertz(self) -> u64 {
        self.hertz
    }

    /// Cycles that a duration lasts at most: a cycle that has begun counts.
    pub fn cycles(self, time: Nanoseconds) -> Cycles {
        Cycles(scale_up(time.0, self.hertz, SECOND))
    }

    /// Nanoseconds that cycles last at most: a nanosecond that has begun counts.
    pub fn nanoseconds(self, cycles: Cycles) -> Nanoseconds {
        Nanoseconds(scale_up(cycles.0, SECOND, self.hertz))
    }

    /// Complete cycles of a duration.
    pub fn complete_cycles(self, time: Nanoseconds) -> Cycles {
        Cycles(scale_down(time.0, self.hertz, SECOND))
    }

    /// Complete nanoseconds of cycles.
    pub fn complete_nanoseconds(self, cycles: Cycles) -> Nanoseconds {
        Nanoseconds(scale_down(cycles.0, SECOND, self.hertz))
    }
}

/// The time that `count` things take at `per_second`, rounded up; the longest one if that has
/// more than 64 bits.
pub(crate) fn time_at_rate(count: u64, per_second: u64) -> Nanoseconds {
    Nanoseconds(scale_up(count, SECOND, per_second))
}

/// `value * by / of`, rounded up; the largest number if that has more than 64 bits.
pub(crate) fn scale_up(value: u64, by: u64, of: u64) -> u64 {
    let exact = (u128::from(value) * u128::from(by)).div_ceil(of.into());
    exact.try_into().unwrap_or(u64::MAX)
}

/// `value * by / of`, rounded down; the largest number if that has more than 64 bits.
fn scale_down(value: u64, by: u64, of: u64) -> u64 {
    let exact = u128::from(value) * u128::from(by) / u128::from(of);
    exact.try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_round_as_they_say() {
        // Five nanoseconds are six cycles.
        let clock = ClockRate::new(1_200_000_000);
        assert_eq!(clock.cycles(Nanoseconds(5)), Cycles(6));
        assert_eq!(clock.cycles(Nanoseconds(1)), Cycles(2));
        assert_eq!(clock.complete_cycles(Nanoseconds(1)), Cycles(1));
        assert_eq!(clock.nanoseconds(Cycles(6)), Nanoseconds(5));
        assert_eq!(clock.nanoseconds(Cycles(1)), Nanoseconds(1));
        assert_eq!(clock.complete_nanoseconds(Cycles(1)), Nanoseconds(0));
        assert_eq!(clock.cycles(Nanoseconds::MAX), Cycles::MAX);
        let slow = ClockRate::new(0);
        assert_eq!(slow.nanoseconds(Cycles::MAX), Nanoseconds::MAX);
        assert_eq!(
            slow.complete_nanoseconds(Cycles(2)),
            Nanoseconds(2 * SECOND)
        );
    }
}
