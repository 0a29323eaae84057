//! A launch compared with OpenCL's: what it has printed, besides its memories.

use super::launch::Replay;

/// The comparison of a launch with OpenCL's.
#[derive(Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    /// Equal if the machine had denormal numbers, which it counts as zero.
    Denormals,
    /// Equal where OpenCL's results do not depend on the code for the host; OpenCL leaves the others open.
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

/// What a kernel prints, before it stops, if a work-group needs more memory than SM and AM have.
const NO_ROOM: &str = ": a work-group needs ";

/// The comparison of a launch, by that of its memories and what it has printed.
pub fn compare(memories: Comparison, launch: &Replay, found: &[u8]) -> Comparison {
    match &memories {
        Comparison::Different(what)
            if what.starts_with("exception ")
                && String::from_utf8_lossy(found).contains(NO_ROOM) =>
        {
            Comparison::NoRoom
        }
        Comparison::Equal | Comparison::Open => {
            printed_differently(launch, found).unwrap_or(memories)
        }
        _ => memories,
    }
}

/// The comparison if what a launch has printed is not what OpenCL's printed.
fn printed_differently(launch: &Replay, found: &[u8]) -> Option<Comparison> {
    let difference = |expected: &[u8], found: &[u8]| {
        let texts = [expected, found].map(String::from_utf8_lossy);
        difference(&texts[0], &texts[1], launch.is_ordered)
    };
    let expected = launch.expected.as_ref()?;
    let how = difference(expected, found)?;
    let other_code = launch.other_code.as_ref();
    let is_open = other_code.is_some_and(|text| difference(expected, text).is_some());
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
    use std::path::PathBuf;

    fn launch(expected: Option<&str>, is_ordered: bool) -> Replay {
        Replay {
            words: PathBuf::new(),
            found: PathBuf::new(),
            expected: expected.map(|text| text.as_bytes().to_owned()),
            other_code: None,
            is_ordered,
        }
    }

    #[test]
    fn texts_are_compared_in_order_if_there_is_one() {
        let (one, several) = (launch(Some("a\nb\n"), true), launch(Some("a\nb\n"), false));
        assert_eq!(
            compare(Comparison::Equal, &one, b"a\nb\n"),
            Comparison::Equal
        );
        let different = compare(Comparison::Equal, &one, b"b\na\n");
        let what = "text, 3 instead of 3 lines, the first: \"b\" instead of \"a\"";
        assert_eq!(different, Comparison::Different(what.to_owned()));
        let other_order = compare(Comparison::Equal, &several, b"b\na\n");
        assert_eq!(other_order, Comparison::Equal);
        let missing = compare(Comparison::Equal, &several, b"b\n");
        assert!(matches!(missing, Comparison::Different(_)));
        let unknown = launch(None, true);
        assert_eq!(
            compare(Comparison::Equal, &unknown, b"b"),
            Comparison::Equal
        );
    }

    #[test]
    fn text_that_opencl_leaves_open_is_not_compared() {
        let mut launch = launch(Some("at 1\n"), true);
        let mut compared = |other_code: &str, found: &[u8]| {
            launch.other_code = Some(other_code.into());
            compare(Comparison::Equal, &launch, found)
        };
        assert_eq!(compared("at 2\n", b"at 3\n"), Comparison::Open);
        assert_eq!(compared("at 2\n", b"at 1\n"), Comparison::Equal);
        assert!(compared("at 1\n", b"at 3\n").is_different());
    }

    #[test]
    fn a_kernel_without_room_is_no_difference() {
        let text = b"k: a work-group needs 0 bytes of local and 9 of private memory\n";
        let exception = || Comparison::Different("exception 4".to_owned());
        let launch = launch(Some(""), true);
        assert_eq!(compare(exception(), &launch, text), Comparison::NoRoom);
        assert_eq!(compare(exception(), &launch, b""), exception());
    }
}
