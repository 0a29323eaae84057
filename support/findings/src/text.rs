//! Findings as text for people.

use crate::{Finding, Place, Thread};
use std::fmt::Write as _;

/// A finding as a paragraph without a final newline.
pub fn paragraph(finding: &Finding) -> String {
    let mut text = format!("{}: {}", finding.kind, finding.message);
    let mut line = |line: String| {
        text.push_str("\n  ");
        text.push_str(&line);
    };
    if !finding.kernel.is_empty() {
        line(place(finding));
    }
    if let Some(at) = &finding.place {
        source_line(at, &mut line);
    }
    if let Some(value) = &finding.value {
        line(format!("value: {value}"));
    }
    if let Some(item) = finding.work_item {
        let id = |id: [u64; 3]| format!("({},{},{})", id[0], id[1], id[2]);
        let (global, local, group) = (id(item.global), id(item.local), id(item.group));
        line(format!(
            "work-item: global {global}, local {local}, group {group}"
        ));
    }
    if let Some(thread) = finding.thread {
        let Thread {
            cluster,
            group,
            number,
        } = thread;
        line(format!(
            "thread: {number} of group {group}, cluster {cluster}"
        ));
    }
    if let Some((other, at)) = finding
        .other
        .as_ref()
        .and_then(|other| Some((other, other.place.as_ref()?)))
        && finding.place.as_ref() != Some(at)
    {
        line(format!("the {}: {}", other.noun(), position(at)));
        source_line(at, &mut line);
    }
    text
}

/// The place of a crash, and its function unless that is the kernel, with final newline.
pub fn crash_place(at: &Place, function: &str) -> String {
    let mut text = format!("MOCL3: the place in the source is {}", position(at));
    if !function.is_empty() {
        let _ = write!(text, ", in function `{function}`");
    }
    source_line(at, &mut |line| {
        text.push('\n');
        text.push_str(&line);
    });
    text + "\n"
}

/// Most characters of a source line that are shown.
const MAX_SHOWN: usize = 120;

/// A line of the source, and the column. Of a long line, what is around the column.
fn source_line(at: &Place, line: &mut impl FnMut(String)) {
    if at.text.is_empty() {
        return;
    }
    let column = (at.column as usize).saturating_sub(1);
    let length = at.text.chars().count();
    let last_window = length.saturating_sub(MAX_SHOWN);
    let first = column.saturating_sub(MAX_SHOWN / 2).min(last_window);
    let shown = || at.text.chars().skip(first).take(MAX_SHOWN);
    let before = if first > 0 { "..." } else { "" };
    let after = if length > first + MAX_SHOWN {
        "..."
    } else {
        ""
    };
    let number = at.line.to_string();
    let text: String = shown().collect();
    line(format!("  {number} | {before}{text}{after}"));
    if at.column > 0 {
        let margin = before.chars().chain(shown().take(column - first));
        let margin: String = margin.map(|c| if c == '\t' { c } else { ' ' }).collect();
        line(format!("  {:width$} | {margin}^", "", width = number.len()));
    }
}

fn position(at: &Place) -> String {
    match at.column {
        0 => format!("{}:{}", at.file, at.line),
        column => format!("{}:{}:{column}", at.file, at.line),
    }
}

/// The kernel, the function and the place in the source.
fn place(finding: &Finding) -> String {
    let mut place = format!("kernel `{}`", finding.kernel);
    if !finding.kind.is_of_kernels() {
        return place;
    }
    if !finding.function.is_empty() && finding.function != finding.kernel {
        let _ = write!(place, ", function `{}`", finding.function);
    }
    match &finding.place {
        Some(at) => {
            let _ = write!(place, ", {}", position(at));
        }
        None => place.push_str(", the line is not known"),
    }
    place
}

/// A line with the numbers of findings and of their occurrences.
pub fn summary(findings: &[Finding]) -> String {
    let occurrences: u64 = findings.iter().map(|finding| finding.count).sum();
    match findings.len() {
        0 => "no findings".to_owned(),
        1 => format!("1 finding, {}", times(occurrences)),
        number => format!("{number} findings, {} in all", times(occurrences)),
    }
}

/// A number of occurrences in words.
pub fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::example;
    use crate::{Kind, OtherAccess};

    #[test]
    fn a_paragraph_has_place_and_work_item() {
        assert_eq!(
            paragraph(&example()),
            "out-of-bounds: write of 4 bytes, 8 bytes after the end of argument `out`\n  \
             kernel `k`, function `put`, program.cl:3:8\n    3 |   out[i] = 1;\n      |        ^\n  \
             value: 1\n  work-item: global (18,0,0), local (2,0,0), group (1,0,0)"
        );
        assert_eq!(summary(&[example()]), "1 finding, 2 times");
    }

    #[test]
    fn of_a_long_line_the_part_around_the_column_is_shown() {
        let place = |column| Place {
            file: "program.cl".into(),
            line: 1,
            column,
            text: format!("{}X{}", "a".repeat(200), "b".repeat(200)),
        };
        let shown = |column| crash_place(&place(column), "put");
        let (before, after) = ("a".repeat(60), "b".repeat(59));
        let first = "MOCL3: the place in the source is program.cl:1:201, in function `put`";
        let margin = " ".repeat(63);
        assert_eq!(
            shown(201),
            format!("{first}\n  1 | ...{before}X{after}...\n    | {margin}^\n")
        );
        let start = format!("\n  1 | {}...\n    | ^\n", "a".repeat(120));
        assert!(shown(1).ends_with(&start));
        let unknown = format!("\n  1 | {}...\n", "a".repeat(120));
        assert!(shown(0).ends_with(&unknown));
    }

    #[test]
    fn the_access_of_a_conflict_has_a_place() {
        let mut finding = example();
        let before = paragraph(&finding);
        finding.other = Some(OtherAccess {
            is_copy: false,
            writes: false,
            function: String::new(),
            place: Some(Place {
                line: 12,
                column: 0,
                ..finding.place.clone().expect("the example has a place")
            }),
            local: None,
            group: None,
        });
        let after = "\n  the read: program.cl:12\n    12 |   out[i] = 1;";
        assert_eq!(paragraph(&finding), before + after);
    }

    #[test]
    fn a_finding_of_a_call_has_no_place() {
        let mut finding = Finding {
            kind: Kind::ApiError,
            message: "clSetKernelArg returned CL_INVALID_ARG_INDEX: no argument 3".into(),
            function: "clSetKernelArg".into(),
            place: None,
            work_item: None,
            value: None,
            ..example()
        };
        let message = format!("api-error: {}", finding.message);
        assert_eq!(paragraph(&finding), format!("{message}\n  kernel `k`"));
        finding.kernel.clear();
        assert_eq!(paragraph(&finding), message);
    }
}
