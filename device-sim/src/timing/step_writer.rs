//! Encodes the steps of a work-group while it runs, as a sequence of numbers and its hash, by which
//! groups with equal steps are recognised. Transfers that are started in a loop become one step.

use super::counter_costs::CounterCosts;
use super::launch_record::{GroupStep, GroupSteps};
use crate::machine::SharedMemory;

/// Kinds of steps, in the low bits of their first number. The direction of transfers is in the third
/// bit, the site of waits in those from `SITE` and the event in the upper half.
const RUN: u64 = 0;
const TRANSFER: u64 = 1;
const WAIT: u64 = 2;
const SITE: u32 = 3;

/// Number of cost sums that are cycles; they come first.
const CYCLES: usize = 4;

/// Maximum cycles between transfers of an event that become one step: a loop over rows takes fewer per
/// iteration, apart from starting the transfer.
const SHORT: u64 = 400;

/// Encodes the steps of one group after another.
#[derive(Debug, Default)]
pub struct StepWriter {
    numbers: Vec<u64>,
    hash: u128,
    /// The latest transfers, which are not encoded yet.
    last: Transfers,
    /// Cost sums of the code between them.
    between: Vec<u64>,
    /// Their sites, with the number of transfers of each.
    sites: Vec<(u32, u64)>,
    /// The numbers of the last complete group.
    finished: Vec<u64>,
}

/// Consecutive equal transfers.
#[derive(Clone, Copy, Debug, Default)]
struct Transfers {
    /// Kind, event and direction.
    kind: u64,
    rows: u64,
    row_bytes: u64,
    /// Their number.
    times: u64,
}

/// The encoded steps of a group.
pub struct Written<'a>(&'a [u64]);

impl StepWriter {
    /// Whether no step has been written.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.last.times == 0
    }

    /// Writes code with these cost sums, and the start of a transfer.
    pub fn transfer(
        &mut self,
        sums: &[u64],
        event: u32,
        rows: u64,
        row_bytes: u64,
        to_scratchpad: bool,
        site: u32,
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
            self.sites.clear();
            self.last = Transfers {
                kind,
                rows,
                row_bytes,
                times: 0,
            };
        }
        self.last.times += 1;
        match self.sites.iter_mut().find(|(known, _)| *known == site) {
            Some((_, times)) => *times += 1,
            None => self.sites.push((site, 1)),
        }
    }

    /// Writes code with these cost sums, and a wait for an event.
    pub fn wait(&mut self, sums: &[u64], event: u32, site: u32) {
        self.write_last();
        self.run(sums);
        self.write(WAIT | u64::from(site << SITE) | u64::from(event) << 32);
    }

    /// Writes code with these cost sums, the last of the group; the hash and steps of the group.
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
        self.write(self.sites.len() as u64);
        for place in 0..self.sites.len() {
            let (site, times) = self.sites[place];
            self.write(site.into());
            self.write(times);
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
    /// Decodes the steps.
    pub fn read(&self, costs: &CounterCosts) -> GroupSteps {
        let mut steps = Vec::new();
        let mut rest = self.0.iter().copied();
        let mut next = || rest.next();
        while let Some(kind) = next() {
            let event = (kind >> 32) as u32;
            let mut number = || next().expect("steps are whole");
            match kind & 3 {
                WAIT => steps.push(GroupStep::Wait {
                    event,
                    site: kind as u32 >> SITE,
                }),
                RUN => {
                    let sums: Vec<u64> = (0..costs.sums()).map(|_| number()).collect();
                    steps.push(GroupStep::Run(costs.work(&sums)));
                }
                _ => {
                    let [rows, row_bytes, times] = [(); 3].map(|()| number());
                    let sums: Vec<u64> = (0..costs.sums()).map(|_| number()).collect();
                    let sites = (0..number()).map(|_| (number() as u32, number())).collect();
                    steps.push(GroupStep::Transfer {
                        times,
                        between: costs.work(&sums),
                        event,
                        rows,
                        row_bytes,
                        to_scratchpad: kind & 4 != 0,
                        memory: SharedMemory::Ddr,
                        second: None,
                        sites,
                    });
                }
            }
        }
        steps.into()
    }
}
