//! A kernel whose cycles, bytes, lanes and waits are computed by hand.

use crate::figure::digits;
use device_sim::machine::Quantity;

/// Less than this is the rounding of a line's cycles, for each of what is counted.
pub const ROUNDING: f64 = 0.005;

/// A kernel of `by_hand.cl`, measured with two values of its argument `n`: the difference contains
/// neither launching nor what comes before and after the loop. Numbers are those of each of what `n`
/// counts.
pub struct Row {
    /// Its name.
    pub kernel: &'static str,
    /// What it measures.
    pub what: &'static str,
    /// Work-groups, each on an array of its own.
    pub groups: usize,
    /// Work-items of a work-group.
    pub items: usize,
    /// What `n` counts.
    pub of: &'static str,
    /// The values of `n`.
    pub sizes: [u32; 2],
    /// What is computed by hand.
    pub by_hand: Numbers,
    /// How they are computed.
    pub how: &'static str,
}

/// What is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Cycles of an array, or of the launch if there are several arrays; `None` if the control core's
    /// code is too much to compute by hand.
    pub cycles: Option<f64>,
    /// Bytes of DDR, of all arrays.
    pub bytes: f64,
    /// Mean number of lanes that are active in vector instructions; `None` without such.
    pub lanes: Option<f64>,
    /// All waits for memory, DMA, locks and barriers of one array; empty if there are several, which
    /// do not wait alike.
    pub waits: Vec<Wait>,
}

/// The waits of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// The activity, as `mocl3 stat --json` calls it.
    pub activity: &'static str,
    /// A part of the line's text.
    pub line: &'static str,
    /// Cycles of an array.
    pub cycles: f64,
}

/// Loops of one group of 16 work-items, all lanes of which are active.
pub fn lanes(kernel: &'static str, what: &'static str, cycles: f64, how: &'static str) -> Row {
    Row {
        kernel,
        what,
        groups: 1,
        items: 16,
        of: "iteration",
        sizes: [1 << 10, 1 << 11],
        by_hand: Numbers {
            cycles: Some(cycles),
            lanes: Some(16.0),
            ..Numbers::default()
        },
        how,
    }
}

/// Loops of one group of 16 work-items, without vector instructions.
pub fn group(kernel: &'static str, what: &'static str, cycles: f64, how: &'static str) -> Row {
    let mut row = lanes(kernel, what, cycles, how);
    row.by_hand.lanes = None;
    row
}

/// Loops of one work-item, which the control core runs.
pub fn control(kernel: &'static str, what: &'static str, cycles: f64, how: &'static str) -> Row {
    Row {
        items: 1,
        ..group(kernel, what, cycles, how)
    }
}

impl Row {
    /// With that many bytes of DDR.
    pub fn bytes(mut self, bytes: f64) -> Self {
        self.by_hand.bytes = bytes;
        self
    }

    /// With that many active lanes.
    pub fn active(mut self, lanes: f64) -> Self {
        self.by_hand.lanes = Some(lanes);
        self
    }

    /// With that many work-groups.
    pub fn groups(mut self, groups: usize) -> Self {
        self.groups = groups;
        self
    }

    /// With waits at the line that contains `line`.
    pub fn waits(mut self, activity: &'static str, line: &'static str, cycles: f64) -> Self {
        self.by_hand.waits.push(Wait {
            activity,
            line,
            cycles,
        });
        self
    }

    /// Counting `of`, with these numbers of them.
    pub fn counting(mut self, of: &'static str, sizes: [u32; 2]) -> Self {
        (self.of, self.sizes) = (of, sizes);
        self
    }

    /// The control core has code that is too long: only waits are computed by hand.
    pub fn only_waits(mut self) -> Self {
        self.by_hand.cycles = None;
        self
    }

    /// The row of the table, with the numbers that `mocl3 stat` shows.
    pub fn text(&self, simulated: &Numbers) -> String {
        let by_hand = &self.by_hand;
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), digits);
        let waits = |numbers: &Numbers| {
            let texts = numbers.waits.iter().map(Wait::text);
            texts.collect::<Vec<_>>().join("; ")
        };
        let items = match (self.groups, self.items) {
            (1, items) => items.to_string(),
            (groups, items) => format!("{groups} × {items}"),
        };
        format!(
            "| `{}` | {items} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            self.kernel,
            self.what,
            self.of,
            number(by_hand.cycles),
            number(simulated.cycles),
            digits(by_hand.bytes),
            digits(simulated.bytes),
            number(by_hand.lanes),
            number(simulated.lanes),
            waits(by_hand),
            waits(simulated),
            self.how,
        )
    }

    /// Whether the numbers of `mocl3 stat` are those computed by hand: to a thousandth, since launches
    /// end after whole cycles, and the cycles of lines to their rounding.
    pub fn agrees(&self, simulated: &Numbers) -> bool {
        let by_hand = &self.by_hand;
        let close = |one: f64, other: f64| (one - other).abs() <= one.abs() / 1000.0;
        let both = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => close(one, other),
            (one, other) => one == other,
        };
        let waits = by_hand.waits.iter().zip(&simulated.waits);
        both(by_hand.cycles, simulated.cycles)
            && close(by_hand.bytes, simulated.bytes)
            && both(by_hand.lanes, simulated.lanes)
            && by_hand.waits.len() == simulated.waits.len()
            && waits.into_iter().all(|(one, other)| {
                (one.activity, one.line) == (other.activity, other.line)
                    && (one.cycles - other.cycles).abs() < ROUNDING
            })
    }
}

impl Wait {
    fn text(&self) -> String {
        let activity = self.activity.replace('_', " ");
        format!("{activity} {} at `{}`", digits(self.cycles), self.line)
    }
}

/// The value of a number of the machine.
pub fn value(quantity: &Quantity) -> f64 {
    quantity.value as f64
}
