//! The schedule of the GEMM papers: a panel of A in GSM, which all arrays share, while the next one is loaded;
//! blocks of B in AM, of which two are in use; and blocks of C in AM, three of them, so that one is loaded and
//! one stored while the third is computed. Each panel adds its part to C in DDR. An array has all rows of a
//! panel, and a block of columns of each round.

use super::kernels::{Kernels, ROWS};
use super::product::{Block, Product};
use crate::schedule::launch::Schedule;
use crate::schedule::steps::{load, load_shared, run, store, wait};
use device_sim::machine::{Machine, SharedMemory};
use device_sim::timing::engine::programs::{Action, Program};
use device_sim::units::Bytes;

/// Rows of a block of C; GEMM papers.
const BLOCK_ROWS: u64 = 252;

/// Events of transfers.
const PANEL: u32 = 2;
const B: u32 = 4;
const LOAD_C: u32 = 6;
const STORE_C: u32 = 9;

/// The blocks, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panels {
    /// Rows of A in a panel.
    rows: u64,
    /// Rows of a block of C.
    block_rows: u64,
    /// Blocks of C in AM.
    buffers: u64,
}

impl Panels {
    /// The blocks of the papers as far as they fit.
    pub fn new(product: &Product, machine: &Machine) -> Self {
        let kernels = Kernels::new(product, machine);
        let memory = &machine.memory;
        let left = memory
            .am
            .size
            .value
            .saturating_sub(2 * kernels.block_of_b());
        let fits_am = left / (3 * kernels.width() * kernels.bytes);
        let block_rows = BLOCK_ROWS.min(fits_am / ROWS * ROWS).max(ROWS);
        let fits_gsm = memory.gsm.size.value / (2 * kernels.depth() * kernels.bytes);
        Self {
            rows: (fits_gsm / block_rows * block_rows).max(block_rows),
            block_rows,
            buffers: 3,
        }
    }

    /// The same with as many blocks of C in AM: two, or three.
    pub fn with_buffers(self, buffers: u64) -> Self {
        Self { buffers, ..self }
    }

    /// Cycles by count: those of the array with most micro-kernels, or what DDR's traffic takes.
    pub fn estimate(
        &self,
        product: &Product,
        kernels: &Kernels,
        machine: &Machine,
        arrays: u64,
    ) -> u128 {
        let columns = product.n.div_ceil(kernels.width()).div_ceil(arrays);
        let panels = product.m.div_ceil(self.rows);
        let depths = product.k.div_ceil(kernels.depth());
        let count = columns * depths * product.m.div_ceil(ROWS);
        let [m, n, k] = [product.m, product.n, product.k].map(u128::from);
        let moved = m * k + k * n * u128::from(panels) + 2 * m * n * u128::from(depths);
        kernels.estimate(machine, count, moved)
    }

    /// The schedule with these blocks.
    pub fn schedule(self, product: Product, machine: &Machine, arrays: u64) -> Schedule {
        let kernels = Kernels::new(&product, machine);
        let mut programs: Vec<Program> = Vec::new();
        let mut products = 0;
        for number in 0..arrays {
            let array = Array {
                product,
                panels: self,
                kernels,
                number,
                arrays,
                panel: 0,
                blocks_of_b: 0,
                blocks_of_c: 0,
                keeps_c: false,
                stored: None,
            };
            products += array.products();
            programs.push(Box::new(array));
        }
        let of_c = self.buffers * self.block_rows * kernels.width() * kernels.bytes;
        let am = 2 * kernels.block_of_b() + of_c;
        Schedule::new(programs, kernels.work(&product, products), Bytes(am))
    }
}

/// The program of one array.
struct Array {
    product: Product,
    panels: Panels,
    kernels: Kernels,
    number: u64,
    arrays: u64,
    /// The number of the next panel.
    panel: u64,
    /// Blocks of B and of C that it has had.
    blocks_of_b: u64,
    blocks_of_c: u64,
    /// Whether the block of C is in AM from the panel before.
    keeps_c: bool,
    /// The last block of C that was stored, and its number.
    stored: Option<(Block, u64)>,
}

/// A panel of A: its first row and column, and their numbers.
#[derive(Clone, Copy)]
struct Panel {
    row: u64,
    rows: u64,
    step: u64,
    steps: u64,
}

impl Array {
    /// Panels in order: all rows of some columns, then the next columns.
    fn panel(&self, number: u64) -> Option<Panel> {
        let Product { m, k, .. } = self.product;
        let (rows, depth) = (self.panels.rows, self.kernels.depth());
        let row_panels = m.div_ceil(rows);
        let (row, step) = (number % row_panels * rows, number / row_panels * depth);
        (step < k).then(|| Panel {
            row,
            rows: rows.min(m - row),
            step,
            steps: depth.min(k - step),
        })
    }

    /// Its own blocks of C in a panel.
    fn blocks(&self, panel: Panel) -> Vec<Block> {
        let width = self.kernels.width();
        let mut blocks = Vec::new();
        let columns = (self.number * width..self.product.n).step_by((self.arrays * width) as usize);
        for column in columns {
            for row in (0..panel.rows).step_by(self.panels.block_rows as usize) {
                let block = Block {
                    rows: [
                        panel.row + row,
                        self.panels.block_rows.min(panel.rows - row),
                    ],
                    columns: [column, width.min(self.product.n - column)],
                };
                if self.product.has(block, [panel.step, panel.steps]) {
                    blocks.push(block);
                }
            }
        }
        blocks
    }

