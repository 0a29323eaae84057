//! The steps of a work-group as they are written down while it runs: numbers in a row, with a
//! hash by which groups that did the same are known. Transfers that are started in a loop become
//! one step.

use super::counter_costs::CounterCosts;
use super::launch_record::{GroupStep, GroupSteps};

/// Kinds of steps, in the low bits of their first number.
const RUN: u64 = 0;
const TRANSFER: u64 = 1;
const WAIT: u64 = 2;

/// Sums that are cycles; they come first.
const CYCLES: usize = 4;

/// Transfers of an event are one step if no more cycles than this are between them: what a loop
/// over rows takes for each, beside starting it.
const SHORT: u64 = 400;

/// Writes the steps of one group after the other.
#[derive(Debug, Default)]
pub struct StepWriter {
    numbers: Vec<u64>,
    hash: u128,
    /// Transfers that were started last. They are not among the numbers yet.
    last: Transfers,
    /// The sums of what was run between them.
    between: Vec<u64>,
    /// The numbers of the group that was finished last.
    finished: Vec<u64>,
}

/// Transfers that are alike.
#[derive(Clone, Copy, Debug, Default)]
struct Transfers {
    /// Kind, event and direction.
    kind: u64,
    rows: u64,
    row_bytes: u64,
    /// How many these are.
    times: u64,
}

/// What a group did.
pub struct Written<'a>(&'a [u64]);

impl StepWriter {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.last.times == 0
    }

    /// Code has run, whose sums these are; then a transfer is started.
    pub fn transfer(
        &mut self,
        sums: &[u64],
        event: u32,
        rows: u64,
        row_bytes: u64,
        to_scratchpad: bool,
    ) {
        let kind = TRANSFER | u64::from(to_scratchpad) << 2 | u64::from(event) << 32;
        let last = &self.last;
        let same = last.times > 0
            && last.kind == kind
            && last.rows == rows
            && last.row_bytes == row_bytes
            && sums[..CYCLES].iter().sum::<u64>() <= SHORT;
        if same {
            for (between, sum) in self.between.iter_mut().zip(sums) {
                *between += sum;
            }
        } else {
            self.write_last();
            self.run(sums);
            self.between.clear();
            self.between.resize(sums.len(), 0);
            self.last = Transfers {
                kind,
                rows,
                row_bytes,
                times: 0,
            };
        }
        self.last.times += 1;
    }

    /// Code has run, whose sums these are; then an event is waited for.
    pub fn wait(&mut self, sums: &[u64], event: u32) {
        self.write_last();
        self.run(sums);
        self.write(WAIT | u64::from(event) << 32);
    }

    /// The group has ended, and these are the sums of what it ran at last. Its hash and steps.
    pub fn finish(&mut self, sums: &[u64]) -> (u128, Written<'_>) {
        self.write_last();
        self.run(sums);
        std::mem::swap(&mut self.numbers, &mut self.finished);
        self.numbers.clear();
        (std::mem::take(&mut self.hash), Written(&self.finished))
    }

    fn write_last(&mut self) {
        let Transfers {
            kind,
            rows,
            row_bytes,
            times,
        } = std::mem::take(&mut self.last);
        if times == 0 {
            return;
        }
        for number in [kind, rows, row_bytes, times] {
            self.write(number);
        }
        for place in 0..self.between.len() {
            self.write(self.between[place]);
        }
    }

    fn run(&mut self, sums: &[u64]) {
        if sums.iter().any(|sum| *sum > 0) {
            self.write(RUN);
            for &sum in sums {
                self.write(sum);
            }
        }
    }

    fn write(&mut self, number: u64) {
        // The multiplier is an odd number of 128 bits that looks random (PCG's).
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.hash = (self.hash ^ u128::from(number) ^ 1 << 64).wrapping_mul(MULTIPLIER);
        self.hash ^= self.hash >> 67;
        self.numbers.push(number);
    }
}

impl Written<'_> {
    /// As steps; the sums are those of a kernel's weights.
    pub fn read(&self, weights: &CounterCosts) -> GroupSteps {
        let mut steps = Vec::new();
        let mut rest = self.0.iter().copied();
        let mut next = || rest.next();
        while let Some(kind) = next() {
            let event = (kind >> 32) as u32;
            let mut number = || next().expect("steps are whole");
            match kind & 3 {
                WAIT => steps.push(GroupStep::Wait { event }),
                RUN => {
                    let sums: Vec<u64> = (0..weights.sums()).map(|_| number()).collect();
                    steps.push(GroupStep::Run(weights.work(&sums)));
                }
                _ => {
                    let [rows, row_bytes, times] = [(); 3].map(|()| number());
                    let sums: Vec<u64> = (0..weights.sums()).map(|_| number()).collect();
                    steps.push(GroupStep::Transfer {
                        times,
                        between: weights.work(&sums),
                        event,
                        rows,
                        row_bytes,
                        to_scratchpad: kind & 4 != 0,
                    });
                }
            }
        }
        steps.into()
    }
}
