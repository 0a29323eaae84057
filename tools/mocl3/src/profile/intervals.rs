//! Intervals of time.

/// The length of the intervals' union: commands may run at the same time.
pub fn covered(mut intervals: Vec<(u64, u64)>) -> u64 {
    intervals.sort_unstable();
    let (mut sum, mut reached) = (0, 0);
    for (begin, end) in intervals {
        let begin = begin.max(reached);
        sum += end.saturating_sub(begin);
        reached = reached.max(end);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::covered;

    #[test]
    fn overlaps_count_once() {
        assert_eq!(covered(vec![]), 0);
        assert_eq!(
            covered(vec![(20, 30), (1, 5), (2, 3), (4, 7), (30, 31)]),
            17
        );
    }
}
