//! A launch compared with OpenCL's.

use super::launch::{Left, Replay};
use super::memories::{Difference, Results};

/// The comparison of a launch with OpenCL's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    /// Equal if the machine had denormal numbers, which it counts as zero.
    Denormals,
    /// Equal where OpenCL's results depend neither on the code for the host nor on conversions to integers that do not
    /// have the number; OpenCL leaves the others open.
    Open,
    /// A work-group needs more memory than SM and AM have, which the kernel has said.
    NoRoom,
    /// How it differs.
    Different(String),
}

impl Comparison {
    /// Whether results differ.
    pub fn is_different(&self) -> bool {
        matches!(self, Self::Different(_))
    }
}

/// How a launch on the machine has ended.
#[derive(Debug)]
pub enum Run {
    /// It has left this.
    Ended(Left),
    /// With an exception of that number, after it had printed a text.
    Exception(String, Left),
    /// The host program ended before it: how.
    Missing(String),
}

/// Two runs of a launch, which differ in what conversions to integers give for numbers that these do not have.
pub type Conversions = (Run, Run);

/// What a kernel prints, before it stops, if a work-group needs more memory than SM and AM have.
const NO_ROOM: &str = ": a work-group needs ";

/// The comparison of a launch.
pub fn compare(launch: &Replay, run: &Run, conversions: Option<&Conversions>) -> Comparison {
    let found = match run {
        Run::Ended(found) => found,
        Run::Exception(_, found) if text(found).contains(NO_ROOM) => return Comparison::NoRoom,
        Run::Exception(number, _) => return Comparison::Different(format!("exception {number}")),
        Run::Missing(how) => return Comparison::Different(how.clone()),
    };
    let conversions = match conversions {
        Some((Run::Ended(one), Run::Ended(other))) => Some((one, other)),
        _ => None,
    };
    let mut is_open = false;
    for number in 0..found.memories.len() {
        let results = Results {
            expected: &launch.expected.memories[number],
            other_code: &launch.other_code.memories[number],
            found: &found.memories[number],
            conversions: conversions
                .map(|(one, other)| (&one.memories[number][..], &other.memories[number][..])),
        };
        match results.difference(number) {
            None => (),
            Some(Difference::Open) => is_open = true,
            Some(Difference::Wrong(how)) => return Comparison::Different(how),
        }
    }
    let memories = match is_open {
        true => Comparison::Open,
        false => Comparison::Equal,
    };
    printed_differently(launch, found, conversions).unwrap_or(memories)
}

fn text(left: &Left) -> String {
    String::from_utf8_lossy(left.printed.as_deref().unwrap_or_default()).into_owned()
}

/// The comparison if what a launch has printed is not what OpenCL's printed.
fn printed_differently(
    launch: &Replay,
    found: &Left,
    conversions: Option<(&Left, &Left)>,
) -> Option<Comparison> {
    let difference =
        |one: &Left, other: &Left| difference(&text(one), &text(other), launch.is_ordered);
    launch.expected.printed.as_ref()?;
    let how = difference(&launch.expected, found)?;
    let pairs = conversions.into_iter();
    let mut pairs = pairs.chain([(&launch.expected, &launch.other_code)]);
    let is_open = pairs.any(|(one, other)| difference(one, other).is_some());
    Some(match is_open {
        true => Comparison::Open,
        false => Comparison::Different(how),
    })
}

/// How texts differ. Without an order, the lines may be in any.
fn difference(expected: &str, found: &str, is_ordered: bool) -> Option<String> {
    let lines = |text| {
        let mut lines: Vec<&str> = str::split(text, '\n').collect();
        if !is_ordered {
            lines.sort_unstable();
        }
        lines
    };
    let (expected, found) = (lines(expected), lines(found));
    if expected == found {
        return None;
    }
    let pairs = expected.iter().zip(&found);
    let first = pairs.take_while(|(a, b)| a == b).count();
    let line = |lines: &[&str]| {
        lines
            .get(first)
            .map_or("none".to_owned(), |line| format!("{line:?}"))
    };
    Some(format!(
        "text, {} instead of {} lines, the first: {} instead of {}",
        found.len(),
        expected.len(),
        line(&found),
        line(&expected)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(memory: u8, printed: Option<&str>) -> Left {
        Left {
            memories: vec![vec![memory]],
            printed: printed.map(|text| text.as_bytes().to_owned()),
        }
    }

    fn launch(printed: Option<&str>, is_ordered: bool) -> Replay {
        Replay {
            expected: left(1, printed),
            other_code: left(1, printed),
            is_ordered,
            ..Replay::default()
        }
    }

    fn compared(launch: &Replay, memory: u8, printed: &str) -> Comparison {
        compare(launch, &Run::Ended(left(memory, Some(printed))), None)
    }

    #[test]
    fn texts_are_compared_in_order_if_there_is_one() {
        let (one, several) = (launch(Some("a\nb\n"), true), launch(Some("a\nb\n"), false));
        assert_eq!(compared(&one, 1, "a\nb\n"), Comparison::Equal);
        let what = "text, 3 instead of 3 lines, the first: \"b\" instead of \"a\"";
        let different = Comparison::Different(what.to_owned());
        assert_eq!(compared(&one, 1, "b\na\n"), different);
        assert_eq!(compared(&several, 1, "b\na\n"), Comparison::Equal);
        assert!(compared(&several, 1, "b\n").is_different());
        assert_eq!(compared(&launch(None, true), 1, "b"), Comparison::Equal);
    }

    #[test]
    fn text_that_opencl_leaves_open_is_not_compared() {
        let mut launch = launch(Some("at 1\n"), true);
        launch.other_code.printed = Some(b"at 2\n".to_vec());
        assert_eq!(compared(&launch, 1, "at 3\n"), Comparison::Open);
        assert_eq!(compared(&launch, 1, "at 1\n"), Comparison::Equal);
        launch.other_code.printed = Some(b"at 1\n".to_vec());
        assert!(compared(&launch, 1, "at 3\n").is_different());
    }

    #[test]
    fn what_depends_on_conversions_out_of_range_is_open() {
        let launch = launch(Some("1\n"), true);
        let run = |memory, text| Run::Ended(left(memory, Some(text)));
        let compare =
            |conversions: Conversions| compare(&launch, &run(2, "2\n"), Some(&conversions));
        assert!(compare((run(2, "2\n"), run(2, "2\n"))).is_different());
        assert!(compare((run(2, "2\n"), run(3, "2\n"))).is_different());
        assert_eq!(compare((run(2, "2\n"), run(3, "3\n"))), Comparison::Open);
        assert!(compare((run(2, "2\n"), Run::Missing(String::new()))).is_different());
    }

    #[test]
    fn a_kernel_without_room_is_no_difference() {
        let exception = |text| Run::Exception("4".to_owned(), left(1, Some(text)));
        let text = "k: a work-group needs 0 bytes of local and 9 of private memory\n";
        let launch = launch(Some(""), true);
        let compare = |text| compare(&launch, &exception(text), None);
        assert_eq!(compare(text), Comparison::NoRoom);
        assert_eq!(compare(""), Comparison::Different("exception 4".to_owned()));
    }
}
