//! A schedule with less traffic: each array has a block of C in AM until it is complete. The arrays are a grid:
//! those of a row have the same rows of A, which all arrays load to GSM, each a part; those of a column have the
//! same columns of B, of which each loads a part that DMA broadcasts to the others. While a block is computed,
//! the next parts of A and B are loaded, and the blocks of C before and after it are stored and loaded.

use super::kernels::{Kernels, ROWS};
use super::product::{Block, Product};
use crate::schedule::launch::Schedule;
use crate::schedule::steps::{load, load_shared, run, share, store, wait};
use device_sim::machine::{Machine, SharedMemory};
use device_sim::timing::engine::programs::{Action, Program};
use device_sim::units::Bytes;

/// Events of transfers, each for two buffers.
const A: u32 = 2;
const B: u32 = 4;
const LOAD_C: u32 = 6;
const STORE_C: u32 = 8;

/// The grid of arrays, and the rows of their blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resident {
    /// Arrays of a column of the grid.
    row_parts: u64,
    /// Arrays of a row of the grid.
    column_parts: u64,
    /// Rows of a block.
    rows: u64,
}

impl Resident {
    /// The grid that takes least time by count.
    pub fn new(product: &Product, kernels: &Kernels, machine: &Machine, arrays: u64) -> Self {
        let memory = &machine.memory;
        let left = memory
            .am
            .size
            .value
            .saturating_sub(2 * kernels.block_of_b());
        let fits_am = left / (2 * kernels.width() * kernels.bytes);
        let fits_gsm = memory.gsm.size.value / (2 * kernels.depth() * kernels.bytes);
        let grid = |row_parts: u64| {
            let most = fits_am.min(fits_gsm / row_parts) / ROWS * ROWS;
            let most = most.max(ROWS);
            // Rounds with equal numbers of rows.
            let rounds = product.m.div_ceil(most * row_parts).max(1);
            let rows = product.m.div_ceil(rounds * row_parts);
            Self {
                row_parts,
                column_parts: arrays / row_parts,
                rows: rows.next_multiple_of(ROWS).min(most),
            }
        };
        let divisors = (1..=arrays).filter(|parts| arrays.is_multiple_of(*parts));
        let best = divisors
            .map(grid)
            .min_by_key(|grid| grid.estimate(product, kernels, machine));
        best.unwrap_or_else(|| grid(1))
    }

    /// Rows and columns of C that are complete after a round.
    fn round_size(&self, kernels: &Kernels) -> [u64; 2] {
        [
            self.rows * self.row_parts,
            kernels.width() * self.column_parts,
        ]
    }

    /// Cycles by count: those of the first array, or what DDR's traffic takes.
    pub fn estimate(&self, product: &Product, kernels: &Kernels, machine: &Machine) -> u128 {
        let [rows, columns] = self.round_size(kernels);
        let row_rounds = product.m.div_ceil(rows);
        let column_rounds = product.n.div_ceil(columns);
        let depths = product.k.div_ceil(kernels.depth());
        let last = product.m - (row_rounds - 1) * rows;
        let of_rows = (row_rounds - 1) * (self.rows / ROWS) + self.rows.min(last).div_ceil(ROWS);
        let count = of_rows * column_rounds * depths;
        let [m, n, k] = [product.m, product.n, product.k].map(u128::from);
        let moved = m * k * u128::from(column_rounds) + k * n * u128::from(row_rounds) + 2 * m * n;
        kernels.estimate(machine, count, moved)
    }

    pub fn schedule(self, product: Product, kernels: Kernels, arrays: u64) -> Schedule {
        let mut programs: Vec<Program> = Vec::new();
        let mut products = 0;
        for number in 0..arrays {
            let array = Array {
                product,
                grid: self,
                kernels,
                number,
                place: None,
                loaded: 0,
            };
            products += array.products();
            programs.push(Box::new(array));
        }
        let of_c = 2 * self.rows * kernels.width() * kernels.bytes;
        let am = 2 * kernels.block_of_b() + of_c;
        Schedule::new(programs, kernels.work(&product, products), Bytes(am))
    }
}

/// The program of one array.
struct Array {
    product: Product,
    grid: Resident,
    kernels: Kernels,
    number: u64,
    /// The part of the product that was computed last.
    place: Option<Place>,
    /// Parts of A and B that have been loaded.
    loaded: u64,
}

/// A round, and a range of steps of it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    round: u64,
    step: u64,
}

impl Array {
    /// The block of C of all arrays in a round; none behind the last one.
    fn round(&self, round: u64) -> Option<Block> {
        let Product { m, n, .. } = self.product;
        let [rows, columns] = self.grid.round_size(&self.kernels);
        let column_rounds = n.div_ceil(columns);
        let row = round / column_rounds * rows;
        let column = round % column_rounds * columns;
        (row < m).then(|| Block {
            rows: [row, rows.min(m - row)],
            columns: [column, columns.min(n - column)],
        })
    }

    /// Its own part of that; none if it has no rows or columns.
    fn own(&self, round: u64) -> Option<Block> {
        let all = self.round(round)?;
        let parts = self.grid.column_parts;
        let part = |[first, count]: [u64; 2], size: u64, number: u64| {
            let begin = (number * size).min(count);
            [first + begin, (count - begin).min(size)]
        };
        let rows = part(all.rows, self.grid.rows, self.number / parts);
        let columns = part(all.columns, self.kernels.width(), self.number % parts);
        (rows[1] > 0 && columns[1] > 0).then_some(Block { rows, columns })
    }

