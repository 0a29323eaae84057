//! Compares the failed cases with the expectation.

use super::Expectation;
use crate::case::Case;
use std::fmt;

/// The results of a run with a defect, compared with the expectation.
#[derive(Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Number of cases that were run.
    pub run: usize,
    /// Number of cases that failed.
    pub failed: usize,
    /// Number of cases that had to fail.
    pub had_to: usize,
    /// The minimum number of failures, if fewer cases failed.
    pub too_few: Option<usize>,
    /// Cases that had to fail, and passed.
    pub blind: Vec<&'static str>,
    /// Cases that failed, although the defect does not affect what they check.
    pub mistaken: Vec<&'static str>,
}

impl Judgement {
    /// Of these cases those failed. With `all`, these are all cases there are.
    pub fn new(
        expectation: &Expectation,
        cases: &[&'static Case],
        failing: &[&str],
        all: bool,
    ) -> Self {
        let failed = |case: &&&Case| failing.contains(&case.name);
        let names = |cases: Vec<&&'static Case>| cases.iter().map(|case| case.name).collect();
        let must = |case: &&&Case| expectation.noticed_by.contains(&case.name);
        let blind = cases.iter().filter(|case| must(case) && !failed(case));
        let mistaken = cases
            .iter()
            .filter(|case| failed(case) && !must(case) && expectation.leaves(case));
        Self {
            run: cases.len(),
            failed: failing.len(),
            had_to: cases.iter().filter(must).count(),
            too_few: (all && failing.len() < expectation.at_least).then_some(expectation.at_least),
            blind: names(blind.collect()),
            mistaken: names(mistaken.collect()),
        }
    }

    /// Whether the suite is as good as it has to be.
    pub fn is_right(&self) -> bool {
        self.failed > 0
            && self.too_few.is_none()
            && self.blind.is_empty()
            && self.mistaken.is_empty()
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            run,
            failed,
            had_to,
            ..
        } = self;
        write!(formatter, "{failed:4} of {run:4} {had_to:8}")?;
        if self.is_right() {
            return write!(formatter, "    right");
        }
        write!(formatter, "    WRONG")?;
        if let Some(least) = self.too_few {
            write!(formatter, "; {least} cases had to fail")?;
        }
        if !self.blind.is_empty() {
            write!(formatter, "; unnoticed by {}", self.blind.join(", "))?;
        }
        if !self.mistaken.is_empty() {
            let names = self.mistaken.join(", ");
            write!(formatter, "; none of the business of {names}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Category;
    use fault_injection::Defect;

    const EXPECTATION: Expectation = Expectation {
        defect: Defect::StaleReads,
        noticed_by: &["a", "b"],
        at_least: 3,
        leaves: &[Category::Kernel],
        leaves_cases: &[&["d"]],
    };

    static CASES: [Case; 5] = [
        case("a", Category::Kernel),
        case("b", Category::Runtime),
        case("c", Category::Kernel),
        case("d", Category::Runtime),
        case("e", Category::Runtime),
    ];

    const fn case(name: &'static str, category: Category) -> Case {
        Case::new(category, name, "", |_| Ok(()))
    }

    fn judge(failing: &[&str], all: bool) -> Judgement {
        let cases: Vec<_> = CASES.iter().collect();
        Judgement::new(&EXPECTATION, &cases, failing, all)
    }

    #[test]
    fn the_right_cases_must_fail_and_no_others() {
        assert!(judge(&["a", "b", "e"], true).is_right());
        assert!(judge(&["a", "b"], false).is_right());
        assert_eq!(judge(&["a", "b"], true).too_few, Some(3));
        assert_eq!(judge(&["a", "e"], false).blind, ["b"]);
        assert_eq!(judge(&["a", "b", "c", "d", "e"], true).mistaken, ["c", "d"]);
        let unnoticed = judge(&[], false);
        assert!(!unnoticed.is_right());
        assert!(unnoticed.to_string().contains("unnoticed by a, b"));
    }
}
