//! Work on the host's threads.

use host_exec::host_threads;
use parking_lot::Mutex;

/// Minimum size of a piece, elements: work on it takes longer than waking a thread.
const SMALLEST: usize = 16 << 10;

/// Calls `work` for the pieces of an array, each with the number of its first element. Pieces have a multiple
/// of `unit` elements, of which each costs as much as `weight` elements of a vector.
pub fn in_pieces<T: Send>(
    array: &mut [T],
    unit: usize,
    weight: usize,
    work: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let units = array.len().div_ceil(unit.max(1));
    let smallest = SMALLEST.div_ceil(unit.max(1).saturating_mul(weight.max(1)));
    let threads = host_threads::count();
    let size = units.div_ceil(4 * threads).max(smallest).max(1);
    let pieces = units.div_ceil(size);
    if threads == 1 || pieces <= 1 {
        work(0, array);
        return;
    }
    let size = size * unit.max(1);
    let rest = Mutex::new(array.chunks_mut(size).enumerate());
    host_threads::run_parallel(threads.min(pieces) - 1, &|_| {
        loop {
            let next = rest.lock().next();
            let Some((number, piece)) = next else { return };
            work(number * size, piece);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_units_and_cover_the_array() {
        for (count, unit) in [(0, 1), (1, 1), (100_000, 1), (300_000, 7), (70_000, 70_000)] {
            let mut array = vec![0usize; count];
            in_pieces(&mut array, unit, 10, &|first, piece| {
                assert_eq!(first % unit, 0);
                piece
                    .iter_mut()
                    .zip(first..)
                    .for_each(|(one, number)| *one += number + 1);
            });
            assert!(array.iter().zip(1..).all(|(one, number)| *one == number));
        }
    }
}