    /// Multiply-adds of all its blocks.
    fn products(&self) -> u64 {
        let panels = (0..).map_while(|number| self.panel(number));
        let of_panel = |panel: Panel| {
            let blocks = self.blocks(panel).into_iter();
            blocks
                .map(|block| block.rows[1] * block.columns[1] * panel.steps)
                .sum::<u64>()
        };
        panels.map(of_panel).sum()
    }

    /// Loads the panel of that number, if there is one; the first array does.
    fn load_panel(&self, number: u64, actions: &mut Vec<Action>) {
        if let Some(panel) = self.panel(number).filter(|_| self.number == 0) {
            let is_transposed = self.product.a_is_transposed;
            let rows = self.kernels.rows(panel.rows, panel.steps, is_transposed);
            actions.push(load_shared(PANEL + number as u32 % 2, rows));
        }
    }

    /// The first block of the panels from one on, with its panel.
    fn next_block(&self, from: u64) -> Option<(Block, Panel)> {
        let mut panels = (from..).map_while(|number| self.panel(number));
        panels.find_map(|panel| Some((*self.blocks(panel).first()?, panel)))
    }

    fn load_b(&self, columns: u64, steps: u64, number: u64) -> Action {
        let rows = self
            .kernels
            .rows(steps, columns, self.product.b_is_transposed);
        load(B + (number % 2) as u32, rows, SharedMemory::Ddr)
    }

    /// Whether the old elements of C are read with a panel.
    fn reads_c(&self, panel: Panel) -> bool {
        self.product.reads_c || panel.step > 0
    }

    fn event(&self, first: u32, number: u64) -> u32 {
        first + (number % self.panels.buffers) as u32
    }

    fn load_c(&self, block: Block, number: u64) -> Action {
        let rows = self.kernels.rows(block.rows[1], block.columns[1], false);
        load(self.event(LOAD_C, number), rows, SharedMemory::Ddr)
    }

    /// Multiplies for a block of C, and loads the next one meanwhile.
    fn multiply_block(
        &mut self,
        block: Block,
        panel: Panel,
        next: Option<(Block, Panel)>,
        actions: &mut Vec<Action>,
    ) {
        let number = self.blocks_of_c;
        // A block that the next panel has again stays in AM.
        let is_next = next.is_some_and(|(next, _)| next == block);
        if let Some((next, panel)) = next.filter(|_| !is_next) {
            // Its buffer has been stored; so has it, if it was the block before.
            match self.stored {
                Some((stored, number)) if stored == next => {
                    actions.push(wait(self.event(STORE_C, number)));
                }
                _ if number + 1 >= self.panels.buffers => {
                    actions.push(wait(self.event(STORE_C, number + 1)));
                }
                _ => {}
            }
            if self.reads_c(panel) {
                actions.push(self.load_c(next, number + 1));
            }
        }
        if self.reads_c(panel) && !self.keeps_c {
            actions.push(wait(self.event(LOAD_C, number)));
        }
        self.kernels.multiply(block.rows[1], panel.steps, actions);
        self.keeps_c = is_next;
        if !is_next {
            let rows = self.kernels.rows(block.rows[1], block.columns[1], false);
            actions.push(store(self.event(STORE_C, number), rows));
            self.stored = Some((block, number));
            self.blocks_of_c += 1;
        }
    }
}

impl Iterator for Array {
    type Item = Vec<Action>;

    /// The actions of a panel.
    fn next(&mut self) -> Option<Vec<Action>> {
        let number = self.panel;
        let panel = self.panel(number)?;
        self.panel += 1;
        let mut actions = Vec::new();
        let blocks = self.blocks(panel);
        if number == 0 {
            self.load_panel(0, &mut actions);
            if let Some((block, first)) = self.next_block(0) {
                actions.push(self.load_b(block.columns[1], first.steps, 0));
                if self.reads_c(first) {
                    actions.push(self.load_c(block, 0));
                }
            }
        }
        // The next panel is loaded to the other half of GSM, which no array reads since the last barrier.
        if self.number == 0 {
            actions.push(wait(PANEL + number as u32 % 2));
        }
        actions.push(Action::Barrier);
        self.load_panel(number + 1, &mut actions);
        if self.product.a_is_transposed {
            let elements = panel.rows * panel.steps / self.arrays;
            actions.push(run(self.kernels.transposition(elements)));
        }
        let following = self.next_block(number + 1);
        let mut column_before = None;
        for (place, &block) in blocks.iter().enumerate() {
            let [column, columns] = block.columns;
            if column_before != Some(column) {
                column_before = Some(column);
                // The next block of B is loaded while this one is in use.
                let mut later = blocks[place..].iter();
                let later = later.find(|later| later.columns[0] != column);
                if let Some((next, panel)) = later.map(|later| (*later, panel)).or(following) {
                    let number = self.blocks_of_b + 1;
                    actions.push(self.load_b(next.columns[1], panel.steps, number));
                }
                actions.push(wait(B + (self.blocks_of_b % 2) as u32));
                self.blocks_of_b += 1;
                if self.product.b_is_transposed {
                    let elements = columns * panel.steps;
                    actions.push(run(self.kernels.transposition(elements)));
                }
            }
            let next = blocks.get(place + 1).map(|next| (*next, panel));
            self.multiply_block(block, panel, next.or(following), &mut actions);
        }
        Some(actions)
    }
}
