//! A lattice gas in strips that are distributed over the devices, with rows copied between them
//! after each step.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Buffer, Session};

const WIDTH: usize = 120;
const STRIPS: usize = 5;
const ROWS: usize = 18;
const HEIGHT: usize = STRIPS * ROWS;
const STEPS: usize = 20;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(61);
    let mut cells: Vec<u8> = (0..WIDTH * HEIGHT)
        .map(|_| (random.below(16) & random.below(16)) as u8)
        .collect();

    let session = session.on_all_devices()?;
    let program = session.program(include_str!("lattice_gas.cl"), "")?;
    let kernel = program.kernel("advance")?;
    let mut queues = Vec::new();
    let (mut from, mut to): (Vec<Buffer<u8>>, Vec<Buffer<u8>>) = (Vec::new(), Vec::new());
    for strip in 0..STRIPS {
        let devices = session.context.devices().len();
        queues.push(session.queue_on(strip % devices, 0)?);
        for buffers in [&mut from, &mut to] {
            buffers.push(session.zeros::<u8>((ROWS + 2) * WIDTH)?);
        }
        // The strip includes the last row of the previous strip and the first row of the next one.
        let first = strip * ROWS + HEIGHT - 1;
        session.map(&queues[strip], &from[strip], |rows| {
            for (row, line) in rows.chunks_mut(WIDTH).enumerate() {
                let start = (first + row) % HEIGHT * WIDTH;
                line.copy_from_slice(&cells[start..start + WIDTH]);
            }
        })?;
    }
    for _ in 0..STEPS {
        let mut stepped = Vec::new();
        for strip in 0..STRIPS {
            let sizes: [&[usize]; 3] = [&[], &[WIDTH, ROWS], &[]];
            let arguments: [&dyn harness::session::Argument; 2] = [&from[strip], &to[strip]];
            stepped.push(session.enqueue(&queues[strip], &kernel, sizes, &arguments, &[])?);
        }
        let mut copied = Vec::new();
        for strip in 0..STRIPS {
            // Copies this strip's inner border rows to the outer rows of its neighbours.
            let (next, before) = ((strip + 1) % STRIPS, (strip + STRIPS - 1) % STRIPS);
            for (other, row, place) in [(next, ROWS, 0), (before, 1, ROWS + 1)] {
                let events = [stepped[strip].get(), stepped[other].get()];
                let [source, target] = to.get_disjoint_mut([strip, other])?;
                copied.push(session.copy(
                    &queues[other],
                    (source, row * WIDTH),
                    (target, place * WIDTH),
                    WIDTH,
                    &events,
                )?);
            }
        }
        // The rows must have arrived before they are read or overwritten.
        for event in &copied {
            event.wait()?;
        }
        std::mem::swap(&mut from, &mut to);
    }
    let mut got = Vec::new();
    for strip in 0..STRIPS {
        session.map(&queues[strip], &from[strip], |rows| {
            got.extend_from_slice(&rows[WIDTH..][..ROWS * WIDTH]);
        })?;
    }

    for _ in 0..STEPS {
        cells = advanced(&cells);
    }
    equal("cells", &got, &cells)
}

/// One step of the gas on the host.
fn advanced(cells: &[u8]) -> Vec<u8> {
    // Each particle moves one cell.
    let mut next = vec![0u8; cells.len()];
    for (place, cell) in cells.iter().enumerate() {
        let (x, y) = (place % WIDTH, place / WIDTH);
        let targets = [
            (x + 1, y),
            (x, y + HEIGHT - 1),
            (x + WIDTH - 1, y),
            (x, y + 1),
        ];
        for (bit, (x, y)) in targets.into_iter().enumerate() {
            next[y % HEIGHT * WIDTH + x % WIDTH] |= cell & 1 << bit;
        }
    }
    for cell in &mut next {
        if *cell == 0b0101 || *cell == 0b1010 {
            *cell ^= 0b1111;
        }
    }
    next
}
