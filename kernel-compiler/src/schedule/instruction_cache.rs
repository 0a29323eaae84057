//! What does not fit into the instruction cache is fetched again in each round.

use super::code::Code;

/// By block: bytes of code that are fetched each time that it runs. `bytes` is the code of each.
///
/// A loop that fits is fetched once when it is entered, if what is around it does not fit; of one
/// that does not fit, each block is fetched as it is run. What is around all is the group: the
/// function runs again for the next one.
pub fn fetched(code: &Code<'_>, bytes: &[u32]) -> Vec<u32> {
    let cache = u64::from(code.numbers.instruction_cache);
    let all: u64 = bytes.iter().map(|bytes| u64::from(*bytes)).sum();
    let mut fetched = vec![0u32; bytes.len()];
    if all <= cache {
        return fetched;
    }
    let loops = &code.loops;
    let of_loop: Vec<u64> = loops
        .loops
        .iter()
        .map(|l| l.blocks.iter().map(|block| u64::from(bytes[*block])).sum())
        .collect();
    for (block, of) in fetched.iter_mut().enumerate() {
        if loops.innermost[block].is_none_or(|l| of_loop[l] > cache) {
            *of = bytes[block];
        }
    }
    for (number, l) in loops.loops.iter().enumerate() {
        let around_fits = l.parent.is_some_and(|around| of_loop[around] <= cache);
        if of_loop[number] > cache || around_fits {
            continue;
        }
        for from in loops.entering(number) {
            fetched[from] = fetched[from].saturating_add(of_loop[number] as u32);
        }
    }
    fetched
}
