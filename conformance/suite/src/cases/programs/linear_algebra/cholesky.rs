//! Tiled Cholesky decomposition: tiles are sub-buffers, tasks run out of order, and events
//! say which must be before which.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Buffer, Session};
use opencl3::command_queue::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
use opencl3::event::Event;

const TILES: usize = 4;
const B: usize = 32;
const N: usize = TILES * B;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(60);
    let mut matrix = vec![0.0; N * N];
    for (i, j) in (0..N).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let large = if i == j { N as f64 } else { 0.0 };
        let value = random.double(-1.0, 1.0) + large;
        (matrix[i * N + j], matrix[j * N + i]) = (value, value);
    }
    // Where an element is when each tile is in one piece.
    let place = |i: usize, j: usize| ((i / B * TILES + j / B) * B + i % B) * B + j % B;
    let mut tiled = vec![0.0; N * N];
    for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
        tiled[place(i, j)] = matrix[i * N + j];
    }

    let program = session.program(include_str!("cholesky.cl"), &format!("-DB={B}"))?;
    let (factor, solve) = (program.kernel("factor")?, program.kernel("solve")?);
    let update = program.kernel("update")?;
    let queue = session.queue_on(0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)?;
    let whole = session.buffer(&tiled)?;
    let tiles: Vec<Buffer<f64>> = (0..TILES * TILES)
        .map(|tile| whole.part(tile * B * B, B * B))
        .collect::<Result<_>>()?;
    let tile = |i: usize, j: usize| &tiles[i * TILES + j];
    // The last task that wrote each tile.
    let mut written: Vec<Option<Event>> = (0..TILES * TILES).map(|_| None).collect();
    let sizes: [&[usize]; 3] = [&[], &[B], &[B]];
    let after = |written: &[Option<Event>], places: &[usize]| {
        let events = places.iter().filter_map(|&place| written[place].as_ref());
        events.map(Event::get).collect::<Vec<_>>()
    };
    for k in 0..TILES {
        let diagonal = k * TILES + k;
        let events = after(&written, &[diagonal]);
        let done = session.enqueue(&queue, &factor, sizes, &[tile(k, k)], &events)?;
        written[diagonal] = Some(done);
        for i in k + 1..TILES {
            let events = after(&written, &[diagonal, i * TILES + k]);
            let arguments: [&dyn harness::session::Argument; 2] = [tile(k, k), tile(i, k)];
            let done = session.enqueue(&queue, &solve, sizes, &arguments, &events)?;
            written[i * TILES + k] = Some(done);
        }
        for (i, j) in (k + 1..TILES).flat_map(|i| (k + 1..=i).map(move |j| (i, j))) {
            let target = i * TILES + j;
            let events = after(&written, &[i * TILES + k, j * TILES + k, target]);
            let arguments: [&dyn harness::session::Argument; 3] =
                [tile(i, k), tile(j, k), tile(i, j)];
            let done = session.enqueue(&queue, &update, sizes, &arguments, &events)?;
            written[target] = Some(done);
        }
    }
    queue.finish()?;

    let l = session.read(&whole)?;
    let mut product = vec![0.0; N * N];
    for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
        let term = |k: usize| l[place(i, k)] * l[place(j, k)];
        product[i * N + j] = (0..=i.min(j)).map(term).sum();
    }
    // 128 roundings of sums up to 128, in the decomposition and in this product:
    // 2 * 128 * 128 * 2^-53.
    close(
        "L times its transpose",
        &product,
        &matrix,
        Tolerance::absolute(4e-12),
    )
}