    fn steps(&self, step: u64) -> u64 {
        self.kernels.depth().min(self.product.k - step)
    }

    /// Whether a block is computed at a place.
    fn has(&self, block: Block, place: Place) -> bool {
        self.product
            .has(block, [place.step, self.steps(place.step)])
    }

    /// The place behind one, or the first one, that some array has.
    fn next_place(&self, before: Option<Place>) -> Option<Place> {
        let mut place = match before {
            None => Place { round: 0, step: 0 },
            Some(place) => Place {
                step: place.step + self.kernels.depth(),
                ..place
            },
        };
        loop {
            let all = self.round(place.round)?;
            if place.step >= self.product.k {
                place = Place {
                    round: place.round + 1,
                    step: 0,
                };
            } else if self.has(all, place) {
                return Some(place);
            } else {
                place.step += self.kernels.depth();
            }
        }
    }

    /// Multiply-adds of all its blocks.
    fn products(&self) -> u64 {
        let mut products = 0;
        let mut place = self.next_place(None);
        while let Some(now) = place {
            if let Some(block) = self.own(now.round).filter(|block| self.has(*block, now)) {
                products += block.rows[1] * block.columns[1] * self.steps(now.step);
            }
            place = self.next_place(place);
        }
        products
    }

    /// Loads its parts of A and B for a place. Returns their elements.
    fn load(&mut self, place: Place, actions: &mut Vec<Action>) {
        let Some(all) = self.round(place.round) else {
            return;
        };
        let buffer = (self.loaded % 2) as u32;
        self.loaded += 1;
        let arrays = self.grid.row_parts * self.grid.column_parts;
        let steps = self.steps(place.step);
        let rows = share(all.rows[1], 1, self.number, arrays);
        let rows = rows.end - rows.start;
        if rows > 0 {
            let rows = self.kernels.rows(rows, steps, self.product.a_is_transposed);
            actions.push(load_shared(A + buffer, rows));
        }
        if let Some(own) = self.column(place.round) {
            let row_part = self.number / self.grid.column_parts;
            let part = share(steps, 1, row_part, self.grid.row_parts);
            let steps = part.end - part.start;
            if steps > 0 {
                let rows = self.kernels.rows(steps, own, self.product.b_is_transposed);
                actions.push(load(B + buffer, rows, SharedMemory::Ddr));
            }
        }
    }

    /// Columns of its column of the grid in a round; none if there are none.
    fn column(&self, round: u64) -> Option<u64> {
        let all = self.round(round)?;
        let width = self.kernels.width();
        let begin = self.number % self.grid.column_parts * width;
        (begin < all.columns[1]).then(|| width.min(all.columns[1] - begin))
    }

    /// Cycles of transposing what it has loaded.
    fn transpositions(&self, place: Place) -> u64 {
        let steps = self.steps(place.step);
        let arrays = self.grid.row_parts * self.grid.column_parts;
        let rows = self.round(place.round).map_or(0, |all| all.rows[1]);
        let of_a = u64::from(self.product.a_is_transposed) * rows * steps / arrays;
        let columns = self.column(place.round).unwrap_or_default();
        let of_b = u64::from(self.product.b_is_transposed) * columns * steps;
        self.kernels.transposition(of_a) + self.kernels.transposition(of_b)
    }

    fn load_c(&self, round: u64, actions: &mut Vec<Action>) {
        if let Some(block) = self.own(round).filter(|_| self.product.reads_c) {
            let rows = self.kernels.rows(block.rows[1], block.columns[1], false);
            actions.push(load(LOAD_C + (round % 2) as u32, rows, SharedMemory::Ddr));
        }
    }
}

impl Iterator for Array {
    type Item = Vec<Action>;

    /// The actions of a place.
    fn next(&mut self) -> Option<Vec<Action>> {
        let before = self.place;
        let place = self.next_place(before)?;
        let next = self.next_place(Some(place));
        let is_first = before.is_none_or(|before| before.round != place.round);
        let is_last = next.is_none_or(|next| next.round != place.round);
        let mut actions = Vec::new();
        if before.is_none() {
            self.load(place, &mut actions);
            self.load_c(place.round, &mut actions);
        }
        let buffer = ((self.loaded + 1) % 2) as u32;
        actions.push(wait(A + buffer));
        actions.push(wait(B + buffer));
        let transpositions = self.transpositions(place);
        if transpositions > 0 {
            actions.push(run(transpositions));
        }
        // All parts have been loaded; the other buffers are no longer read.
        actions.push(Action::Barrier);
        if let Some(next) = next {
            self.load(next, &mut actions);
        }
        let of_round = (place.round % 2) as u32;
        if is_first {
            actions.push(wait(LOAD_C + of_round));
        }
        if let Some(next) = next.filter(|_| is_last) {
            actions.push(wait(STORE_C + (next.round % 2) as u32));
            self.load_c(next.round, &mut actions);
        }
        if let Some(block) = self.own(place.round) {
            if self.has(block, place) {
                let steps = self.steps(place.step);
                self.kernels.multiply(block.rows[1], steps, &mut actions);
            }
            if is_last {
                let rows = self.kernels.rows(block.rows[1], block.columns[1], false);
                actions.push(store(STORE_C + of_round, rows));
            }
        }
        self.place = Some(place);
        Some(actions)
    }
}
