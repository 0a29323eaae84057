//! Exceptions of arithmetic: operations record them, and nothing else happens. They are those that the
//! host's processor records, for scalars and vectors together.

use std::cell::Cell;

/// A set of kinds, as bits of MXCSR (Intel SDM, volume 1, 10.2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArithmeticExceptions(pub u32);

/// A kind of exception.
struct Kind {
    /// Its bit.
    bit: u32,
    /// Its name.
    name: &'static str,
    /// Its number for `set_ecr` and `clear_ecr`, which switch its recording on and off.
    switch: Option<i32>,
    /// Whether it is recorded if nothing is switched.
    by_default: bool,
}

/// All kinds that are recorded.
const KINDS: [Kind; 5] = [
    Kind {
        bit: 1 << 0,
        name: "invalid NaN",
        switch: None,
        by_default: true,
    },
    Kind {
        bit: 1 << 2,
        name: "division by zero",
        switch: Some(1),
        by_default: true,
    },
    Kind {
        bit: 1 << 3,
        name: "overflow",
        switch: Some(0),
        by_default: true,
    },
    Kind {
        bit: 1 << 4,
        name: "underflow",
        switch: None,
        by_default: true,
    },
    // Almost each kernel rounds.
    Kind {
        bit: 1 << 5,
        name: "inexact",
        switch: Some(2),
        by_default: false,
    },
];

impl ArithmeticExceptions {
    /// The names of the kinds.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let raised = KINDS.iter().filter(move |kind| self.0 & kind.bit != 0);
        raised.map(|kind| kind.name)
    }
}

/// What a thread records.
#[derive(Debug)]
pub struct Arithmetic {
    recorded: Cell<u32>,
    raised: Cell<u32>,
}

impl Default for Arithmetic {
    fn default() -> Self {
        let kinds = KINDS.iter().filter(|kind| kind.by_default);
        Self {
            recorded: Cell::new(kinds.fold(0, |all, kind| all | kind.bit)),
            raised: Cell::new(0),
        }
    }
}

impl Arithmetic {
    /// Operations have raised these.
    pub fn add(&self, raised: ArithmeticExceptions) {
        self.raised
            .set(self.raised.get() | (raised.0 & self.recorded.get()));
    }

    /// What was recorded.
    pub fn raised(&self) -> ArithmeticExceptions {
        ArithmeticExceptions(self.raised.get())
    }

    /// Switches the recording of a kind; false if there is no such kind.
    pub fn switch(&self, number: i32, is_on: bool) -> bool {
        let Some(kind) = KINDS.iter().find(|kind| kind.switch == Some(number)) else {
            return false;
        };
        let recorded = self.recorded.get();
        self.recorded.set(match is_on {
            true => recorded | kind.bit,
            false => recorded & !kind.bit,
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_is_not_recorded() {
        let thread = Arithmetic::default();
        let overflow_and_inexact = ArithmeticExceptions(1 << 3 | 1 << 5);
        assert!(thread.switch(0, false));
        thread.add(overflow_and_inexact);
        assert_eq!(thread.raised(), ArithmeticExceptions::default());
        assert!(thread.switch(2, true) && thread.switch(0, true) && !thread.switch(4, true));
        thread.add(overflow_and_inexact);
        assert_eq!(thread.raised(), overflow_and_inexact);
        let names: Vec<&str> = thread.raised().names().collect();
        assert_eq!(names, ["overflow", "inexact"]);
    }
}
