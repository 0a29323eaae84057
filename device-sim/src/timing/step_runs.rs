//! Consecutive equal steps of arrays, found in the sums of a launch.

/// Finds the steps of arrays whose sums are not all 0, each with its number of consecutive repetitions.
/// `sums` has `width` sums for each step: the first steps of all `arrays` arrays, then the second ones, and
/// so on. They are read in this order: other threads' processors have written them.
pub(super) fn for_each<'a>(
    sums: &'a [u64],
    width: usize,
    arrays: usize,
    mut found: impl FnMut(usize, &'a [u64], u64),
) {
    const NONE: &[u64] = &[];
    let mut open = vec![(NONE, 0); arrays];
    for steps in sums.chunks_exact(width * arrays) {
        for (array, (step, run)) in steps.chunks_exact(width).zip(&mut open).enumerate() {
            let (of_run, repetitions) = run;
            if *repetitions > 0 {
                if is_equal(step, of_run) {
                    *repetitions += 1;
                    continue;
                }
                found(array, of_run, *repetitions);
            }
            let is_empty = step.iter().all(|sum| *sum == 0);
            *run = (step, u64::from(!is_empty));
        }
    }
    for (array, (step, repetitions)) in open.into_iter().enumerate() {
        if repetitions > 0 {
            found(array, step, repetitions);
        }
    }
}

/// Whether the sums of two steps are equal. Most are, and a call of `memcmp` takes longer for so few.
fn is_equal(some: &[u64], others: &[u64]) -> bool {
    let (some, rest) = some.as_chunks::<8>();
    let (others, other_rest) = others.as_chunks::<8>();
    let mut pairs = some.iter().zip(others);
    pairs.all(|(some, others)| {
        let differences = some.iter().zip(others).map(|(one, other)| one ^ other);
        differences.fold(0, |all, difference| all | difference) == 0
    }) && rest == other_rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn runs_end_where_sums_differ_or_are_zero() {
        // Two arrays, with the steps 1 1 0 1 2 and 0 3 3 3 0; nine sums each.
        let steps = [1, 0, 1, 3, 0, 3, 1, 3, 2, 0];
        let sums: Vec<u64> = steps
            .iter()
            .flat_map(|step| [0, 0, 0, *step, 0, 0, 0, 0, *step])
            .collect();
        let mut runs = Vec::new();
        super::for_each(&sums, 9, 2, |array, step, times| {
            runs.push((array, step[8], times))
        });
        runs.sort_by_key(|(array, ..)| *array);
        assert_eq!(runs, [(0, 1, 2), (0, 1, 1), (0, 2, 1), (1, 3, 3)]);
    }
}
