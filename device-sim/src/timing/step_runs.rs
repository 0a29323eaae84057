//! Consecutive equal steps of arrays, in the sums of a launch.

/// The sums of the steps of a launch's arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRuns<'a> {
    /// `width` sums for each step: the first steps of all `arrays` arrays, then the second ones, and so on.
    pub sums: &'a [u64],
    /// Number of sums of a step.
    pub width: usize,
    /// Number of arrays.
    pub arrays: usize,
}

impl<'a> StepRuns<'a> {
    /// The steps of an array whose sums are not all 0, each with its number of consecutive repetitions.
    pub fn of_array(self, array: usize) -> impl Iterator<Item = (&'a [u64], u64)> + use<'a> {
        let Self {
            sums,
            width,
            arrays,
        } = self;
        let own = sums.get(array * width..).unwrap_or_default();
        let mut steps = own
            .chunks(width * arrays)
            .filter_map(move |own| own.get(..width))
            .peekable();
        std::iter::from_fn(move || {
            let step = steps.find(|step| step.iter().any(|sum| *sum != 0))?;
            let mut repetitions = 1;
            while steps.next_if(|next| is_equal(next, step)).is_some() {
                repetitions += 1;
            }
            Some((step, repetitions))
        })
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
    use super::StepRuns;

    #[test]
    fn runs_end_where_sums_differ_or_are_zero() {
        // Two arrays, with the steps 1 1 0 1 2 and 0 3 3 3 0; nine sums each.
        let steps = [1, 0, 1, 3, 0, 3, 1, 3, 2, 0];
        let sums: Vec<u64> = steps
            .iter()
            .flat_map(|step| [0, 0, 0, *step, 0, 0, 0, 0, *step])
            .collect();
        let steps = StepRuns {
            sums: &sums,
            width: 9,
            arrays: 2,
        };
        let runs = |array| -> Vec<(u64, u64)> {
            let runs = steps.of_array(array);
            runs.map(|(step, times)| (step[8], times)).collect()
        };
        assert_eq!(runs(0), [(1, 2), (1, 1), (2, 1)]);
        assert_eq!(runs(1), [(3, 3)]);
    }
}
